// Keys of the whole page. A key that the focused element itself understands stays with it.

export type KeyActions = Record<string, () => void>;

// Names are as KeyboardEvent.key gives them, letters small, "Shift+" before the arrows.
export function listen_to_keys(actions: KeyActions, blocked: () => boolean): void {
  window.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement,
      tag = target.tagName;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      tag === "SELECT" ||
      tag === "PRE" ||
      tag === "TEXTAREA"
    )
      return;
    const arrow = event.key.startsWith("Arrow");
    const name =
      event.key.length === 1
        ? event.key.toLowerCase()
        : arrow && event.shiftKey
          ? `Shift+${event.key}`
          : event.key;
    if (blocked() && name !== "?") return;
    if (name === " " && (tag === "BUTTON" || tag === "SUMMARY")) return;
    const action = actions[name];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
