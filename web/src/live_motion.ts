// The motion of one view as it comes: its newest frame and no other.
import type { Chunk } from "./chunk";
import type { MotionHeader } from "./data";
import type { Frame, ShownMotion, Topology } from "./motion";

export class LiveMotion implements ShownMotion {
  private newest: Frame | null = null;

  constructor(
    public header: MotionHeader,
    readonly topology: Topology,
  ) {}

  take(chunk: Chunk, number: number): void {
    this.newest = { index: number, chunk, within: 0 };
  }

  index_at(): number {
    return this.newest?.index ?? 0;
  }
  frame(): Frame | null {
    return this.newest;
  }
}
