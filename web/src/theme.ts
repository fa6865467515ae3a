// Dark or light: as the system is set, until the reader chooses. What draws by itself listens.

type Theme = "dark" | "light";
const listeners: (() => void)[] = [];
const system = matchMedia("(prefers-color-scheme: dark)");
let chosen: Theme | null = null;

function apply(): void {
  document.documentElement.dataset.theme = chosen ?? (system.matches ? "dark" : "light");
  for (const listener of listeners) listener();
}

export function start_theme(): void {
  system.addEventListener("change", apply);
  apply();
}

// Returns a function that ends the listening.
export function on_theme(listener: () => void): () => void {
  listeners.push(listener);
  return () => {
    if (listeners.includes(listener)) listeners.splice(listeners.indexOf(listener), 1);
  };
}

export function toggle_theme(): void {
  chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  apply();
}
