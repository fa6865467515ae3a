// What the colours of a body mean, and the legend that says so with numbers.
import { color_table, css_gradient, distinct_colors, linear, rgb_of, type ColorMap } from "./colors";
import type { MotionHeader } from "./data";
import { element } from "./dom";
import { field_words, type FieldScale } from "./fields";
import type { Frame } from "./motion";
import { with_unit } from "./words";

export const color_modes = ["plain", "speed", "displacement", "strain energy", "region"] as const;
// One of these, or the name of a field's number.
export type ColorMode = (typeof color_modes)[number] | (string & {});

// Colours that stand for numbers.
export function shows_numbers(mode: ColorMode): boolean {
  return mode !== "plain" && mode !== "region";
}

interface Quantity {
  key: keyof MotionHeader["largest"];
  unit: string;
  map: ColorMap;
  root: boolean;
  label: string;
}

// Strain energy has few, high peaks: on an even scale they alone would be seen.
export const quantities: Record<string, Quantity | undefined> = {
  speed: { key: "speed", unit: "m/s", map: "viridis", root: false, label: "speed" },
  displacement: { key: "displacement", unit: "m", map: "cividis", root: false, label: "displacement" },
  "strain energy": {
    key: "strain_energy",
    unit: "J/m³",
    map: "plasma",
    root: true,
    label: "energy density, square-root scale",
  },
};

const tables = new Map<ColorMap, Float32Array>();
export function table_of(map: ColorMap): Float32Array {
  if (!tables.has(map)) tables.set(map, color_table(map));
  return tables.get(map)!;
}

export const region_light = distinct_colors.map((hex) => linear(rgb_of(hex)));

// For every quantized value of a frame the place of its colour in a table of 256 colours; `top` is the scale's end.
export function places_of_codes(quantity: Quantity, chunk_max: number, top: number): Uint8Array {
  const places = new Uint8Array(256);
  for (let s = 0; s < 256; ++s) {
    const value = chunk_max * (s / 255) ** 2,
      part = top > 0 ? Math.min(1, value / top) : 0;
    places[s] = Math.round(255 * (quantity.root ? Math.sqrt(part) : part));
  }
  return places;
}

// Lengths of x - rest as places in a table of colours.
export function displacement_place(x: Float32Array, rest: Float32Array, vertex: number, top: number): number {
  const i = 3 * vertex;
  const size = Math.hypot(x[i] - rest[i], x[i + 1] - rest[i + 1], x[i + 2] - rest[i + 2]);
  return top > 0 ? Math.min(255, Math.round((255 * size) / top)) : 0;
}

export function codes_of(mode: ColorMode, frame: Frame): { codes: Uint8Array; max: number } {
  const n = frame.chunk.vertices,
    from = frame.within * n;
  return mode === "speed"
    ? { codes: frame.chunk.speeds.subarray(from, from + n), max: frame.chunk.speed_max }
    : { codes: frame.chunk.energies.subarray(from, from + n), max: frame.chunk.energy_max };
}

// The legend of a quantity: its colours, and what the ends and the middle stand for.
export function quantity_legend(mode: ColorMode, top: number): HTMLElement[] {
  const quantity = quantities[mode]!;
  if (!(top > 0)) return [element("span", {}, `${mode}: zero everywhere`)];
  const middle = quantity.root ? top / 4 : top / 2;
  return scale_legend(quantity.label, quantity.map, [
    "0",
    with_unit(middle, quantity.unit),
    with_unit(top, quantity.unit),
  ]);
}

export function field_legend({ label, map, unit, low, high, peak }: FieldScale): HTMLElement[] {
  if (!(high > low)) return [element("span", {}, `${label}: ${field_words(low, unit)} everywhere`)];
  const words = (value: number): string => (value === 0 ? "0" : field_words(value, unit));
  return scale_legend(peak === null ? label : `${label}, peak ${words(peak)}`, map, [
    words(low),
    words(0.5 * (low + high)),
    words(high),
  ]);
}

function scale_legend(label: string, map: ColorMap, numbers: string[]): HTMLElement[] {
  const bar = element("i", { class: "legend-bar" });
  bar.style.background = css_gradient(map);
  return [
    element("span", {}, label),
    element(
      "span",
      { class: "legend-scale" },
      bar,
      element("span", { class: "legend-numbers" }, ...numbers.map((text) => element("span", {}, text))),
    ),
  ];
}

export function region_legend(names: string[]): HTMLElement[] {
  return names.slice(0, 12).map((name, i) => {
    const patch = element("i", { class: "legend-patch" });
    patch.style.background = distinct_colors[i % distinct_colors.length];
    return element("span", { class: "legend-entry" }, patch, name);
  });
}
