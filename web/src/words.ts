// Numbers and names as people read them.

export function short(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "not finite";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  return text
    .replace(/(\.\d*?)0+(e|$)/, "$1$2")
    .replace(/\.(e|$)/, "$1")
    .replace("e+", "e")
    .replace(/-/g, "−");
}

// What a person typed, or short() wrote; null: no number.
export function number_in(text: string): number | null {
  const words = text.trim().replace(/−/g, "-"),
    value = Number(words);
  return words && Number.isFinite(value) ? value : null;
}

const prefixes: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

// The SI prefix that leaves 1 to 999 before the unit, as a factor and a letter.
export function prefix_for(size: number): [number, string] {
  if (!(size > 0) || !Number.isFinite(size)) return [1, ""];
  return prefixes.find(([factor]) => size >= factor) ?? [1e-9, "n"];
}

// 0.0123 J is 12.3 mJ.
export function with_unit(value: number, unit: string, digits = 3): string {
  const [factor, letter] = unit === "%" ? [1, ""] : prefix_for(Math.abs(value));
  return `${short(value / factor, digits)} ${letter}${unit}`;
}

export function amount(value: number | null | undefined): string {
  return Number(value ?? 0)
    .toLocaleString("en-US")
    .replace(/,/g, "\u202f");
}

export function percent(part: number): string {
  const share = 100 * part;
  return `${Math.abs(share) >= 10 && Math.abs(share) < 1e6 ? Math.round(share) : short(share, 2)} %`.replace(
    "-",
    "−",
  );
}

// "krylov_vectors" is "Krylov vectors".
export function plain(name: string): string {
  return name
    .replace(/_/g, " ")
    .replace(/\b(krylov|newton|euler)\b/g, (word) => word.charAt(0).toUpperCase() + word.slice(1))
    .replace(/\bcg\b/, "CG")
    .replace("hessian", "Hessian");
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${amount(count)} ${count === 1 ? one : many}`;
}
