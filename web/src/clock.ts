// One clock for every view: the simulated time that is shown, and how fast it runs.

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];

export class Clock {
  time: number;
  playing = false;
  loop = true;
  speed = 1; // simulated seconds per second
  private listeners: (() => void)[] = [];
  private last_tick = 0;

  constructor(
    public start: number,
    public end: number,
  ) {
    this.time = start;
    this.speed = comfortable_speed(end - start);
  }

  listen(listener: () => void): void {
    this.listeners.push(listener);
  }
  tell(): void {
    for (const listener of this.listeners) listener();
  }

  set(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.tell();
  }

  extend(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.set(this.time);
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.tell();
  }

  play(): void {
    if (this.playing || !(this.end > this.start)) return;
    this.playing = true;
    if (this.time >= this.end) this.time = this.start;
    this.last_tick = performance.now();
    requestAnimationFrame((now) => this.tick(now));
    this.tell();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  toggle_loop(): void {
    this.loop = !this.loop;
    this.tell();
  }

  set_speed(speed: number): void {
    this.speed = speed;
    this.tell();
  }

  // To the next faster (+1) or slower (-1) of the offered speeds.
  change_speed(by: number): void {
    const here = speeds.reduce(
      (best, speed, i) => (Math.abs(speed - this.speed) < Math.abs(speeds[best] - this.speed) ? i : best),
      0,
    );
    this.set_speed(speeds[Math.min(speeds.length - 1, Math.max(0, here + by))]);
  }

  private tick(now: number): void {
    if (!this.playing) return;
    // A page that slept in the background goes on where it was.
    const passed = Math.min(0.25, Math.max(0, (now - this.last_tick) / 1000));
    this.last_tick = now;
    let time = this.time + passed * this.speed;
    if (time >= this.end) {
      if (this.loop && this.time >= this.end)
        time = this.start; // the last frame has been seen
      else time = this.end;
      if (!this.loop) this.playing = false;
    }
    this.time = time;
    this.tell();
    if (this.playing) requestAnimationFrame((next) => this.tick(next));
  }
}

// Real time where that lasts three seconds to a minute, else what comes near.
function comfortable_speed(duration: number): number {
  if (duration < 3)
    return Math.max(speeds[0], ...speeds.filter((speed) => speed <= 1 && duration / speed >= 3));
  return speeds.find((speed) => speed >= 1 && duration / speed <= 60) ?? speeds[speeds.length - 1];
}
