// Writes what the program would write: chunks of frames and whole pages. Written from the description of the format, not
// from the page's decoder, so that the two check each other.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";

export const web_dir = process.env.PHIFLEX_WEB_DIR ?? new URL("../dist", import.meta.url).pathname;

export function packed(values) {
  return deflateSync(Buffer.from(values.buffer, values.byteOffset, values.byteLength)).toString("base64");
}

const zigzag = (difference) => {
  const wrapped = ((difference % 65536) + 65536) % 65536,
    r = wrapped >= 32768 ? wrapped - 65536 : wrapped;
  return r >= 0 ? 2 * r : -2 * r - 1;
};

// Bytes of numbers as differences from the frame before, in the first frame from the vertex before.
const difference_bytes = (codes) =>
  Buffer.concat(
    codes.map((now, f) =>
      Buffer.from(now.map((s, i) => (s - (f > 0 ? codes[f - 1][i] : i > 0 ? now[i - 1] : 0)) & 255)),
    ),
  );

// A number of a field: 32 bytes of header and a byte for every vertex of every frame. values: [frame][vertex].
export function field_bytes(values, rest) {
  const all = values.flat();
  const below = Math.max(0, ...all.map((v) => rest - v)),
    above = Math.max(0, ...all.map((v) => v - rest));
  const share = Math.sqrt(below) / (Math.sqrt(below) + Math.sqrt(above));
  const zero = below > 0 ? Math.min(above > 0 ? 254 : 255, Math.max(1, Math.round(255 * share))) : 0;
  const code = (v) =>
    v > rest
      ? zero + Math.round((255 - zero) * Math.sqrt((v - rest) / above))
      : v < rest
        ? zero - Math.round(zero * Math.sqrt((rest - v) / below))
        : zero;
  const header = Buffer.alloc(32);
  [rest, below, above, zero].forEach((value, i) => header.writeDoubleLE(value, 8 * i));
  return Buffer.concat([header, difference_bytes(values.map((frame) => Array.from(frame, code)))]);
}

// frames: [{ x: numbers (3 per vertex), speed, energy: numbers (1 per vertex) }]; fields: [{ at_rest, values: [frame][vertex] }];
// uncompressed bytes of a chunk.
export function chunk_bytes(frames, fields = []) {
  const n = frames[0].speed.length,
    F = frames.length;
  const low = [0, 1, 2].map((k) =>
    Math.min(...frames.map((f) => f.x.reduce((m, v, i) => (i % 3 === k ? Math.min(m, v) : m), Infinity))),
  );
  const high = [0, 1, 2].map((k) =>
    Math.max(...frames.map((f) => f.x.reduce((m, v, i) => (i % 3 === k ? Math.max(m, v) : m), -Infinity))),
  );
  const top = (key) => frames.reduce((m, f) => f[key].reduce((a, b) => Math.max(a, b), m), 0);
  const speed_max = top("speed"),
    energy_max = top("energy");
  const header = Buffer.alloc(80);
  [0x314d4650, F, n, fields.length].forEach((value, i) => header.writeUInt32LE(value, 4 * i));
  [...low, ...high, speed_max, energy_max].forEach((value, i) => header.writeDoubleLE(value, 16 + 8 * i));

  const quantized = frames.map(({ x }) =>
    [0, 1, 2].map((k) =>
      Array.from({ length: n }, (_, i) =>
        high[k] > low[k] ? Math.round(((x[3 * i + k] - low[k]) / (high[k] - low[k])) * 65535) : 0,
      ),
    ),
  );
  const parts = [header];
  for (let f = 0; f < F; ++f) {
    const codes = [];
    for (let k = 0; k < 3; ++k)
      for (let i = 0; i < n; ++i) {
        const p = quantized[f][k][i];
        const guess =
          f >= 2
            ? 2 * quantized[f - 1][k][i] - quantized[f - 2][k][i]
            : f === 1
              ? quantized[0][k][i]
              : i > 0
                ? quantized[0][k][i - 1]
                : 0;
        codes.push(zigzag(p - guess));
      }
    parts.push(Buffer.from(codes.map((code) => code & 255)), Buffer.from(codes.map((code) => code >> 8)));
  }
  for (const [key, most] of [
    ["speed", speed_max],
    ["energy", energy_max],
  ]) {
    const bytes = frames.map((frame) =>
      Array.from(frame[key], (v) => (most > 0 ? Math.round(255 * Math.sqrt(v / most)) : 0)),
    );
    parts.push(difference_bytes(bytes));
  }
  for (const { at_rest, values } of fields) parts.push(field_bytes(values, at_rest));
  return Buffer.concat(parts);
}

// A sheet of columns x rows squares, two triangles each; `shape(u, v, t)` gives a place. Motion header and chunks. fields:
// [{ name, unit, at_rest, value(u, v, t) }].
export function sheet_motion({
  columns,
  rows,
  times,
  shape,
  chunk = 16,
  bodies = ["sheet"],
  regions = () => 0,
  fields = [],
}) {
  const places = [];
  for (let j = 0; j <= rows; ++j) for (let i = 0; i <= columns; ++i) places.push([i / columns, j / rows]);
  const at = (t) => places.flatMap(([u, v]) => shape(u, v, t));
  const triangles = [],
    region = [];
  for (let j = 0; j < rows; ++j)
    for (let i = 0; i < columns; ++i) {
      const a = j * (columns + 1) + i,
        b = a + 1,
        c = a + columns + 1,
        d = c + 1;
      triangles.push(a, b, d, a, d, c);
      region.push(regions(i / columns), regions(i / columns));
    }
  const rest = at(times[0]);
  const step = times.length > 1 ? times[1] - times[0] : 1;
  let before = rest;
  const frames = times.map((t) => {
    const x = at(t);
    const speed = places.map((_, i) =>
      Math.hypot(...[0, 1, 2].map((k) => (x[3 * i + k] - before[3 * i + k]) / step)),
    );
    const energy = places.map(
      (_, i) => 1000 * Math.hypot(...[0, 1, 2].map((k) => x[3 * i + k] - rest[3 * i + k])) ** 2,
    );
    before = x;
    return { x, speed, energy };
  });
  const all = (key) => frames.reduce((m, frame) => frame[key].reduce((a, b) => Math.max(a, b), m), 0);
  const bound = (k, pick) =>
    frames.reduce(
      (m, { x }) => x.reduce((a, v, i) => (i % 3 === k ? pick(a, v) : a), m),
      pick === Math.min ? Infinity : -Infinity,
    );
  const chunks = [],
    data = [];
  const numbers = fields.map(({ at_rest, value }) => ({
    at_rest,
    values: times.map((t) => places.map(([u, v]) => value(u, v, t))),
  }));
  for (let first = 0; first < frames.length; first += chunk) {
    const part = frames.slice(first, first + chunk);
    chunks.push({ first, count: part.length });
    const of_part = numbers.map((field) => ({ ...field, values: field.values.slice(first, first + chunk) }));
    data.push(deflateSync(chunk_bytes(part, of_part)));
  }
  const header = {
    frames_in_run: times.length,
    times,
    low: [0, 1, 2].map((k) => bound(k, Math.min)),
    high: [0, 1, 2].map((k) => bound(k, Math.max)),
    vertices: places.length,
    triangles: packed(Int32Array.from(triangles)),
    triangle_region: packed(Uint16Array.from(region)),
    triangle_body: packed(new Uint16Array(region.length)),
    lines: packed(Int32Array.from([0, columns])),
    line_body: packed(new Uint16Array(1)),
    rest: packed(Float32Array.from(rest)),
    bodies,
    largest: {
      speed: all("speed"),
      displacement: Math.sqrt(all("energy") / 1000),
      strain_energy: all("energy"),
    },
    fields: fields.map(({ name, unit, at_rest }, m) => {
      const values = numbers[m].values.flat();
      return {
        name,
        unit,
        at_rest,
        low: Math.min(at_rest, ...values),
        high: Math.max(at_rest, ...values),
        typical: Math.max(...values.map((v) => Math.abs(v - at_rest))),
      };
    }),
    chunks,
    left_out: "",
  };
  return { header, data };
}

export function table_of(columns) {
  const names = Object.keys(columns);
  return { rows: columns[names[0]].length, names, columns: names.map((name) => columns[name]) };
}

const safe = (text) => text.replace(/</g, "\\u003c");

// motions: the chunks of every run.
export function page_html(data, motions = []) {
  const chunks = motions.flatMap((motion, run) =>
    motion.map(
      (bytes, k) =>
        `<script type="text/plain" id="phiflex-chunk-${run}-${k}">${bytes.toString("base64")}</script>`,
    ),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; connect-src 'self'">
<link rel="icon" href="data:,"><title>test</title><style>${readFileSync(join(web_dir, "viewer.css"), "utf8")}</style></head>
<body><div id="app"></div><script type="application/json" id="phiflex-data">${safe(JSON.stringify(data))}</script>
${chunks.join("\n")}
<script>${readFileSync(join(web_dir, "viewer.js"), "utf8")}</script></body></html>`;
}
