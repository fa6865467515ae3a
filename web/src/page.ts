// The page: puts the parts in their places and connects them through the clock.
import type { Look } from "./body";
import { Clock } from "./clock";
import {
  comparison_remarks,
  comparison_table,
  energies_panel,
  errors_panel,
  is_stable,
  losses_panel,
  reference_panel,
  RunColors,
  runs_table,
  work_precision_panel,
  work_table,
} from "./compare_panels";
import { column, up_of, type MotionHeader, type PageData, type Run, type SceneObject } from "./data";
import { element } from "./dom";
import { field_scales } from "./fields";
import { largest_force } from "./force_arrows";
import { Header } from "./header";
import { Help } from "./help";
import { listen_to_keys } from "./keys";
import { follow } from "./live";
import { embedded_source, Motion, served_source } from "./motion";
import {
  cost_panel,
  counts_panel,
  energy_panel,
  ledger_panel,
  probes_panel,
  reactions_panel,
  remarks_panel,
  setting_panel,
} from "./run_panels";
import { Stage, type Cast } from "./stage";
import { toggle_theme } from "./theme";
import { Transport } from "./transport";
import { ViewTools } from "./view_tools";
import { amount } from "./words";

function times_of(run: Run): number[] {
  if (run.motion?.times.length) return run.motion.times;
  return (column(run.energy, "time") ?? []).filter((time): time is number => time !== null);
}

// First and last time of anything that is shown.
function span_of(runs: Run[]): [number, number] {
  const times = runs
    .flatMap((run) => [run.motion?.times ?? [], column(run.energy, "time") ?? []])
    .flatMap((list) => [list[0], list[list.length - 1]])
    .filter((time): time is number => typeof time === "number");
  return times.length ? [Math.min(...times), Math.max(...times)] : [0, 0];
}

function why_no_motion({ run }: Run): string {
  if (run.status === "running") return "No frames yet.";
  if ((run.frames ?? 0) > 0) return "The frames of this run are not in this page; phiflex view shows them.";
  return run.status === "failed" ? "The run failed before it wrote a frame." : "This run wrote no frames.";
}

export class Page {
  readonly clock: Clock;
  stage: Stage | null = null;
  ready = false;
  private several: boolean;
  private colors: RunColors;
  private header: Header;
  private help: Help;
  private transport: Transport;
  private tools: ViewTools | null = null;
  private motions = new Map<number, Motion>(); // by the run's number
  private frame = element("div", { class: "picture" });
  private stage_note = element("p", { class: "note stage-note" });
  private updates: (() => void)[] = [];
  private steps: number[] = []; // times of the run with most frames

  constructor(
    private data: PageData,
    private place: HTMLElement,
  ) {
    this.several = data.kind === "compare" || data.runs.length > 1;
    this.colors = new RunColors(data.runs, data.comparison);
    this.clock = new Clock(...span_of(data.runs));
    this.help = new Help(data.program);
    this.header = new Header(data, () => this.help.toggle());
    this.find_steps();
    this.transport = new Transport(this.clock, () => this.steps);
    this.build();
    this.connect_keys();
  }

  async start(): Promise<void> {
    if (this.data.served && this.data.runs.some(({ run }) => run.status === "running"))
      this.clock.set(this.clock.end);
    await this.make_stage();
    this.clock.tell();
    this.ready = true;
    if (this.data.served) this.follow(this.data.served.poll_seconds);
    else if (this.stage && this.steps.length > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches)
      this.clock.play();
  }

  // What tests may read.
  state(): object {
    const { clock, stage } = this;
    return {
      ready: this.ready && (!stage || (stage.drawn > 0 && stage.frames().every((frame) => frame >= 0))),
      time: clock.time,
      start: clock.start,
      end: clock.end,
      playing: clock.playing,
      speed: clock.speed,
      loop: clock.loop,
      drawn: stage?.drawn ?? 0,
      settled: (stage?.settled ?? true) && ![...this.motions.values()].some((motion) => motion.loading),
      times: this.steps,
      views: stage
        ? stage.frames().map((frame, i) => ({ name: stage.names()[i], frame, time: stage.time }))
        : [],
      arrows: stage?.arrows_drawn() ?? 0,
      loaded: [...this.motions.values()].map((motion) => motion.loaded_frames()),
    };
  }

  private build(): void {
    const { data, clock, colors } = this,
      side = element("div", { class: "side" }),
      below = element("div", { class: "below" });
    const remarks = remarks_panel();
    this.keep(() => remarks.update(data.runs));
    if (remarks.grave()) side.append(remarks.place);
    if (this.several) {
      const { comparison } = data;
      const energies = energies_panel(clock, colors, comparison),
        losses = losses_panel(clock, colors, comparison);
      this.keep(
        () => energies.update(data.runs),
        () => losses.update(data.runs),
      );
      side.append(losses.place, energies.place);
      if (comparison) {
        const of_comparison = comparison_remarks(comparison);
        if (of_comparison) side.prepend(of_comparison);
        if (comparison.errors)
          side.append(
            errors_panel(clock, colors, comparison, "position"),
            errors_panel(clock, colors, comparison, "velocity"),
          );
        side.append(work_precision_panel(colors, comparison));
        below.append(
          comparison_table(colors, comparison),
          work_table(colors, comparison),
          reference_panel(comparison),
        );
      } else {
        const runs = runs_table(colors);
        this.keep(() => runs.update(data.runs));
        below.append(runs.place);
      }
    } else if (data.runs.length) {
      for (const panel of [
        energy_panel(clock),
        ledger_panel(clock),
        probes_panel(clock),
        reactions_panel(clock),
        cost_panel(),
        counts_panel(),
      ]) {
        this.keep(() => panel.update(data.runs[0]));
        side.append(panel.place);
      }
    }
    if (!remarks.grave()) (this.several ? below : side).append(remarks.place);
    if (data.runs.length) {
      const setting = setting_panel();
      this.keep(() => setting.update(data.runs[0].run));
      below.append(setting.place);
    }
    this.place.append(
      this.header.place,
      element("main", {}, element("div", { class: "left" }, this.frame, this.stage_note), side, below),
      this.help.place,
    );
  }

  // Fills a part now, and again when a run has changed.
  private keep(...updates: (() => void)[]): void {
    for (const update of updates) update();
    this.updates.push(...updates);
  }

  private find_steps(): void {
    this.steps = this.data.runs
      .map(times_of)
      .reduce((most, times) => (times.length > most.length ? times : most), [] as number[]);
  }

  private async make_stage(): Promise<void> {
    const { data } = this,
      cast: Cast[] = [];
    try {
      for (const [i, run] of data.runs.entries()) {
        if (!run.motion?.times.length) continue;
        const motion = await Motion.make(run.motion, data.served ? served_source(i) : embedded_source(i));
        this.motions.set(i, motion);
        cast.push({
          name: run.reference && !/reference/.test(run.name) ? `${run.name}, reference` : run.name,
          color: this.several ? this.colors.of(run.name) : "#4f8fb5",
          motion,
          run: () => data.runs[i],
          counts: is_stable(run.name, data.comparison) && run.run.status !== "failed",
        });
      }
      if (cast.length) this.stage = this.make_picture(cast);
    } catch (error) {
      this.say_no_picture(
        `The picture could not be made: ${error instanceof Error ? error.message : error}.`,
      );
      return;
    }
    if (!cast.length) this.say_no_picture(data.runs.length ? why_no_motion(data.runs[0]) : "");
    this.say_note();
  }

  private make_picture(cast: Cast[]): Stage | null {
    const first = this.data.runs[0],
      contacts = (first.run.scene?.contacts ?? []) as SceneObject[];
    const look: Look = {
      color: "plain",
      tops: this.tops(),
      fields: this.field_scales(),
      forces: false,
      top_force: this.top_force(),
      edges: "none",
      shading: "smooth",
      opacity: 1,
    };
    let stage: Stage;
    try {
      stage = new Stage(cast, contacts, up_of(first.run), look);
    } catch {
      this.say_no_picture(
        "This browser offers no WebGL, which the moving picture needs. The plots and tables work without it.",
      );
      return null;
    }
    this.tools = new ViewTools(stage, stage.region_names(), cast.length > 1);
    this.frame.replaceChildren(this.tools.bar, stage.place, this.transport.place);
    const show = (): void => {
      for (const motion of this.motions.values()) motion.want(motion.index_at(this.clock.time));
      stage.show(this.clock.time);
    };
    for (const motion of this.motions.values())
      motion.on_arrival = () => {
        stage.show(this.clock.time);
        this.say_note();
      };
    this.clock.listen(show);
    show();
    return stage;
  }

  // Runs that decide the ends of the colour scales: those that did not blow up, or all.
  private counting(): { run: Run; at: number }[] {
    const all = this.data.runs.map((run, at) => ({ run, at })),
      stable = all.filter(({ run }) => is_stable(run.name, this.data.comparison));
    return stable.length ? stable : all;
  }

  private field_scales(): Look["fields"] {
    return field_scales(this.counting().flatMap(({ run }) => (run.motion ? [run.motion] : [])));
  }

  private top_force(): number {
    const motions = this.counting().flatMap(({ at }) => this.motions.get(at) ?? []);
    return Math.max(0, ...motions.map(largest_force));
  }

  private tops(): Look["tops"] {
    const counting = this.counting();
    const top = (key: keyof MotionHeader["largest"]): number =>
      Math.max(0, ...counting.map(({ run }) => run.motion?.largest[key] ?? 0));
    return { speed: top("speed"), displacement: top("displacement"), strain_energy: top("strain_energy") };
  }

  private say_no_picture(text: string): void {
    this.frame.classList.add("empty");
    this.frame.replaceChildren(
      element("p", { class: "no-picture" }, text),
      ...(this.steps.length > 1 ? [this.transport.place] : []),
    );
  }

  private say_note(): void {
    const notes = this.data.runs.flatMap((run, i) => {
      const motion = this.motions.get(i);
      if (!motion) return [];
      const loaded = motion.loaded_frames(),
        all = motion.times.length;
      const loading =
        loaded < all && !motion.problem && !this.data.served
          ? `Loading: ${amount(loaded)} of ${amount(all)} frames.`
          : "";
      return [run.motion?.left_out ?? "", loading, motion.problem];
    });
    const unseen = this.stage
      ? this.data.runs.filter((_run, i) => !this.motions.has(i)).map((run) => run.name)
      : [];
    if (unseen.length) notes.push(`Without a picture here: ${unseen.join(", ")}.`);
    this.stage_note.textContent = [...new Set(notes)].filter(Boolean).join(" ");
  }

  private follow(poll_seconds: number): void {
    follow(this.data.runs.length, poll_seconds, {
      changed: (i, run) => this.replace(i, run),
      status: (_i, status) => this.header.show_status(status),
      lost: (problem) => this.header.show_lost(problem),
    });
  }

  // A run has gone on. Who looks at its newest frame goes on looking at the newest.
  private async replace(i: number, run: Run): Promise<void> {
    const { data, clock } = this,
      following = !clock.playing && clock.time >= clock.end;
    const motion = this.motions.get(i),
      frames = run.motion?.times.length ?? 0;
    if (motion && (frames < motion.times.length || run.motion?.vertices !== motion.header.vertices)) {
      location.reload(); // the run was begun anew
      return;
    }
    data.runs[i] = run;
    if (motion && run.motion) motion.update(run.motion);
    else if (frames) await this.make_stage();
    if (this.stage) {
      Object.assign(this.stage.look.tops, this.tops());
      Object.assign(this.stage.look, { fields: this.field_scales(), top_force: this.top_force() });
      this.stage.update();
      this.tools?.update();
    }
    this.find_steps();
    for (const update of this.updates) update();
    this.header.update();
    this.say_note();
    clock.extend(...span_of(data.runs));
    if (following) clock.set(clock.end);
  }

  private connect_keys(): void {
    const { clock, transport } = this,
      turn = Math.PI / 18;
    const stage = (act: (stage: Stage) => void) => () => {
      if (this.stage) act(this.stage);
    };
    listen_to_keys(
      {
        " ": () => clock.toggle(),
        ArrowLeft: () => transport.step(-1),
        ArrowRight: () => transport.step(1),
        "Shift+ArrowLeft": () => transport.step(-10),
        "Shift+ArrowRight": () => transport.step(10),
        Home: () => transport.jump(clock.start),
        End: () => transport.jump(clock.end),
        "+": () => clock.change_speed(1),
        "=": () => clock.change_speed(1),
        "-": () => clock.change_speed(-1),
        l: () => clock.toggle_loop(),
        c: () => this.tools?.next_color(),
        v: () => this.tools?.toggle_forces(),
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
