// Where the page draws moving obstacles.   node --test web/test/rigid_motion_test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";

// The page's module, as it is.
const { outputFiles } = await build({
  entryPoints: [new URL("../src/rigid_motion.ts", import.meta.url).pathname],
  bundle: true,
  format: "esm",
  write: false,
});
const { pose_at } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
);

// Where a point of the obstacle is, from the columns of the matrix.
function place(motion, time, [x, y, z]) {
  const e = pose_at(motion, time).elements;
  return [0, 1, 2].map((i) => e[i] * x + e[4 + i] * y + e[8 + i] * z + e[12 + i]);
}

function assert_near(a, b) {
  a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) < 1e-12, `${a} instead of ${b}`));
}

test("keys are kept between and held outside", () => {
  const motion = {
    keys: [
      { time: 1, translate: [0, 0, 0] },
      { time: 3, translate: [2, 0, 0] },
    ],
  };
  assert_near(place(motion, 0, [5, 5, 5]), [5, 5, 5]);
  assert_near(place(motion, 2, [5, 5, 5]), [6, 5, 5]);
  assert_near(place(motion, 9, [5, 5, 5]), [7, 5, 5]);
});

test("a swing without keys moves, from its start until its end", () => {
  const motion = { keys: [], sine: [{ translate: [0, 2, 0], frequency: 0.5, from: 1, until: 1.5, phase: 0 }] };
  assert_near(place(motion, 1, [1, 0, 0]), [1, 0, 0]);
  assert_near(place(motion, 1.25, [1, 0, 0]), [1, 2 * Math.sin(Math.PI / 4), 0]);
  assert_near(place(motion, 1.5, [1, 0, 0]), [1, 2, 0]);
  assert_near(place(motion, 4, [1, 0, 0]), [1, 2, 0]); // it stays
});

test("a swing with a phase starts where the obstacle stands", () => {
  const motion = { sine: [{ translate: [1, 0, 0], frequency: 1, phase: 90 }] };
  assert_near(place(motion, 0, [0, 0, 0]), [0, 0, 0]);
  assert_near(place(motion, 0.5, [0, 0, 0]), [-2, 0, 0]);
});

test("swings are added to keys, and turn about the pivot after them", () => {
  const motion = {
    pivot: [1, 0, 0],
    keys: [{ time: 0, translate: [0, 0, 3], rotate: [[1, 0, 0], 90] }],
    sine: [{ rotate: [[0, 0, 1], 90], frequency: 0.25 }], // a quarter turn at 1 s
  };
  // The keys lay the arm (0, 1, 0) from the pivot along z, the swing leaves z alone; the arm (1, 0, 0) is turned to y.
  assert_near(place(motion, 1, [1, 1, 0]), [1, 0, 4]);
  assert_near(place(motion, 1, [2, 0, 0]), [1, 1, 3]);
});
