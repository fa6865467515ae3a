// A chunk of frames: positions, speeds and strain energies of all vertices, quantized and coded as differences.
//
//   header:     u32 magic, frames F, vertices n, fields m; f64 low[3], high[3], speed_max, energy_max
//   positions:  x = low + p (high - low) / 65535, p in 0..65535                                              (1)
//               residual r, mod 65536: frame 0: p_i - p_(i-1); frame 1: p - p'; later: p - (2 p' - p'')      (2)
//               written as (r << 1) ^ (r >> 15), per frame all low bytes, then all high bytes                (3)
//   speeds:     v = speed_max (s / 255)^2; frame 0: s_i - s_(i-1), later: s - s', mod 256                    (4)
//   energies:   as speeds, with energy_max
//   m fields:   f64 rest, below, above, zero, then bytes as of speeds; v = rest + above ((s - zero) / (255 - zero))^2
//               where s >= zero, else v = rest - below ((zero - s) / zero)^2                                 (5)
// where ' is the frame before. Numbers stay quantized here; body.ts turns those of the shown frame into floats.

const magic = 0x314d4650;
const header_bytes = 16 + 8 * 8;
const field_header_bytes = 4 * 8;
const most_fields = 1000;

// A number of a field, quantized.
export interface FieldCodes {
  rest: number;
  below: number;
  above: number;
  zero: number; // the code of the value at rest
  codes: Uint8Array; // frame by frame
}

export interface Chunk {
  frames: number;
  vertices: number;
  low: [number, number, number];
  high: [number, number, number];
  speed_max: number; // m/s
  energy_max: number; // J/m^3
  positions: Uint16Array; // frame by frame, within it x of all vertices, then y, then z
  speeds: Uint8Array; // frame by frame
  energies: Uint8Array;
  fields: FieldCodes[];
}

function decode_positions(bytes: Uint8Array, frames: number, codes: number, positions: Uint16Array): void {
  const vertices = codes / 3;
  for (let f = 0; f < frames; ++f) {
    const at = 2 * f * codes,
      here = f * codes,
      before = here - codes,
      twice_before = before - codes;
    for (let i = 0; i < codes; ++i) {
      const code = bytes[at + i] | (bytes[at + codes + i] << 8);
      const residual = (code >>> 1) ^ -(code & 1); // (3)
      let predicted = 0; // (2)
      if (f >= 2) predicted = 2 * positions[before + i] - positions[twice_before + i];
      else if (f === 1) predicted = positions[before + i];
      else if (i % vertices !== 0) predicted = positions[i - 1];
      positions[here + i] = predicted + residual;
    }
  }
}

function decode_fractions(bytes: Uint8Array, frames: number, vertices: number, fractions: Uint8Array): void {
  for (let f = 0; f < frames; ++f)
    for (let i = 0, at = f * vertices; i < vertices; ++i, ++at)
      fractions[at] = bytes[at] + (f > 0 ? fractions[at - vertices] : i > 0 ? fractions[at - 1] : 0); // (4)
}

export function decode_chunk(buffer: ArrayBuffer): Chunk {
  const view = new DataView(buffer);
  if (buffer.byteLength < header_bytes || view.getUint32(0, true) !== magic)
    throw new Error("not a chunk of frames");
  const frames = view.getUint32(4, true),
    vertices = view.getUint32(8, true);
  const fields = view.getUint32(12, true),
    cells = frames * vertices;
  if (
    fields > most_fields ||
    buffer.byteLength !== header_bytes + cells * (8 + fields) + fields * field_header_bytes
  )
    throw new Error("a chunk of frames has the wrong length");
  const numbers = Array.from({ length: 8 }, (_, k) => view.getFloat64(16 + 8 * k, true));
  const chunk: Chunk = {
    frames,
    vertices,
    low: [numbers[0], numbers[1], numbers[2]],
    high: [numbers[3], numbers[4], numbers[5]],
    speed_max: numbers[6],
    energy_max: numbers[7],
    positions: new Uint16Array(3 * frames * vertices),
    speeds: new Uint8Array(frames * vertices),
    energies: new Uint8Array(frames * vertices),
    fields: [],
  };
  const after_positions = header_bytes + 6 * frames * vertices,
    after_speeds = after_positions + frames * vertices;
  decode_positions(
    new Uint8Array(buffer, header_bytes, 6 * frames * vertices),
    frames,
    3 * vertices,
    chunk.positions,
  );
  decode_fractions(
    new Uint8Array(buffer, after_positions, frames * vertices),
    frames,
    vertices,
    chunk.speeds,
  );
  decode_fractions(new Uint8Array(buffer, after_speeds, frames * vertices), frames, vertices, chunk.energies);
  for (let m = 0, at = after_speeds + cells; m < fields; ++m, at += field_header_bytes + cells) {
    const [rest, below, above, zero] = [0, 8, 16, 24].map((offset) => view.getFloat64(at + offset, true));
    const codes = new Uint8Array(cells);
    decode_fractions(new Uint8Array(buffer, at + field_header_bytes, cells), frames, vertices, codes);
    chunk.fields.push({ rest, below, above, zero, codes });
  }
  return chunk;
}

// Positions of frame f (1), interleaved as x, y, z.
export function positions_of(chunk: Chunk, f: number, x: Float32Array): void {
  const n = chunk.vertices;
  for (let k = 0; k < 3; ++k) {
    const low = chunk.low[k],
      unit = (chunk.high[k] - low) / 65535;
    for (let i = 0, at = (3 * f + k) * n, to = k; i < n; ++i, ++at, to += 3)
      x[to] = low + unit * chunk.positions[at];
  }
}

// The value of a code of a field (5).
export function field_value({ rest, below, above, zero }: FieldCodes, code: number): number {
  if (code === zero) return rest;
  return code > zero
    ? rest + above * ((code - zero) / (255 - zero)) ** 2
    : rest - below * ((zero - code) / zero) ** 2;
}

// A chunk's memory, about.
export function bytes_of(chunk: Chunk): number {
  return (8 + chunk.fields.length) * chunk.frames * chunk.vertices;
}
