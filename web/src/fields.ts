// Numbers of the frames' fields (stress, stretch, ...) as scales of colours: names in words, ends, and which side of the
// value at rest is coloured.
import { field_value, type FieldCodes } from "./chunk";
import type { ColorMap } from "./colors";
import type { FieldHeader, MotionHeader } from "./data";
import { short, with_unit } from "./words";

export interface FieldScale {
  name: string; // of the field's number in the data
  label: string;
  unit: string;
  low: number;
  high: number;
  peak: number | null; // farthest from the value at rest, when it lies outside the scale
  map: ColorMap;
}

const words: [RegExp, string][] = [
  [/^von_mises$/, "von Mises stress"],
  [/^J$/, "volume ratio J"],
  [/^stress_(\w+)$/, "stress $1"],
  [/^principal_stresses_(\d)$/, "principal stress $1"],
  [/^green_strain_(\w+)$/, "Green strain $1"],
  [/^principal_stretches_(\d)$/, "principal stretch $1"],
];

export function field_label(name: string): string {
  const found = words.find(([pattern]) => pattern.test(name));
  return found ? name.replace(found[0], found[1]) : name.replace(/_/g, " ");
}

export function field_words(value: number, unit: string): string {
  return unit ? with_unit(value, unit) : short(value, 3);
}

// The components of contact forces are drawn as arrows (force_arrows.ts).
export const force_names = ["contact_force_x", "contact_force_y", "contact_force_z"];

function scale_of(same: FieldHeader[]): FieldScale {
  const { name, unit, at_rest } = same[0];
  const least = Math.min(at_rest, ...same.map((field) => field.low ?? at_rest)),
    most = Math.max(at_rest, ...same.map((field) => field.high ?? at_rest)),
    below = at_rest - least,
    above = most - at_rest,
    far = Math.max(below, above);
  const reach = Math.max(...same.map((field) => field.typical ?? 0)) || far;
  const little = 0.02; // of the other side: not worth half of the colours
  const to_low = below > little * above ? reach : 0,
    to_high = above > little * below ? reach : 0;
  const peak = above >= below ? most : least;
  return {
    name,
    label: field_label(name),
    unit,
    low: at_rest - to_low,
    high: at_rest + to_high,
    peak: far > 1.01 * reach ? peak : null,
    map: to_low > 0 && to_high > 0 ? "two_sided" : unit === "Pa" ? "plasma" : "viridis",
  };
}

// One scale for each number that any of the motions has, for all of them alike.
export function field_scales(motions: MotionHeader[]): FieldScale[] {
  const by_name = new Map<string, FieldHeader[]>();
  for (const { fields } of motions)
    for (const field of fields ?? [])
      if (!force_names.includes(field.name))
        by_name.set(field.name, [...(by_name.get(field.name) ?? []), field]);
  return [...by_name.values()].map(scale_of);
}

// For every code of a field the place of its colour in a table of 256 colours.
export function field_places(codes: FieldCodes, { low, high }: FieldScale): Uint8Array {
  const places = new Uint8Array(256);
  for (let s = 0; s < 256; ++s) {
    const part = high > low ? (field_value(codes, s) - low) / (high - low) : 0;
    places[s] = Math.round(255 * Math.min(1, Math.max(0, part)));
  }
  return places;
}
