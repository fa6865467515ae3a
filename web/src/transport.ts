// Play, pause, step, scrub, speed, loop: the clock's handles.
import { speeds, type Clock } from "./clock";
import { index_at } from "./data";
import { element, icon, icon_button } from "./dom";
import { amount } from "./words";

export class Transport {
  readonly place: HTMLElement;
  private slider = element("input", {
    type: "range",
    min: 0,
    max: 1,
    step: "any",
    value: 0,
    "aria-label": "Time",
  });
  private now = element("output", { class: "now", "aria-live": "off" });
  private play_button: HTMLButtonElement;
  private loop_button: HTMLButtonElement;
  private speed = element(
    "select",
    { "aria-label": "Speed", title: "Speed (+ and −)" },
    ...speeds.map((speed) => element("option", { value: speed }, speed === 1 ? "real time" : `${speed} ×`)),
  );

  constructor(
    private clock: Clock,
    private times: () => readonly number[],
  ) {
    this.play_button = icon_button("play", "Play", "space", () => clock.toggle());
    this.play_button.classList.add("main");
    this.loop_button = icon_button("loop", "Loop", "L", () => clock.toggle_loop());
    this.place = element(
      "div",
      { class: "transport", role: "group", "aria-label": "Time" },
      icon_button("first", "First frame", "home", () => this.jump(clock.start)),
      icon_button("back", "One frame back", "left arrow", () => this.step(-1)),
      this.play_button,
      icon_button("forward", "One frame forward", "right arrow", () => this.step(1)),
      icon_button("last", "Last frame", "end", () => this.jump(clock.end)),
      this.slider,
      this.now,
      this.speed,
      this.loop_button,
    );
    this.slider.addEventListener("input", () => {
      clock.pause();
      clock.set(Number(this.slider.value));
    });
    this.speed.addEventListener("change", () => clock.set_speed(Number(this.speed.value)));
    clock.listen(() => this.update());
    this.update();
  }

  jump(time: number): void {
    this.clock.pause();
    this.clock.set(time);
  }

  // By whole frames.
  step(by: number): void {
    const times = this.times();
    if (!times.length) return;
    const i = index_at(times, this.clock.time + 1e-9 * (this.clock.end - this.clock.start));
    this.jump(times[Math.min(times.length - 1, Math.max(0, i + by))]);
  }

  private update(): void {
    const { clock, slider } = this,
      times = this.times(),
      duration = clock.end - clock.start;
    slider.min = String(clock.start);
    slider.max = String(clock.end);
    slider.value = String(clock.time);
    const time = `${clock.time.toFixed(duration < 0.1 ? 5 : 3)} s`;
    const frame = index_at(times, clock.time + 1e-9 * duration);
    const frames = times.length > 1 ? `frame ${amount(frame)} of ${amount(times.length - 1)}` : "";
    this.now.replaceChildren(element("b", {}, time), element("span", {}, frames));
    slider.setAttribute("aria-valuetext", frames ? `${time}, ${frames}` : time);
    slider.style.setProperty(
      "--part",
      `${duration > 0 ? (100 * (clock.time - clock.start)) / duration : 0}%`,
    );
    const playing = this.play_button.dataset.playing === "true";
    if (playing !== clock.playing || !this.play_button.dataset.playing) {
      this.play_button.dataset.playing = String(clock.playing);
      this.play_button.replaceChildren(icon(clock.playing ? "pause" : "play"));
      this.play_button.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
      this.play_button.title = `${clock.playing ? "Pause" : "Play"} (space)`;
    }
    this.loop_button.setAttribute("aria-pressed", String(clock.loop));
    this.speed.value = String(clock.speed);
  }
}
