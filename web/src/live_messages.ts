// What a live page and its program say to each other (docs/live.md), and the connection between them.
import { decode_chunk, type Chunk } from "./chunk";
import { inflate } from "./bytes";
import type { MotionHeader, SceneObject } from "./data";

export interface Books {
  kinetic: number;
  elastic: number;
  gravity: number;
  contact: number;
  total: number;
  first: number;
  external: number;
  changes: number;
  contact_work: number;
  dissipated: number;
  friction: number;
  loss: number;
  ms: number; // of a step
}

type Point = [number, number, number];

export interface FrameHead {
  number: number;
  t: number;
  steps: number;
  paused: boolean;
  step_ms: number;
  share?: number; // of real time
  views: Books[];
  grips: { client: number; number: number; lines: [Point, Point][] }[];
  ball?: Point;
  stamps: Record<string, number>; // by client: of the latest command that this frame shows
}

export interface LiveFrame {
  head: FrameHead;
  chunks: Chunk[];
  bytes: number;
}

export interface LiveSettings {
  paused: boolean;
  pace: number;
  strength: number;
  recording: string;
  step?: number;
  gravity?: Point;
  ball?: number;
  views?: { name: string; method: string; dial: number | null }[];
  bodies?: { name: string; stiffness: number; key: string; unit: string; damping: [number, number] }[];
  pins?: number[];
}

export interface Hello {
  kind: "hello";
  title: string;
  client?: number;
  settings: LiveSettings;
  motion: MotionHeader | null;
  scene?: SceneObject;
  elements?: number;
  integrators?: { name: string; summary: string }[];
  log?: { time: number; text: string }[];
}

export type LiveText =
  | Hello
  | ({ kind: "settings" } & LiveSettings)
  | { kind: "log"; time: number; tone: "info" | "warning" | "bad"; text: string }
  | { kind: "failed"; view: number; text: string; time: number }
  | { kind: "recorded"; view: string; folder: string; steps: number; hash: string }
  | { kind: "saved"; folder: string }
  | { kind: "refused"; text: string; count: number }
  | { kind: "reset" }
  | { kind: "ended"; text: string };

const magic = 0x314c4650; // "PFL1"

export async function decode_frame(buffer: ArrayBuffer): Promise<LiveFrame> {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== magic) throw new Error("not a frame");
  let at = 8 + view.getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, at - 8))) as FrameHead,
    packed: Uint8Array<ArrayBuffer>[] = [];
  while (at < buffer.byteLength) {
    const size = view.getUint32(at, true);
    packed.push(new Uint8Array(buffer, at + 4, size));
    at += 4 + size;
  }
  const chunks = await Promise.all(packed.map(async (bytes) => decode_chunk(await inflate(bytes))));
  return { head, chunks, bytes: buffer.byteLength };
}

export class LiveConnection {
  on_text: (message: LiveText) => void = () => {};
  on_frame: (frame: LiveFrame) => void = () => {};
  on_lost: () => void = () => {};
  on_found: () => void = () => {};
  private socket: WebSocket | null = null;
  private decoding: Promise<void> = Promise.resolve();

  constructor() {
    this.connect();
  }

  send(command: { do: string } & Record<string, unknown>): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  get open(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  private connect(): void {
    const socket = new WebSocket(new URL("session", location.href.replace(/^http/, "ws")));
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.on_found();
    socket.onmessage = ({ data }) => {
      // One after the other: a text that follows a frame is heard after it.
      this.decoding = this.decoding.then(async () => {
        if (typeof data === "string") this.on_text(JSON.parse(data) as LiveText);
        else {
          const frame = await decode_frame(data as ArrayBuffer);
          this.on_frame(frame);
          this.send({ do: "ack", number: frame.head.number });
        }
      });
    };
    socket.onclose = () => {
      this.on_lost();
      setTimeout(() => this.connect(), 1000);
    };
  }
}
