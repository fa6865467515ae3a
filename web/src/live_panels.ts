// Beside the picture: what became of the energy, view by view, as bars and curves; the settings; the log.
import { element } from "./dom";
import type { Books, FrameHead, Hello, LiveConnection, LiveSettings } from "./live_messages";
import { note, section } from "./panel";
import { Plot } from "./plot";
import { number_in, percent, short, with_unit } from "./words";

const shown_seconds = 10; // of the curves
const curve_gap = 0.04; // s, between their points

// One word for each part that a bar shows, in its order.
const parts: [keyof Books | "kept", string, string][] = [
  ["loss", "taken by the integrator", "--loss"],
  ["dissipated", "damping", "--dissipated"],
  ["friction", "friction", "--elastic"],
];

export class LedgerPanel {
  readonly place: HTMLElement;
  private bars = element("div", { class: "live-bars" });
  private loss = new Plot({ label: "Numerical loss of every view", x_unit: "s", y_unit: "J", height: 150 }, null);
  private total = new Plot(
    { label: "Kinetic and elastic energy of every view", x_unit: "s", y_unit: "J", height: 150 },
    null,
  );
  private times: number[] = [];
  private losses: number[][] = [];
  private moving: number[][] = [];
  private most: number[] = []; // energy that each view has had to lose, J; the largest of all is the bars' whole length
  private drawn = 0;

  constructor(
    private names: () => string[],
    private colors: string[],
  ) {
    this.place = section(
      "Where the energy went",
      "ledger",
      this.bars,
      element("h3", {}, "Numerical loss"),
      this.loss.place,
      element("h3", {}, "Energy of the motion (kinetic and elastic)"),
      this.total.place,
      note(
        "Loss = first total + work of the hand and of loads + changes + contact work − damping − friction − total: what the " +
          "integrator took (positive) or made up (negative).",
      ),
    );
  }

  clear(): void {
    this.times = [];
    this.losses = this.names().map(() => []);
    this.moving = this.names().map(() => []);
    this.most = this.names().map(() => 0);
  }

  take(head: FrameHead): void {
    if (this.losses.length !== head.views.length) this.clear();
    // It went back: what came later did not happen.
    if (head.t < this.times[this.times.length - 1]) {
      while (this.times[this.times.length - 1] > head.t)
        for (const values of [this.times, ...this.losses, ...this.moving]) values.pop();
      this.most = this.moving.map((values) => Math.max(0, ...values));
    }
    head.views.forEach((books, i) => {
      const had = Math.max(books.kinetic + books.elastic, Math.abs(books.external), Math.abs(books.loss));
      this.most[i] = Math.max(this.most[i], had);
    });
    const last = this.times[this.times.length - 1];
    if (last === undefined || head.t >= last + curve_gap) {
      this.times.push(head.t);
      head.views.forEach((books, i) => {
        this.losses[i].push(books.loss);
        this.moving[i].push(books.kinetic + books.elastic);
      });
      while (this.times[0] < head.t - shown_seconds) {
        this.times.shift();
        for (const values of [...this.losses, ...this.moving]) values.shift();
      }
    }
    const now = performance.now();
    if (!head.paused && now - this.drawn < 120) return; // nothing may follow a still picture
    this.drawn = now;
    this.draw(head);
  }

  private draw(head: FrameHead): void {
    const names = this.names(),
      most = Math.max(...this.most) || 1;
    this.bars.replaceChildren(
      ...head.views.map((books, i) => {
        const patch = element("i", { class: "patch" });
        patch.style.background = this.colors[i];
        const bar = element("div", { class: "live-bar" });
        for (const [key, label, color] of parts) {
          const part = Math.max(0, books[key as keyof Books] as number) / most;
          const piece = element("i", { title: `${label}: ${with_unit(books[key as keyof Books] as number, "J")}` });
          piece.style.width = `${Math.min(100, 100 * part).toFixed(2)}%`;
          piece.style.background = `var(${color})`;
          bar.append(piece);
        }
        const lost = books.loss,
          small = Math.abs(lost) < 1e-3 * most;
        const words = small
          ? "kept the energy"
          : `${lost > 0 ? "took" : "added"} ${with_unit(Math.abs(lost), "J")}, ${percent(Math.abs(lost) / most)} of the most that moved`;
        return element(
          "div",
          { class: "live-row" },
          element("span", { class: "named" }, patch, names[i] ?? ""),
          element("b", { class: small ? "good" : "bad" }, words),
          bar,
          element(
            "span",
            { class: "note" },
            `hand and loads gave ${with_unit(books.external, "J")}; ${with_unit(books.kinetic + books.elastic, "J")} are moving` +
              `${books.changes ? `; changes gave ${with_unit(books.changes, "J")}` : ""}`,
          ),
        );
      }),
    );
    const curves = (values: number[][]): Parameters<Plot["update"]>[0] => {
      const x = [...this.times];
      return names.map((name, i) => ({ name, color: this.colors[i], x, y: [...values[i]], width: 2 }));
    };
    this.loss.update(curves(this.losses));
    this.total.update(curves(this.moving));
  }
}

const steps: [string, number][] = [
  ["1/30 s", 1 / 30],
  ["1/60 s", 1 / 60],
  ["1/100 s", 0.01],
  ["1/120 s", 1 / 120],
  ["1/240 s", 1 / 240],
  ["1/1000 s", 0.001],
];

// What is no number, or is not allowed (change() is false), is marked until the field is left, which then shows what is.
function number_field(
  label: string,
  unit: string,
  change: (value: number) => boolean,
  restore: () => void,
): HTMLInputElement {
  const field = element("input", { type: "text", inputmode: "decimal", "aria-label": label, title: unit, size: 8 });
  field.addEventListener("change", () => {
    const value = number_in(field.value),
      good = value !== null && change(value);
    field.setAttribute("aria-invalid", String(!good));
    if (good) field.blur(); // keys go to the page again
  });
  field.addEventListener("blur", () => {
    field.removeAttribute("aria-invalid");
    restore();
  });
  field.addEventListener("keydown", (event) => event.stopPropagation());
  return field;
}

// Of one who chose with the pointer, keys go to the page again; with the keyboard one goes on choosing.
function release_keys(field: HTMLSelectElement | HTMLInputElement): void {
  let by_pointer = false;
  field.addEventListener("pointerdown", () => (by_pointer = true));
  field.addEventListener("keydown", () => (by_pointer = false));
  field.addEventListener("change", () => {
    if (by_pointer) field.blur();
  });
}

function set_value(field: HTMLInputElement | HTMLSelectElement, value: string): void {
  if (document.activeElement !== field) field.value = value;
}

// Each change goes to the program, which applies it at a step boundary and says so in the log.
export class SettingsPanel {
  readonly place: HTMLElement;
  private views = element("div", { class: "live-settings" });
  private step = element("select", { "aria-label": "Step" });
  private body = element("select", { "aria-label": "Body" });
  private young: HTMLInputElement;
  private young_label = element("span", {}, "Young's modulus");
  private mass: HTMLInputElement;
  private stiffness: HTMLInputElement;
  private gravity: HTMLInputElement[];
  private strength = element("input", { type: "range", min: -1, max: 1, step: 0.05, "aria-label": "Strength of the hand" });
  private pace = element("select", { "aria-label": "Pace" });
  private settings: LiveSettings | null = null;
  private integrators: { name: string; summary: string }[] = [];

  constructor(private connection: LiveConnection) {
    const row = (label: string | Node, ...fields: Node[]): HTMLElement =>
      element("div", { class: "live-setting" }, element("span", {}, label), element("span", {}, ...fields));
    for (const [text, value] of steps) this.step.append(element("option", { value }, text));
    for (const [text, value] of [
      ["real time", 1],
      ["half", 0.5],
      ["a tenth", 0.1],
      ["a hundredth", 0.01],
    ] as const)
      this.pace.append(element("option", { value }, text));
    const restore = (): void => {
      if (this.settings) this.show(this.settings);
    };
    this.young = number_field(
      "Stiffness",
      "",
      (value) => {
        const now = this.common((body) => body.stiffness) ?? 0;
        if (!(now > 0 && value > 0)) return false;
        for (const body of this.chosen()) body.stiffness = value;
        connection.send({ do: "set_stiffness", text: this.body.value, value: value / now });
        return true;
      },
      restore,
    );
    const factor = (text: string, value: number): HTMLElement => {
      const button = element("button", { type: "button", title: `Multiply the stiffness by ${value}` }, text);
      button.addEventListener("click", () => {
        connection.send({ do: "set_stiffness", text: this.body.value, value });
        button.blur(); // keys go to the page
      });
      return button;
    };
    // One of both numbers; bodies keep their own other one. What was sent counts at once: the next edit builds on it, and the
    // program says anew what is after a change and after a refusal.
    const damp = (which: 0 | 1, value: number): boolean => {
      if (value < 0) return false;
      const bodies = this.chosen(),
        alike = this.common((body) => body.damping[1 - which]) !== null;
      for (const body of bodies) body.damping[which] = value;
      const send = (text: string, [mass, stiffness]: [number, number]): void =>
        connection.send({ do: "set_damping", text, value: mass, more: stiffness });
      if (alike) send(this.body.value, bodies[0].damping);
      else for (const body of bodies) send(body.name, body.damping);
      return true;
    };
    this.mass = number_field("Damping of the mass", "1/s", (value) => damp(0, value), restore);
    this.stiffness = number_field("Damping of the stiffness", "s", (value) => damp(1, value), restore);
    this.gravity = ["x", "y", "z"].map((axis, i) =>
      number_field(
        `Gravity along ${axis}`,
        "m/s²",
        (value) => {
          const point = this.settings?.gravity;
          if (!point) return false;
          point[i] = value;
          connection.send({ do: "set_gravity", point });
          return true;
        },
        restore,
      ),
    );
    this.step.addEventListener("change", () => connection.send({ do: "set_step", value: Number(this.step.value) }));
    this.pace.addEventListener("change", () => connection.send({ do: "set_pace", value: Number(this.pace.value) }));
    this.strength.addEventListener("change", () =>
      connection.send({ do: "set_strength", value: 10 ** Number(this.strength.value) }),
    );
    this.body.addEventListener("change", () => this.show_body());
    for (const field of [this.step, this.pace, this.strength, this.body]) release_keys(field);
    this.place = section(
      "Change while it runs",
      "live-settings",
      this.views,
      row("step", this.step),
      row("pace", this.pace),
      row("body", this.body),
      row(this.young_label, this.young, factor("÷ 10", 0.1), factor("× 10", 10)),
      row("damping of mass, stiffness", this.mass, this.stiffness),
      row("gravity, m/s²", element("span", { class: "triple" }, ...this.gravity)),
      row("strength of the hand", this.strength),
    );
  }

  start(hello: Hello): void {
    this.integrators = hello.integrators ?? [];
    this.views.replaceChildren();
    this.show(hello.settings);
  }

  show(settings: LiveSettings): void {
    this.settings = settings;
    const views = settings.views ?? [];
    if (this.views.childElementCount !== views.length) this.make_views(views.length);
    views.forEach((view, i) => {
      const [select, dial, words] = this.view_fields[i];
      if (![...select.options].some((option) => option.value === view.name))
        select.append(element("option", { value: view.name }, view.name));
      set_value(select, view.name);
      dial.disabled = view.dial === null;
      dial.hidden = words.hidden = view.dial === null;
      if (view.dial !== null) set_value(dial, String(view.dial));
      words.textContent = view.dial === null ? "" : `dial ${short(view.dial, 3)}`;
    });
    if (settings.step !== undefined) {
      const known = [...this.step.options].find((o) => Math.abs(Number(o.value) / settings.step! - 1) < 1e-6);
      const option =
        known ?? element("option", { value: settings.step }, `${with_unit(settings.step, "s")}`);
      if (!known) this.step.append(option);
      set_value(this.step, option.value);
    }
    set_value(this.pace, String(settings.pace));
    set_value(this.strength, String(Math.log10(settings.strength)));
    const names = (settings.bodies ?? []).map((body) => body.name);
    if ([...this.body.options].slice(1).map((option) => option.value).join("\n") !== names.join("\n")) {
      this.body.replaceChildren(
        element("option", { value: "" }, "all bodies"),
        ...names.map((name) => element("option", { value: name }, name)),
      );
    }
    (settings.gravity ?? []).forEach((value, i) => set_value(this.gravity[i], short(value, 5)));
    this.show_body();
  }

  private view_fields: [HTMLSelectElement, HTMLInputElement, HTMLElement][] = [];

  private make_views(count: number): void {
    this.view_fields = Array.from({ length: count }, (_unused, view) => {
      const select = element(
        "select",
        { "aria-label": `Integrator of view ${view + 1}` },
        ...[...this.integrators, { name: "auto", summary: "chooses by the scene" }].map(({ name, summary }) =>
          element("option", { value: name, title: summary }, name),
        ),
      );
      select.addEventListener("change", () =>
        this.connection.send({ do: "set_integrator", view, text: select.value }),
      );
      const dial = element("input", {
        type: "range",
        min: 0.34,
        max: 1,
        step: 0.01,
        "aria-label": `Damping dial of view ${view + 1}`,
        title: "The damping dial: 1 keeps the energy",
      });
      dial.addEventListener("change", () =>
        this.connection.send({ do: "set_dial", view, value: Number(dial.value) }),
      );
      release_keys(select);
      release_keys(dial);
      return [select, dial, element("span", { class: "note" })];
    });
    this.views.replaceChildren(
      ...this.view_fields.map(([select, dial, words], i) =>
        element(
          "div",
          { class: "live-setting" },
          element("span", {}, `view ${i + 1}`),
          element("span", {}, select, dial, words),
        ),
      ),
    );
  }

  // The chosen body, or all of them.
  private chosen(): NonNullable<LiveSettings["bodies"]> {
    const bodies = this.settings?.bodies ?? [],
      one = bodies.filter((body) => body.name === this.body.value);
    return one.length ? one : bodies;
  }

  // A value that all chosen bodies have; null: they differ.
  private common<T>(value_of: (body: NonNullable<LiveSettings["bodies"]>[number]) => T): T | null {
    const values = this.chosen().map(value_of);
    return values.length && values.every((value) => value === values[0]) ? values[0] : null;
  }

  private show_body(): void {
    if (!this.chosen().length) return;
    const key = this.common((body) => body.key),
      unit = this.common((body) => body.unit),
      stiffness = key === null ? null : this.common((body) => body.stiffness),
      differ = "they differ";
    this.young_label.textContent = `${key === "young" ? "Young's modulus" : key || "stiffness"}, ${unit || "–"}`;
    set_value(this.young, stiffness ? String(Number(stiffness.toPrecision(6))) : "");
    this.young.disabled = !stiffness;
    this.young.placeholder = stiffness === null ? differ : "";
    [this.mass, this.stiffness].forEach((field, i) => {
      const damping = this.common((body) => body.damping[i]);
      set_value(field, damping === null ? "" : short(damping, 4));
      field.placeholder = damping === null ? differ : "";
    });
  }
}

export class LogPanel {
  readonly place: HTMLElement;
  private lines = element("ol", { class: "live-log", "aria-live": "polite", tabindex: 0 });

  constructor() {
    this.place = section("Log", "live-log", this.lines);
  }

  add(time: number, text: string, tone = "info"): void {
    this.lines.prepend(
      element("li", { class: tone }, element("span", { class: "note" }, `${short(time, 4)} s`), ` ${text}`),
    );
    while (this.lines.childElementCount > 200) this.lines.lastElementChild!.remove();
  }

  clear(): void {
    this.lines.replaceChildren();
  }
}
