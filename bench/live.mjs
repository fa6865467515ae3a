// What `phiflex live` reaches under a scripted pointer: the engine's share of real time, pointer to frame and pointer to picture,
// bytes a frame, and a client throttled to 1 MB/s beside another.
//   node bench/live.mjs PROGRAM [CELLS,CELLS,CELLS] [--integrators em] [--seconds 10] [--step 0.016666666666666666] [--browser] [--throttle]
// Tetrahedra are 5 or 6 a cell, as the generator divides boxes; the program says how many there are.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ended, RawClient, start_live } from "../web/test/live_client.mjs";

const words = process.argv.slice(2);
const option = (name, otherwise) => (words.includes(name) ? words[words.indexOf(name) + 1] : otherwise);
const program = words[0],
  cells = (words[1]?.match(/^\d/) ? words[1] : "20,5,5").split(",").map(Number),
  integrators = option("--integrators", "em"),
  seconds = Number(option("--seconds", 10)),
  step = Number(option("--step", 1 / 60));
if (!program) throw new Error("usage: node bench/live.mjs PROGRAM [CELLS,CELLS,CELLS] ...");

const folder = mkdtempSync(join(tmpdir(), "phiflex-live-"));
const scene = join(folder, "bar.json");
writeFileSync(
  scene,
  JSON.stringify({
    phiflex: 1,
    name: "bar",
    time: { step, end: 120 * step },
    integrator: { type: "em" },
    gravity: [0, -9.81, 0],
    bodies: [
      {
        name: "bar",
        mesh: { generate: "box", size: [0.4, 0.1, 0.1], cells },
        material: { type: "neo-hookean", young: 2e5, poisson: 0.45, density: 1000 },
      },
    ],
    constraints: [{ body: "bar", where: { box: [[0, 0, 0], [0, 1, 1]] }, type: "fix" }],
  }),
);
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const at_percent = (values, part) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] : NaN;
};
// A hand that goes round above and below the tip.
const round = (s) => [0.36 + 0.03 * Math.cos(3 * s), 0.05 + 0.08 * Math.sin(4 * s), 0.05 + 0.05 * Math.sin(2.3 * s)];

const { server, address } = await start_live(program, [scene, "--integrators", integrators, "--threads", "1"]);
try {
  const client = new RawClient(address);
  // Every frame is acknowledged from the first one on: without that no more than two come.
  let last = null,
    own = "";
  const latencies = [],
    sizes = [],
    seen = new Set();
  client.on_frame = (head, bytes) => {
    client.ask({ do: "ack", number: head.number });
    last = head;
    sizes.push(bytes);
    const stamp = head.stamps[own] ?? 0;
    if (stamp && !seen.has(stamp)) {
      seen.add(stamp);
      latencies.push(performance.now() - stamp);
    }
  };
  await client.answer;
  while (!client.of("hello").length) await wait(20);
  const hello = client.of("hello")[0];
  own = String(hello.client);
  console.log(`${hello.elements} tetrahedra, ${integrators}, step ${step.toFixed(5)} s, one thread`);
  while (!last || last.steps < 5) await wait(20);
  // The vertex with the largest x: the last of the first layer of the box is near enough; a grip holds a patch around it.
  const bytes = (await import("node:zlib")).inflateSync(Buffer.from(hello.motion.rest, "base64")),
    rest = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  let far = 0;
  for (let v = 0; v < rest.length / 3; ++v) if (rest[3 * v] > rest[3 * far]) far = v;
  const drag = async (s) => {
    const begin = performance.now(),
      t0 = last.t;
    client.ask({ do: "grip", number: 1, view: 0, vertices: [far, far, far], weights: [1, 0, 0], point: round(0), stamp: begin });
    for (let now = begin; now < begin + 1000 * s; now = performance.now()) {
      client.ask({ do: "move", number: 1, point: round((now - begin) / 1000), stamp: now });
      await wait(16);
    }
    client.ask({ do: "release", number: 1 });
    const wall = (performance.now() - begin) / 1000;
    return { share: (last.t - t0) / wall, could: (1000 * step) / last.step_ms, wall };
  };
  const alone = await drag(seconds);
  console.log(
    `engine alone: ${(100 * alone.share).toFixed(1)} % of real time over ${alone.wall.toFixed(1)} s; its steps take ${last.step_ms.toFixed(2)} ms, ` +
      `so it could run at ${(100 * alone.could).toFixed(0)} %`,
  );
  console.log(`pointer to frame: median ${at_percent(latencies, 0.5).toFixed(0)} ms, 95 % ${at_percent(latencies, 0.95).toFixed(0)} ms (${latencies.length})`);
  console.log(`bytes a frame: median ${at_percent(sizes, 0.5)}, largest ${Math.max(...sizes)}`);
  const books = last.views[0],
    sum = books.first + books.external + books.changes + books.contact_work - books.dissipated - books.friction - books.loss;
  console.log(`ledger: external work ${books.external.toPrecision(4)} J, loss ${books.loss.toPrecision(3)} J, closed to ${Math.abs(sum - books.total).toExponential(1)} J`);
  if (client.of("failed").length) console.log(`${client.of("failed").length} steps failed`);

  if (words.includes("--throttle")) {
    const count = async (clients, s) => {
      const before = clients.map((one) => one.frames);
      await wait(1000 * s);
      return clients.map((one, i) => (one.frames - before[i]) / s);
    };
    const slow = new RawClient(address);
    // 1 MB/s, or a hundredth of what the other takes where frames are small: it acknowledges a frame when its bytes would have come.
    const rate = Math.min(1e6, Number(option("--bytes-per-second", 1e6)));
    let free = 0;
    slow.on_frame = (head, bytes) => {
      const now = performance.now();
      free = Math.max(now, free) + (1000 * bytes) / rate;
      setTimeout(() => slow.ask({ do: "ack", number: head.number }), free - now);
    };
    await slow.answer;
    const [fast_rate, slow_rate] = await count([client, slow], 4);
    console.log(`beside a client of ${rate / 1e6} MB/s: ${fast_rate.toFixed(1)} frames a second, the slow one ${slow_rate.toFixed(1)}`);
    slow.close();
  }

  if (words.includes("--browser")) {
    const { launch, open, state } = await import("../web/test/browser.mjs");
    const browser = await launch();
    const { page } = await open(browser, address);
    await page.keyboard.press("2");
    client.close();
    await wait(500);
    // Held still while the pointer looks for it.
    await page.keyboard.press(" ");
    await page.waitForFunction(() => window.phiflex.paused);
    const { far: places, t, frames } = await state(page);
    for (const dy of [4, -4, 8, -8, 14, -14]) {
      await page.mouse.move(places[0].x - 8, places[0].y + dy);
      await page.mouse.down();
      if ((await state(page)).holding) break;
      await page.mouse.up();
    }
    if (!(await state(page)).holding) throw new Error("the pointer does not meet the body");
    await page.keyboard.press(" ");
    await page.waitForFunction(() => !window.phiflex.paused);
    const begin = performance.now();
    for (let now = begin; now < begin + 1000 * Math.min(seconds, 6); now = performance.now()) {
      const s = (now - begin) / 1000;
      await page.mouse.move(places[0].x - 30 + 25 * Math.cos(3 * s), places[0].y + 40 * Math.sin(4 * s));
      await wait(16);
    }
    await page.mouse.up();
    const end = await state(page),
      wall = (performance.now() - begin) / 1000;
    console.log(
      `with a page in Chromium, drawn by the processor: ${((100 * (end.t - t)) / wall).toFixed(1)} % of real time, ` +
        `${((end.frames - frames) / wall).toFixed(0)} frames a second; pointer to picture: median ${at_percent(end.latencies, 0.5).toFixed(0)} ms, ` +
        `95 % ${at_percent(end.latencies, 0.95).toFixed(0)} ms (${end.latencies.length})`,
    );
    await browser.close();
  }
} finally {
  await ended(server, "SIGINT");
  rmSync(folder, { recursive: true, force: true });
}
