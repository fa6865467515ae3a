// The scene's settings as a tree that opens and closes.
import type { SceneObject, SceneValue } from "./data";
import { element } from "./dom";
import { counted, plain, short } from "./words";

function is_object(value: SceneValue): value is SceneObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function holds_objects(value: SceneValue[]): boolean {
  return value.some((entry) => is_object(entry) || (Array.isArray(entry) && holds_objects(entry)));
}

// A value that fits on a line: numbers as written, triples in brackets.
function in_line(value: SceneValue): string {
  if (typeof value === "number") return short(value, 7);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null) return "none";
  if (Array.isArray(value)) return value.length ? `(${value.map(in_line).join(", ")})` : "none";
  return String(value);
}

// What a list's entry is called: its name, or its kind.
function title_of(entry: SceneObject, number: number): string {
  const words = ["name", "type", "generate", "body"]
    .map((key) => entry[key])
    .filter((word) => typeof word === "string");
  return words.length ? words.slice(0, 2).join(", ") : String(number + 1);
}

function branch(title: string, hint: string, inside: HTMLElement, open: boolean): HTMLElement {
  return element(
    "details",
    { open },
    element("summary", {}, title, element("span", { class: "hint" }, hint)),
    inside,
  );
}

function entries_of(object: SceneObject, depth: number): HTMLElement {
  return element(
    "div",
    { class: "tree" },
    ...Object.entries(object).map(([key, value]) => {
      if (is_object(value)) {
        const kind =
          typeof value.type === "string"
            ? value.type
            : typeof value.generate === "string"
              ? value.generate
              : "";
        return branch(plain(key), kind, entries_of(value, depth + 1), depth > 0 || key === "time");
      }
      if (Array.isArray(value) && holds_objects(value)) {
        const inside = element(
          "div",
          { class: "tree" },
          ...value.map((entry, i) =>
            is_object(entry)
              ? branch(title_of(entry, i), "", entries_of(entry, depth + 2), value.length === 1)
              : element(
                  "div",
                  { class: "leaf" },
                  element("span", {}, String(i + 1)),
                  element("span", {}, in_line(entry)),
                ),
          ),
        );
        return branch(
          plain(key),
          counted(value.length, "entry", "entries"),
          inside,
          depth === 0 && value.length === 1,
        );
      }
      return element(
        "div",
        { class: "leaf" },
        element("span", {}, plain(key)),
        element("span", {}, in_line(value)),
      );
    }),
  );
}

export function scene_tree(scene: SceneObject): HTMLElement {
  return entries_of(scene, 0);
}
