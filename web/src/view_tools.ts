// What one can change about the picture, and the legend of its colours.
import { edge_modes } from "./body";
import {
  color_modes,
  field_legend,
  quantities,
  quantity_legend,
  region_legend,
  type ColorMode,
} from "./coloring";
import { element, icon_button } from "./dom";
import type { Layout, Stage } from "./stage";
import { with_unit } from "./words";

export class ViewTools {
  readonly bar: HTMLElement;
  readonly legend = element("div", {
    class: "color-legend",
    role: "note",
    "aria-label": "What the colours mean",
  });
  private color = element(
    "select",
    { "aria-label": "Colour by", title: "Colour by (C)" },
    ...color_modes.map((mode) =>
      element("option", { value: mode }, mode === "plain" ? "plain colour" : mode),
    ),
  );
  private forces: HTMLButtonElement | null = null;
  private edges = this.word_button("Edges", "Edges of the mesh: none, over the surface, alone", "W", () =>
    this.next_edges(),
  );
  private shading = this.word_button("Flat", "Flat or smooth shading", "S", () => this.toggle_shading());
  private overlay: HTMLButtonElement | null = null;

  constructor(
    private stage: Stage,
    private region_names: string[],
    several: boolean,
  ) {
    this.color.addEventListener("change", () => this.set_color(this.color.value as ColorMode));
    for (const { name, label } of stage.look.fields)
      this.color.append(element("option", { value: name }, label));
    if (stage.has_forces)
      this.forces = this.word_button(
        "Contact forces",
        "Forces of contact on the vertices, as arrows",
        "V",
        () => this.toggle_forces(),
      );
    if (several)
      this.overlay = this.word_button("Overlay", "Overlaid or side by side", "O", () => this.toggle_layout());
    this.bar = element(
      "div",
      { class: "view-tools", role: "toolbar", "aria-label": "Picture" },
      this.color,
      this.edges,
      this.shading,
      ...(this.forces ? [this.forces] : []),
      ...(this.overlay ? [this.overlay] : []),
      this.legend,
      icon_button("fit", "Fit into the view", "F", () => stage.fit()),
    );
    this.update();
  }

  next_color(): void {
    const { look } = this.stage,
      modes: ColorMode[] = [...color_modes, ...look.fields.map((field) => field.name)];
    this.set_color(modes[(modes.indexOf(look.color) + 1) % modes.length]);
  }

  toggle_forces(): void {
    if (!this.forces) return;
    this.stage.change_look({ forces: !this.stage.look.forces });
    this.update();
  }

  next_edges(): void {
    this.stage.change_look({
      edges: edge_modes[(edge_modes.indexOf(this.stage.look.edges) + 1) % edge_modes.length],
    });
    this.update();
  }

  toggle_shading(): void {
    this.stage.change_look({ shading: this.stage.look.shading === "flat" ? "smooth" : "flat" });
    this.update();
  }

  toggle_layout(): void {
    if (!this.overlay) return;
    const layout: Layout = this.stage.layout === "overlaid" ? "side by side" : "overlaid";
    this.stage.set_layout(layout);
    this.update();
  }

  update(): void {
    const { look, layout } = this.stage,
      overlaid = layout === "overlaid";
    this.color.value = overlaid ? "plain" : look.color;
    this.color.disabled = overlaid;
    this.color.title = overlaid ? "Overlaid runs keep their own colours" : "Colour by (C)";
    this.edges.setAttribute("aria-pressed", String(look.edges !== "none"));
    this.edges.textContent = look.edges === "alone" ? "Edges alone" : "Edges";
    this.shading.setAttribute("aria-pressed", String(look.shading === "flat"));
    this.overlay?.setAttribute("aria-pressed", String(overlaid));
    this.forces?.setAttribute("aria-pressed", String(look.forces));
    const quantity = quantities[look.color],
      field = look.fields.find(({ name }) => name === look.color);
    const colors =
      overlaid || look.color === "plain"
        ? []
        : field
          ? field_legend(field)
          : quantity
            ? quantity_legend(look.color, look.tops[quantity.key])
            : region_legend(this.region_names);
    const arrows = look.forces
      ? [element("span", {}, `contact forces, arrows up to ${with_unit(look.top_force, "N")}`)]
      : [];
    const content = [...colors, ...arrows];
    this.legend.hidden = !content.length;
    this.legend.replaceChildren(...content);
  }

  private set_color(color: ColorMode): void {
    if (this.stage.layout === "overlaid") return;
    this.stage.change_look({ color });
    this.update();
  }

  private word_button(text: string, label: string, key: string, press: () => void): HTMLButtonElement {
    const made = element(
      "button",
      { type: "button", title: `${label} (${key})`, "aria-pressed": "false" },
      text,
    );
    made.addEventListener("click", press);
    return made;
  }
}
