// The frames of one run. They arrive chunk by chunk, first where the clock is; until a frame is there, the nearest one
// that is stands in for it. They come out of the page itself, or from the program that serves it.
import { from_base64, inflate, unpack } from "./bytes";
import { bytes_of, decode_chunk, type Chunk } from "./chunk";
import { index_at, type MotionHeader } from "./data";

export interface Topology {
  triangles: Int32Array;
  triangle_region: Uint16Array;
  triangle_body: Uint16Array;
  lines: Int32Array;
  line_body: Uint16Array;
  rest: Float32Array;
}

export interface Frame {
  index: number; // in the run's list of shown frames
  chunk: Chunk;
  within: number; // in the chunk
}

// What a picture needs of a motion: recorded (Motion), or as it comes (live_motion.ts).
export interface ShownMotion {
  header: MotionHeader;
  topology: Topology;
  index_at(time: number): number;
  frame(index: number): Frame | null;
}

interface Range {
  first: number;
  count: number;
}

// Where chunks come from: the ranges there are, and the compressed bytes of one.
export interface ChunkSource {
  ranges(header: MotionHeader): Range[];
  bytes(range: Range, at: number): Promise<Uint8Array<ArrayBuffer>>;
}

export function embedded_source(run: number): ChunkSource {
  return {
    ranges: (header) => header.chunks,
    bytes: async (_range, at) => {
      const holder = document.getElementById(`phiflex-chunk-${run}-${at}`);
      if (!holder) throw new Error(`the page holds no chunk ${at} of run ${run}`);
      return from_base64(holder.textContent ?? "");
    },
  };
}

const served_chunk_frames = 16;

export function served_source(run: number): ChunkSource {
  return {
    ranges: (header) => {
      const ranges: Range[] = [];
      for (let first = 0; first < header.times.length; first += served_chunk_frames)
        ranges.push({ first, count: Math.min(served_chunk_frames, header.times.length - first) });
      return ranges;
    },
    bytes: async (range) => {
      const answer = await fetch(`runs/${run}/frames/${range.first}-${range.count}`);
      if (!answer.ok) throw new Error(`the program answered ${answer.status}`);
      return new Uint8Array(await answer.arrayBuffer());
    },
  };
}

export async function topology_of(header: MotionHeader): Promise<Topology> {
  return {
    triangles: new Int32Array(await unpack(header.triangles)),
    triangle_region: new Uint16Array(await unpack(header.triangle_region)),
    triangle_body: new Uint16Array(await unpack(header.triangle_body)),
    lines: new Int32Array(await unpack(header.lines)),
    line_body: new Uint16Array(await unpack(header.line_body)),
    rest: new Float32Array(await unpack(header.rest)),
  };
}

// Above this, the chunks farthest from the clock are let go.
const memory_limit = 400e6;

export class Motion {
  problem = "";
  on_arrival: () => void = () => {};
  private ranges: Range[] = [];
  private firsts: number[] = []; // of the ranges
  private chunks = new Map<number, Chunk>(); // by the range's number
  private failed = new Set<number>();
  private focus = 0; // the frame that is wanted
  private held = 0; // bytes
  private busy = false;

  private constructor(
    public header: MotionHeader,
    readonly topology: Topology,
    private source: ChunkSource,
  ) {
    this.find_ranges();
  }

  static async make(header: MotionHeader, source: ChunkSource): Promise<Motion> {
    return new Motion(header, await topology_of(header), source);
  }

  get times(): number[] {
    return this.header.times;
  }

  // A run that goes on has more frames; what is here stays.
  update(header: MotionHeader): void {
    this.header = header;
    this.find_ranges();
    this.failed.clear();
    this.problem = "";
    void this.load();
  }

  // The number of the frame shown at `time`: the last that is not after it.
  index_at(time: number): number {
    const times = this.times,
      i = index_at(times, time);
    // A time that a slider rounded down still means its frame.
    return i + 1 < times.length && times[i + 1] - time < 1e-6 * (times[i + 1] - times[i]) ? i + 1 : i;
  }

  loaded_frames(): number {
    let frames = 0;
    for (const chunk of this.chunks.values()) frames += chunk.frames;
    return frames;
  }

  get loading(): boolean {
    return this.busy;
  }

  want(index: number): void {
    this.focus = index;
    void this.load();
  }

  // Frame `index`, or the nearest one that has arrived.
  frame(index: number): Frame | null {
    let best: Frame | null = null,
      distance = Infinity;
    const exact = this.range_of(index),
      chunk = this.chunks.get(exact);
    if (chunk && index - this.ranges[exact].first < chunk.frames)
      return { index, chunk, within: index - this.ranges[exact].first };
    for (const [number, other] of this.chunks) {
      const first = this.ranges[number].first;
      const within = Math.min(other.frames - 1, Math.max(0, index - first));
      const away = Math.abs(first + within - index);
      if (away < distance) [best, distance] = [{ index: first + within, chunk: other, within }, away];
    }
    return best;
  }

  private find_ranges(): void {
    this.ranges = this.source.ranges(this.header);
    this.firsts = this.ranges.map((range) => range.first);
  }

  private range_of(index: number): number {
    return index_at(this.firsts, index);
  }

  private missing(number: number): boolean {
    const chunk = this.chunks.get(number);
    return !this.failed.has(number) && (!chunk || chunk.frames < this.ranges[number].count);
  }

  // The next chunk to fetch: the wanted one, then those after it, round to those before it while memory lasts.
  private next(): number | null {
    const wanted = this.range_of(this.focus),
      count = this.ranges.length;
    const ahead = this.held < memory_limit ? count : Math.min(count, 2);
    for (let k = 0; k < ahead; ++k) if (this.missing((wanted + k) % count)) return (wanted + k) % count;
    return null;
  }

  private async load(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    for (let number = this.next(); number !== null; number = this.next()) {
      try {
        const range = this.ranges[number];
        const chunk = decode_chunk(await inflate(await this.source.bytes(range, number)));
        if (chunk.vertices !== this.header.vertices)
          throw new Error("a chunk has another number of vertices");
        this.keep(number, chunk);
      } catch (error) {
        this.failed.add(number);
        this.problem = `Some frames could not be read: ${error instanceof Error ? error.message : error}.`;
      }
      this.on_arrival();
    }
    this.busy = false;
  }

  private keep(number: number, chunk: Chunk): void {
    this.held += bytes_of(chunk) - (this.chunks.has(number) ? bytes_of(this.chunks.get(number)!) : 0);
    this.chunks.set(number, chunk);
    const wanted = this.range_of(this.focus),
      count = this.ranges.length;
    const behind = (other: number): number => (other - wanted + count) % count;
    while (this.held > memory_limit && this.chunks.size > 2) {
      const farthest = [...this.chunks.keys()].reduce((a, b) => (behind(a) > behind(b) ? a : b));
      if (farthest === number || farthest === wanted) break;
      this.held -= bytes_of(this.chunks.get(farthest)!);
      this.chunks.delete(farthest);
    }
  }
}
