// What `phiflex live` reaches under a scripted pointer: the engine's share of real time, pointer to frame and pointer to picture,
// bytes a frame, and a throttled client beside another.
//   node bench/live.mjs PROGRAM [CELLS,CELLS,CELLS] [--integrators em] [--seconds 10] [--step 0.016666666666666666] [--threads 1]
//                       [--pull drag|snatch|none] [--clock wall|scene] [--browser [--size 1280,800]] [--throttle [--bytes-per-second N]] [--set KEY=VALUE] [-o FOLDER]
// Tetrahedra are 6 a cell. Shares are given by the clock, and by the processor time of the whole server for a step, which other
// programs on the machine change less.
//
// The bar (0.4 x 0.1 x 0.1 m, 4 kg, 2e5 Pa: a jelly) hangs at rest at first. Pulls:
//   drag    what one does with a mouse, in the pointer's time: the tip is taken hold of where it is, led up and aside by
//           0.17 m (1.7 times the thickness, 0.4 of the length) within a second, held for half a second, led over to the other
//           side by 0.2 m within a second, held, and let go; it swings freely for 1.5 s, and is taken again.
//   snatch  a pointer that is 0.15 m away from the tip at once and then goes round at up to 0.3 m/s, without a pause
//   none    nobody pulls; the bar falls from the horizontal and swings
// With --clock scene the pointer goes by the time of the scene, so that a busy machine, or a body beyond real time, meets the
// same pull. With -o FOLDER the pull is recorded, so that `phiflex run` can repeat it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ended, RawClient, start_live } from "../web/test/live_client.mjs";

const words = process.argv.slice(2);
const option = (name, otherwise) => (words.includes(name) ? words[words.indexOf(name) + 1] : otherwise);
const program = words[0],
  cells = (words[1]?.match(/^\d/) ? words[1] : "20,5,5").split(",").map(Number),
  integrators = option("--integrators", "em"),
  seconds = Number(option("--seconds", 10)),
  step = Number(option("--step", 1 / 60)),
  threads = option("--threads", "1"),
  pull = option("--pull", "drag"),
  by_scene = option("--clock", "wall") === "scene",
  output = option("-o", "");
if (!program) throw new Error("usage: node bench/live.mjs PROGRAM [CELLS,CELLS,CELLS] ...");
if (!["drag", "snatch", "none"].includes(pull)) throw new Error(`--pull ${pull}: expected drag, snatch or none`);

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
    settle: pull !== "none",
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
const smooth = (u) => {
  const s = Math.min(1, Math.max(0, u));
  return s * s * (3 - 2 * s);
};
// Where the pointer is s seconds after the tip was taken hold of at `from`; null: it has let go.
const kCycle = 5;
const dragged = (from, s) => {
  if (s > 3.5) return null;
  const first = smooth(s),
    second = smooth(s - 1.5);
  return [from[0] - 0.05 * first + 0.02 * second, from[1] + 0.15 * first - 0.08 * second, from[2] + 0.05 * first - 0.18 * second];
};
const round = (s) => [0.36 + 0.03 * Math.cos(3 * s), 0.05 + 0.08 * Math.sin(4 * s), 0.05 + 0.05 * Math.sin(2.3 * s)];

const { server, address } = await start_live(program, [
  ...[scene, "--integrators", integrators, "--threads", threads],
  ...(words.includes("--set") ? ["--set", option("--set")] : []),
  ...(output ? ["-o", output] : []),
]);
// Seconds of the processor, of all threads of the server.
const processor_seconds = () => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
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
  console.log(`${hello.elements} tetrahedra, ${integrators}, step ${step.toFixed(5)} s, ${threads} thread${threads === "1" ? "" : "s"}, pull: ${pull}`);
  while (!last || last.steps < 5) await wait(20);
  // The vertex with the largest x; a grip holds a patch around it.
  const bytes = (await import("node:zlib")).inflateSync(Buffer.from(hello.motion.rest, "base64")),
    rest = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  let far = 0;
  for (let v = 0; v < rest.length / 3; ++v) if (rest[3 * v] > rest[3 * far]) far = v;
  const grip = (point) =>
    client.ask({ do: "grip", number: 1, view: 0, vertices: [far, far, far], weights: [1, 0, 0], point, stamp: performance.now() });
  const pause = async (on) => {
    client.ask({ do: "pause", on });
    while (last.paused !== on) await wait(2);
  };
  // Takes hold of the tip where it is: the frame says where that is. Nothing moves meanwhile.
  const take_hold = async () => {
    await pause(true);
    grip([0, 0, 0]);
    while (!last.grips.length) await wait(2);
    const from = last.grips[0].lines[0][0];
    client.ask({ do: "move", number: 1, point: from });
    await pause(false);
    return from;
  };
  const work = async (s) => {
    const from = pull === "drag" ? await take_hold() : null;
    if (pull === "snatch") grip(round(0));
    const start = { wall: performance.now(), t: last.t, steps: last.steps, processor: processor_seconds() };
    const seconds_of_pointer = () => (by_scene ? last.t : performance.now() / 1000);
    const begin = seconds_of_pointer();
    let place = from,
      taken = begin;
    while (seconds_of_pointer() < begin + s) {
      const since = seconds_of_pointer() - taken,
        now = performance.now();
      if (pull === "snatch") client.ask({ do: "move", number: 1, point: round(since), stamp: now });
      if (pull === "drag") {
        const to = place && dragged(place, since);
        if (to) client.ask({ do: "move", number: 1, point: to, stamp: now });
        else if (place) {
          client.ask({ do: "release", number: 1 });
          place = null;
        } else if (since > kCycle) {
          place = await take_hold();
          taken = seconds_of_pointer();
        }
      }
      await wait(16);
    }
    const steps = last.steps - start.steps,
      wall = (performance.now() - start.wall) / 1000,
      processor = (processor_seconds() - start.processor) / steps;
    if (pull !== "none") client.ask({ do: "release", number: 1 });
    return { share: (last.t - start.t) / wall, wall, steps, processor };
  };
  if (output) client.ask({ do: "record", on: true });
  const alone = await work(seconds);
  if (output) {
    client.ask({ do: "record", on: false });
    while (!client.of("recorded").length) await wait(50);
  }
  console.log(
    `engine alone: ${(100 * alone.share).toFixed(1)} % of real time over ${alone.wall.toFixed(1)} s, ${alone.steps} steps; ` +
      `${(1000 * alone.processor).toFixed(2)} ms of the processor a step, so that a core of its own reaches ${((100 * step) / alone.processor).toFixed(0)} %`,
  );
  if (latencies.length)
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
    const kCount = 5;
    const [alone_rate] = await count([client], kCount);
    // 1 MB/s; where the frames are too small for that, what they leave a quarter of: a throttle above the traffic shows nothing.
    const traffic = alone_rate * at_percent(sizes, 0.5),
      rate = Number(option("--bytes-per-second", Math.min(1e6, traffic / 4)));
    const slow = new RawClient(address);
    // It acknowledges a frame when its bytes would have come.
    let free = 0;
    slow.on_frame = (head, bytes) => {
      const now = performance.now();
      free = Math.max(now, free) + (1000 * bytes) / rate;
      setTimeout(() => slow.ask({ do: "ack", number: head.number }), free - now);
    };
    await slow.answer;
    const [fast_rate, slow_rate] = await count([client, slow], kCount);
    console.log(
      `${(traffic / 1000).toFixed(0)} kB/s for a client alone, ${alone_rate.toFixed(1)} frames a second; beside a client of ${(rate / 1000).toFixed(0)} kB/s ` +
        `${fast_rate.toFixed(1)}, that one ${slow_rate.toFixed(1)} (${((rate / at_percent(sizes, 0.5))).toFixed(1)} fit)`,
    );
    slow.close();
  }

  if (words.includes("--browser")) {
    const { launch, open, state } = await import("../web/test/browser.mjs");
    const browser = await launch();
    const [width, height] = option("--size", "1280,800").split(",").map(Number);
    const { page } = await open(browser, address, { width, height });
    client.close();
    // Held still while the pointer looks for it.
    await page.keyboard.press(" ");
    await page.waitForFunction(() => window.phiflex.paused);
    await page.keyboard.press("2");
    await wait(1000);
    const { far: places } = await state(page);
    // Around the tip, in growing circles: how the bar hangs says on which side of its corner the body is.
    const hold = async () => {
      for (let radius = 4; radius <= 40; radius += 4)
        for (let angle = 0; angle < 6.28; angle += 0.785) {
          const place = { x: places[0].x + radius * Math.cos(angle), y: places[0].y + radius * Math.sin(angle) };
          await page.mouse.move(place.x, place.y);
          await page.mouse.down();
          if ((await state(page)).holding) return place;
          await page.mouse.up();
        }
      throw new Error("the pointer does not meet the body");
    };
    const place = await hold();
    await page.waitForFunction(() => window.phiflex.grips.length === 1);
    await page.keyboard.press(" ");
    await page.waitForFunction(() => !window.phiflex.paused);
    const from = await state(page),
      begin = performance.now(),
      moved = Math.min(seconds, 6);
    for (let now = begin; now < begin + 1000 * moved; now = performance.now()) {
      const s = (now - begin) / 1000;
      await page.mouse.move(place.x - 20 * smooth(s) + 20 * Math.sin(2 * s) * smooth(s), place.y - 60 * smooth(s) + 20 * Math.sin(3 * s) * smooth(s));
      await wait(16);
    }
    const end = await state(page),
      wall = (performance.now() - begin) / 1000,
      stamps = end.latencies.slice(from.latencies.length);
    await page.mouse.up();
    console.log(
      `with a page of ${width} x ${height} in Chromium, drawn by the processor: ${((100 * (end.t - from.t)) / wall).toFixed(1)} % of real time, ` +
        `${((end.frames - from.frames) / wall).toFixed(0)} frames a second; pointer to picture: median ${at_percent(stamps, 0.5).toFixed(0)} ms, ` +
        `95 % ${at_percent(stamps, 0.95).toFixed(0)} ms (${stamps.length})`,
    );
    await browser.close();
  }
} finally {
  await ended(server, "SIGINT");
  rmSync(folder, { recursive: true, force: true });
}
