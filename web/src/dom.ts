// Elements are made here; what comes from data goes in as text, never as markup.

type Child = Node | string;
type Attributes = Record<string, string | number | boolean | null>;

function set_attributes(made: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  set_attributes(made, attributes);
  made.append(...children);
  return made;
}

export function svg_element(tag: string, attributes: Attributes, ...children: Child[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set_attributes(made, attributes);
  made.append(...children);
  return made;
}

const icons = {
  play: "M5 3.2v9.6L12.8 8z",
  pause: "M4 3h2.8v10H4zM9.2 3H12v10H9.2z",
  first: "M3 3h1.8v10H3zM13 3.2v9.6L5.6 8z",
  last: "M11.2 3H13v10h-1.8zM3 3.2v9.6L10.4 8z",
  back: "M10.8 3.2v9.6L3.4 8z",
  forward: "M5.2 3.2v9.6L12.6 8z",
  loop:
    "M4 6.2A4.6 4.6 0 0 1 12.4 6l1.5-.9L13.6 9l-3.4-1.8 1.2-.7A3.2 3.2 0 0 0 5.4 6.8zM12 9.8A4.6 4.6 0 0 1 " +
    "3.6 10l-1.5.9L2.4 7l3.4 1.8-1.2.7a3.2 3.2 0 0 0 6 -.3z",
  fit: "M2 2h4.4v1.6H3.6v2.8H2zM9.6 2H14v4.4h-1.6V3.6H9.6zM2 9.6h1.6v2.8h2.8V14H2zM12.4 9.6H14V14H9.6v-1.6h2.8z",
  theme: "M8 1.6a6.4 6.4 0 1 0 0 12.8A6.4 6.4 0 0 0 8 1.6zm0 1.5v9.8a4.9 4.9 0 0 1 0-9.8z",
  help:
    "M8 1.6a6.4 6.4 0 1 0 0 12.8A6.4 6.4 0 0 0 8 1.6zm0 1.4a5 5 0 1 1 0 10A5 5 0 0 1 8 3zm-.8 7.4h1.5v1.5H7.2zM5.6 " +
    "6.5C5.6 5 6.7 4.1 8 4.1s2.4.8 2.4 2.1c0 1-.6 1.5-1.2 2-.4.3-.6.5-.6 1.1H7.3c0-1.2.5-1.7 1.1-2.1.4-.3.7-.5.7-.9 " +
    "0-.5-.4-.9-1.1-.9-.6 0-1.1.4-1.1 1.1z",
};
export type Icon = keyof typeof icons;

export function icon(name: Icon): SVGElement {
  return svg_element(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", class: "icon" },
    svg_element("path", { d: icons[name] }),
  );
}

// A button that says in its title which key does the same.
export function icon_button(name: Icon, label: string, key: string, press: () => void): HTMLButtonElement {
  const made = element(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: `${label} (${key})` },
    icon(name),
  );
  made.addEventListener("click", press);
  return made;
}

export function css_color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
