// The decoder of frames against bytes from the tests' own encoder.   node --test web/test/chunk_test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { chunk_bytes } from "./encoder.mjs";

// The page's module, as it is.
const { outputFiles } = await build({
  entryPoints: [new URL("../src/chunk.ts", import.meta.url).pathname],
  bundle: true,
  format: "esm",
  write: false,
});
const { decode_chunk, field_value, positions_of } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
);

const exact = (buffer) => buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);

// A generator of numbers in [0, 1) that is the same everywhere.
function lottery(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

function random_frames(count, vertices, seed) {
  const draw = lottery(seed);
  return Array.from({ length: count }, () => ({
    x: Array.from({ length: 3 * vertices }, () => 20 * draw() - 10),
    speed: Array.from({ length: vertices }, () => 5 * draw()),
    energy: Array.from({ length: vertices }, () => 1e4 * draw() ** 3),
  }));
}

test("positions come back within half a quantum, also where every difference wraps around", () => {
  for (const [count, vertices] of [
    [1, 1],
    [1, 5],
    [2, 7],
    [3, 2],
    [16, 40],
  ]) {
    const frames = random_frames(count, vertices, 7 * count + vertices),
      chunk = decode_chunk(exact(chunk_bytes(frames)));
    assert.equal(chunk.frames, count);
    const x = new Float32Array(3 * vertices);
    for (let f = 0; f < count; ++f) {
      positions_of(chunk, f, x);
      // Half of (high - low)/65535 from rounding to a quantum, and a float's 24 bits of numbers up to 10.
      const bound = (0.5 * 20) / 65535 + 10 * 2 ** -23;
      x.forEach((value, i) =>
        assert.ok(Math.abs(value - frames[f].x[i]) <= bound, `frame ${f}, number ${i}`),
      );
    }
  }
});

test("speeds and energies come back within half a quantum of their square roots", () => {
  const frames = random_frames(9, 30, 3),
    chunk = decode_chunk(exact(chunk_bytes(frames)));
  for (let f = 0; f < 9; ++f)
    for (let i = 0; i < 30; ++i)
      for (const [codes, top, values] of [
        [chunk.speeds, chunk.speed_max, frames[f].speed],
        [chunk.energies, chunk.energy_max, frames[f].energy],
      ])
        assert.ok(Math.abs(codes[30 * f + i] - 255 * Math.sqrt(values[i] / top)) <= 0.5 + 1e-9);
});

test("numbers of fields come back within half a quantum of their roots, and values at rest exactly", () => {
  const draw = lottery(11),
    frames = random_frames(4, 25, 5);
  // To both sides of rest, above it, below it, and always at rest; every seventh vertex rests.
  const fields = [
    [0, () => 3e5 * (draw() - 0.3)],
    [1, () => 1 + draw()],
    [1, () => 1 - 0.5 * draw()],
    [0, () => 0],
  ].map(([at_rest, make]) => ({
    at_rest,
    values: frames.map(() => Array.from({ length: 25 }, (_, i) => (i % 7 === 0 ? at_rest : make()))),
  }));
  const chunk = decode_chunk(exact(chunk_bytes(frames, fields)));
  assert.equal(chunk.fields.length, 4);
  fields.forEach(({ at_rest, values }, m) =>
    values.forEach((frame, f) =>
      frame.forEach((value, i) => {
        const field = chunk.fields[m],
          read = field_value(field, field.codes[25 * f + i]),
          above = value > at_rest,
          most = above ? field.above : field.below,
          half = 0.5 / (above ? 255 - field.zero : field.zero);
        if (value === at_rest) return assert.equal(read, at_rest);
        const root = (v) => Math.sqrt(Math.abs(v - at_rest) / most);
        assert.ok(Math.abs(root(read) - root(value)) <= half + 1e-9, `number ${m}, frame ${f}, vertex ${i}`);
        assert.ok(read === at_rest || read > at_rest === above);
      }),
    ),
  );
});

test("a body at rest on one point decodes to that point", () => {
  const still = { x: [1, 2, 3, 1, 2, 3], speed: [0, 0], energy: [0, 0] };
  const chunk = decode_chunk(exact(chunk_bytes([still, still, still]))),
    x = new Float32Array(6);
  positions_of(chunk, 2, x);
  assert.deepEqual([...x], still.x);
});

test("what is not a chunk, or is cut short, is refused", () => {
  const bytes = chunk_bytes(random_frames(2, 4, 1));
  assert.throws(() => decode_chunk(new ArrayBuffer(10)), /not a chunk/);
  assert.throws(() => decode_chunk(exact(bytes.subarray(0, bytes.length - 1))), /wrong length/);
  const foreign = Buffer.from(bytes);
  foreign[0] ^= 1;
  assert.throws(() => decode_chunk(exact(foreign)), /not a chunk/);
  const more_fields = Buffer.from(bytes);
  more_fields.writeUInt32LE(1, 12);
  assert.throws(() => decode_chunk(exact(more_fields)), /wrong length/);
});
