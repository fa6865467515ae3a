// A part of the page with a heading, which can be filled again when the run has gone on.
import { element } from "./dom";

export interface Panel<Data> {
  place: HTMLElement;
  update(data: Data): void;
}

export function section(heading: string, id: string, ...children: (Node | string)[]): HTMLElement {
  return element(
    "section",
    { class: "panel", id, "aria-labelledby": `${id}-heading` },
    element("h2", { id: `${id}-heading` }, heading),
    ...children,
  );
}

export function note(text = ""): HTMLParagraphElement {
  return element("p", { class: "note" }, text);
}

// A table of which the first column names the row.
export function table(head: string[], rows: (string | Node)[][]): HTMLElement {
  const cell = (content: string | Node, k: number): HTMLElement =>
    k === 0 ? element("th", { scope: "row" }, content) : element("td", {}, content);
  return element(
    "div",
    { class: "table-frame", tabindex: head.length > 2 ? 0 : null },
    element(
      "table",
      {},
      ...(head.length
        ? [
            element(
              "thead",
              {},
              element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name))),
            ),
          ]
        : []),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell)))),
    ),
  );
}
