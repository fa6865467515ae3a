// The live page: one scene with several integrators under one hand, in the views, colours and plots of the report. Without a scene
// it shows the gallery.
import { distinct_colors } from "./colors";
import { up_of, type PageData, type Run, type SceneObject } from "./data";
import { element, icon_button } from "./dom";
import { Help } from "./help";
import { listen_to_keys } from "./keys";
import { Gallery, plain_look } from "./live_gallery";
import { LiveHand, tools, type Tool } from "./live_hand";
import { LiveConnection, type FrameHead, type Hello, type LiveFrame, type LiveText } from "./live_messages";
import { LiveMotion } from "./live_motion";
import { LedgerPanel, LogPanel, SettingsPanel } from "./live_panels";
import { topology_of } from "./motion";
import { Stage } from "./stage";
import { toggle_theme } from "./theme";
import { ViewTools } from "./view_tools";
import { amount, percent, with_unit } from "./words";

const kept_latencies = 2000;

export class LivePage {
  private connection = new LiveConnection();
  private title = element("h1", {});
  private badge = element("span", { class: "badge", role: "status" });
  private problem = element("p", { class: "reason failed", hidden: true, role: "alert" });
  private figures = element("dl", { class: "figures" });
  private main = element("main", {});
  private frame_box = element("div", { class: "picture" });
  private help: Help;
  private log = new LogPanel();
  private settings_panel: SettingsPanel;
  private ledger: LedgerPanel | null = null;
  private gallery: Gallery | null = null;
  private stage: Stage | null = null;
  private tools: ViewTools | null = null;
  private hand: LiveHand | null = null;
  private motions: LiveMotion[] = [];
  private buttons: Record<string, HTMLButtonElement> = {};
  private hello: Hello | null = null;
  private head: FrameHead | null = null;
  private client = 0;
  private refused = 0;
  private recorded: { view: string; folder: string; steps: number; hash: string }[] = [];
  private frames = 0;
  private bytes = 0;
  private arrivals: number[] = [];
  private latencies: number[] = [];
  private figures_at = -Infinity; // ms
  private stamp = 0; // of the newest frame, until it is drawn
  private measured = 0; // the latest stamp that counted
  private tops_seen = { speed: 0, displacement: 0, strain_energy: 0 };
  private opening = 0;

  constructor(
    private data: PageData,
    place: HTMLElement,
  ) {
    this.help = new Help(
      data.program,
      [
        [
          "Live",
          [
            [["Space"], "pause or go on"],
            [["."], "one step, while paused"],
            [["R"], "back to the beginning"],
            [["G"], "gravity on or off"],
            [["P"], "pull, pin or push with a ball"],
          ],
        ],
      ],
      "With the pointer: a press on a body takes hold of it until it is released, with a finger too; a press beside it " +
        "turns the view, the right button or two fingers shift it, the wheel zooms.",
    );
    this.settings_panel = new SettingsPanel(this.connection);
    this.connection.on_text = (message) => this.hear(message);
    this.connection.on_frame = (frame) => this.show(frame);
    this.connection.on_lost = () => {
      this.badge.textContent = "not connected";
      this.badge.className = "badge failed";
    };
    place.append(
      element(
        "header",
        { class: "head" },
        element(
          "div",
          { class: "heading" },
          this.title,
          this.badge,
          element("span", { class: "spring" }),
          icon_button("theme", "Dark or light", "T", toggle_theme),
          icon_button("help", "Keys and help", "?", () => this.help.toggle()),
        ),
        this.problem,
        this.figures,
      ),
      this.main,
      this.help.place,
    );
    this.connect_keys();
  }

  start(): void {}

  // What tests and measurements may read.
  state(): object {
    const { stage, head } = this;
    return {
      ready: this.gallery ? true : !!stage && stage.drawn > 0 && this.frames > 0,
      connected: this.connection.open,
      gallery: this.gallery ? { scenes: this.data.gallery?.length ?? 0, pictures: this.gallery.pictures } : null,
      title: this.hello?.title ?? "",
      client: this.client,
      t: head?.t ?? 0,
      steps: head?.steps ?? 0,
      paused: head?.paused ?? false,
      share: head?.share ?? null,
      step_ms: head?.step_ms ?? 0,
      books: head?.views ?? [],
      grips: head?.grips ?? [],
      ball: head?.ball ?? null,
      settings: this.hello?.settings ?? null,
      tool: this.hand?.tool ?? null,
      holding: this.hand?.holding ?? 0,
      refused: this.refused,
      recorded: this.recorded,
      frames: this.frames,
      bytes: this.bytes,
      latencies: this.latencies,
      drawn: stage?.drawn ?? 0,
      settled: true,
      far: stage ? this.motions.map((_motion, view) => this.far_point(view)) : [],
    };
  }

  // A frame of the drawing: the vertex with the largest x at rest, in the window and in the scene.
  private far_point(view: number): object {
    const { rest } = this.motions[view].topology;
    let far = 0;
    for (let v = 0; v < rest.length / 3; ++v) if (rest[3 * v] > rest[3 * far]) far = v;
    const at = this.stage!.bodies[view].positions.subarray(3 * far, 3 * far + 3),
      [x, y, z] = at;
    const seen = this.stage!.place_of(view, this.point(x, y, z));
    return { vertex: far, at: [x, y, z], x: seen.x, y: seen.y };
  }
  private point(x: number, y: number, z: number): Parameters<Stage["place_of"]>[1] {
    return this.stage!.sight.set(x, y, z);
  }

  private hear(message: LiveText): void {
    switch (message.kind) {
      case "hello":
        void this.open(message);
        break;
      case "settings":
        if (this.hello) this.hello.settings = message;
        this.show_settings();
        break;
      case "log":
        this.log.add(message.time, message.text, message.tone);
        // The gallery has no log: there it says why a scene was not opened.
        if (this.gallery && message.tone !== "info") {
          this.badge.textContent = "gallery";
          this.say_problem(message.text);
        }
        break;
      case "failed":
        this.say_problem(
          `A step failed: ${message.text}. Everything went back to ${with_unit(message.time, "s")}, and the hand let go.`,
        );
        break;
      case "recorded":
        this.recorded.push(message);
        break;
      case "refused":
        this.refused = message.count;
        this.log.add(this.head?.t ?? 0, `the program refused a message: ${message.text}`, "warning");
        break;
      case "reset":
        this.ledger?.clear();
        this.problem.hidden = true;
        break;
      case "ended":
        this.say_problem(message.text);
        break;
      case "saved":
        break;
    }
  }

  private say_problem(text: string): void {
    this.problem.textContent = text;
    this.problem.hidden = false;
    setTimeout(() => {
      if (this.problem.textContent === text) this.problem.hidden = true;
    }, 15000);
  }

  private async open(hello: Hello): Promise<void> {
    const opening = ++this.opening;
    const topology = hello.motion ? await topology_of(hello.motion) : null;
    if (opening !== this.opening) return; // a newer one has come
    if (hello.client) this.client = hello.client;
    this.hello = hello;
    this.gallery?.close();
    this.gallery = null;
    this.stage?.dispose();
    this.stage = null;
    this.head = null;
    this.frames = 0;
    this.latencies = [];
    this.problem.hidden = true;
    this.log.clear();
    document.title = hello.title ? `${hello.title}, live` : "Phiflex live";
    this.title.textContent = hello.title || "Choose a scene";
    if (hello.motion && topology) this.open_scene(hello, topology);
    else this.open_gallery();
  }

  private open_gallery(): void {
    this.badge.textContent = "gallery";
    this.badge.className = "badge";
    this.figures.replaceChildren();
    this.gallery = new Gallery(this.data.gallery ?? [], (number) => {
      this.badge.textContent = "opening …";
      this.connection.send({ do: "open", number });
    });
    this.main.className = "";
    this.main.replaceChildren(this.gallery.place);
    this.main.classList.add("gallery-page");
    void this.gallery.draw();
  }

  private open_scene(hello: Hello, topology: Awaited<ReturnType<typeof topology_of>>): void {
    const views = hello.settings.views ?? [],
      motion = hello.motion!,
      colors = views.map((_view, i) => distinct_colors[i % distinct_colors.length]);
    this.main.classList.remove("gallery-page");
    // Room around the start: what is pulled goes farther.
    const size = Math.max(...[0, 1, 2].map((k) => motion.high[k] - motion.low[k]));
    const room = { low: motion.low.map((x) => x - 0.2 * size), high: motion.high.map((x) => x + 0.2 * size) };
    this.motions = views.map(() => new LiveMotion({ ...motion, ...room }, topology));
    const run = (): Run => ({
      name: "",
      folder: "",
      reference: false,
      run: { scene: hello.scene },
      energy: null,
      probes: null,
      motion: null,
      remarks: [],
    });
    this.tops_seen = { speed: 0.1, displacement: 0.1 * size, strain_energy: 0 };
    this.ledger = new LedgerPanel(() => (this.hello?.settings.views ?? []).map((view) => view.name), colors);
    try {
      this.stage = new Stage(
        this.motions.map((of, i) => ({ name: views[i].name, color: colors[i], motion: of, run, counts: true })),
        ((hello.scene?.contacts ?? []) as SceneObject[]).filter(
          (contact) => !contact.motion || typeof contact.motion === "object",
        ),
        up_of({ scene: hello.scene }),
        { ...plain_look(), tops: this.tops_seen },
      );
    } catch {
      this.main.replaceChildren(
        element("p", { class: "no-picture" }, "This browser offers no WebGL, which the moving picture needs."),
      );
      return;
    }
    this.stage.on_paint = () => this.note_latency();
    this.tools = new ViewTools(this.stage, this.stage.region_names(), this.motions.length > 1);
    this.tools.bar.addEventListener("change", () => this.ask_for_energies());
    this.hand = new LiveHand(this.stage, this.motions, this.connection, motion);
    this.frame_box.replaceChildren(this.tools.bar, this.stage.place, this.make_controls());
    this.main.replaceChildren(
      element("div", { class: "left" }, this.frame_box),
      element("div", { class: "side" }, this.ledger.place, this.settings_panel.place, this.log.place),
    );
    for (const { time, text } of hello.log ?? []) this.log.add(time, text);
    this.settings_panel.start(hello);
    this.show_settings();
  }

  private make_controls(): HTMLElement {
    const button = (name: string, text: string, title: string, press: () => void): HTMLButtonElement => {
      const made = element("button", { type: "button", title }, text);
      made.addEventListener("click", () => {
        press();
        made.blur(); // keys go to the page
      });
      return (this.buttons[name] = made);
    };
    const tool = (name: Tool, text: string, title: string): HTMLButtonElement =>
      button(name, text, title, () => this.set_tool(name));
    return element(
      "div",
      { class: "transport live-controls", role: "toolbar", "aria-label": "Live" },
      button("pause", "Pause", "Pause or go on (Space)", () => this.toggle_pause()),
      button("step", "Step", "One step, while paused (.)", () => this.connection.send({ do: "step" })),
      button("reset", "Reset", "Back to the beginning (R)", () => this.connection.send({ do: "reset" })),
      button("gravity", "Gravity", "Gravity on or off (G)", () => this.connection.send({ do: "gravity" })),
      element("span", { class: "gap" }),
      tool("pull", "Pull", "A press takes hold of a body (P)"),
      tool("pin", "Pin", "A press pins a vertex, or frees it (P)"),
      tool("ball", "Ball", "A ball follows the pointer and pushes (P)"),
      element("span", { class: "gap" }),
      button("record", "Record", "Write a run folder that `phiflex run` can repeat", () =>
        this.connection.send({ do: "record", on: !this.hello?.settings.recording }),
      ),
      button("save", "Save", "Write the scene with all changes", () => this.connection.send({ do: "save" })),
      ...(this.data.gallery?.length
        ? [button("gallery", "Gallery", "Choose another scene", () => this.connection.send({ do: "gallery" }))]
        : []),
    );
  }

  private set_tool(tool: Tool): void {
    this.hand?.set_tool(tool);
    this.show_settings();
  }

  private toggle_pause(): void {
    this.connection.send({ do: "pause", on: !this.hello?.settings.paused });
  }

  private ask_for_energies(): void {
    if (this.stage) this.connection.send({ do: "look", on: this.stage.look.color === "strain energy" });
  }

  private show_settings(): void {
    const settings = this.hello?.settings;
    if (!settings || !this.stage) return;
    this.stage.rename((settings.views ?? []).map((view) => view.name));
    this.settings_panel.show(settings);
    this.hand?.show_settings(settings);
    const press = (name: string, on: boolean): void => this.buttons[name]?.setAttribute("aria-pressed", String(on));
    press("pause", settings.paused);
    press("gravity", (settings.gravity ?? []).some((g) => g !== 0));
    press("record", settings.recording !== "");
    for (const name of tools) press(name, this.hand?.tool === name);
    if (this.buttons.pause) this.buttons.pause.textContent = settings.paused ? "Go on" : "Pause";
    if (this.buttons.record) this.buttons.record.textContent = settings.recording ? "Stop recording" : "Record";
    this.show_badge();
  }

  private show_badge(): void {
    const settings = this.hello?.settings;
    if (!this.connection.open || !settings || this.gallery) return;
    const share = this.head?.share,
      late = share !== undefined && share <= 0.97 * settings.pace;
    this.badge.className = `badge ${settings.paused || late ? "interrupted" : "done"}`;
    this.badge.textContent = settings.paused
      ? "paused"
      : share === undefined
        ? "runs"
        : late
          ? `${percent(share)} of real time`
          : settings.pace === 1
            ? "real time"
            : `${percent(settings.pace)} of real time`;
  }

  private show(frame: LiveFrame): void {
    const { stage } = this;
    if (!stage || frame.chunks.length !== this.motions.length) return;
    if (frame.chunks[0].vertices !== this.motions[0].header.vertices) return; // of another scene
    this.head = frame.head;
    ++this.frames;
    this.bytes = frame.bytes;
    const now = performance.now();
    this.arrivals.push(now);
    while (this.arrivals[0] < now - 1000) this.arrivals.shift();
    frame.chunks.forEach((chunk, i) => this.motions[i].take(chunk, frame.head.number));
    this.widen_scales(frame);
    const stamp = frame.head.stamps[String(this.client)] ?? 0;
    if (stamp > this.measured) this.stamp = stamp;
    stage.show(frame.head.t);
    this.hand?.show(frame);
    this.ledger?.take(frame.head);
    // Words five times a second: faster nobody reads them. Of a still picture they are those of that picture.
    if (frame.head.paused || now > this.figures_at + 200) {
      this.figures_at = now;
      this.show_figures(frame);
    }
  }

  // The ends of the colour scales follow what was seen.
  private widen_scales(frame: LiveFrame): void {
    const { tops_seen } = this,
      before = { ...tops_seen };
    for (const chunk of frame.chunks) {
      tops_seen.speed = Math.max(tops_seen.speed, chunk.speed_max);
      tops_seen.strain_energy = Math.max(tops_seen.strain_energy, chunk.energy_max);
    }
    if (before.speed !== tops_seen.speed || before.strain_energy !== tops_seen.strain_energy) this.tools?.update();
  }

  // From the pointer's event to the picture that shows its effect.
  private note_latency(): void {
    if (!this.stamp) return;
    this.latencies.push(performance.now() - this.stamp);
    if (this.latencies.length > kept_latencies) this.latencies.shift();
    this.measured = this.stamp;
    this.stamp = 0;
  }

  private show_figures(frame: LiveFrame): void {
    const { head, bytes } = frame,
      step = this.hello?.settings.step ?? 0;
    const figures: [string, string][] = [
      ["time", `${head.t.toFixed(2)} s`],
      ["steps", amount(head.steps)],
      ["elements", amount(this.hello?.elements)],
      ["step", with_unit(step, "s")],
      ...head.views.map((view, i): [string, string] => [
        `${this.hello?.settings.views?.[i]?.name ?? i} per step`,
        with_unit(view.ms / 1e3, "s"),
      ]),
      ["could run at", head.step_ms > 0 ? `${percent((1e3 * step) / head.step_ms)} of real time` : ""],
      ["frames", `${this.arrivals.length} /s, ${with_unit(bytes, "B")}`],
    ];
    this.figures.replaceChildren(
      ...figures
        .filter(([, value]) => value)
        .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
    );
    this.show_badge();
  }

  private connect_keys(): void {
    const turn = Math.PI / 18,
      stage = (act: (stage: Stage) => void) => () => {
        if (this.stage) act(this.stage);
      };
    listen_to_keys(
      {
        " ": () => this.toggle_pause(),
        ".": () => this.connection.send({ do: "step" }),
        r: () => this.connection.send({ do: "reset" }),
        g: () => this.connection.send({ do: "gravity" }),
        p: () => this.set_tool(tools[(tools.indexOf(this.hand?.tool ?? "pull") + 1) % tools.length]),
        c: () => {
          this.tools?.next_color();
          this.ask_for_energies();
        },
        w: () => this.tools?.next_edges(),
        s: () => this.tools?.toggle_shading(),
        o: () => this.tools?.toggle_layout(),
        f: stage((s) => s.fit()),
        1: stage((s) => s.look_from("corner")),
        2: stage((s) => s.look_from("front")),
        3: stage((s) => s.look_from("side")),
        4: stage((s) => s.look_from("top")),
        a: stage((s) => s.move_camera(-turn, 0, 1)),
        d: stage((s) => s.move_camera(turn, 0, 1)),
        q: stage((s) => s.move_camera(0, turn, 1)),
        e: stage((s) => s.move_camera(0, -turn, 1)),
        z: stage((s) => s.move_camera(0, 0, 1.15)),
        x: stage((s) => s.move_camera(0, 0, 1 / 1.15)),
        t: toggle_theme,
        "?": () => this.help.toggle(),
      },
      () => this.help.open,
    );
  }
}
