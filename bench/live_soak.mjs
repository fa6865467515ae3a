// Ten minutes of a restless hand at `phiflex live`: random grips, pins, balls, changes, resets, recordings, clients that come and go, and
// messages that are none. Promise: the server lives, its memory stays within 5 %, the ledger stays closed, and `phiflex run` repeats
// what was recorded, bit for bit (up to --replays views, evenly chosen).
//   node bench/live_soak.mjs PROGRAM [--seconds 600] [--seed 1] [--replays 20]
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ended, RawClient, start_live } from "../web/test/live_client.mjs";

const words = process.argv.slice(2);
const option = (name, otherwise) => (words.includes(name) ? Number(words[words.indexOf(name) + 1]) : otherwise);
const program = words[0],
  seconds = option("--seconds", 600);
if (!program) throw new Error("usage: node bench/live_soak.mjs PROGRAM [--seconds 600] [--seed 1]");
let seed = option("--seed", 1);
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

const folder = mkdtempSync(join(tmpdir(), "phiflex-soak-"));
const scene = join(folder, "bar.json");
writeFileSync(
  scene,
  JSON.stringify({
    phiflex: 1,
    name: "bar",
    time: { step: 0.01, end: 2 },
    integrator: { type: "em" },
    gravity: [0, -9.81, 0],
    bodies: [
      {
        name: "bar",
        mesh: { generate: "box", size: [0.4, 0.1, 0.1], cells: [8, 2, 2] },
        material: { type: "neo-hookean", young: 2e5, poisson: 0.45, density: 1000 },
      },
    ],
    constraints: [{ body: "bar", where: { box: [[0, 0, 0], [0, 1, 1]] }, type: "fix" }],
    contacts: [{ type: "floor", height: -0.3 }],
    output: { every: 10 },
  }),
);
const { server, address } = await start_live(program, [
  ...[scene, "--integrators", "si,em", "--threads", "1", "-o", join(folder, "out")],
]);
let dead = false;
server.on("exit", () => (dead = true));
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]);
let client = null,
  vertices = 0,
  worst = 0,
  frames = 0,
  failures = 0,
  refused = 0,
  clients = 0;
const join_in = async () => {
  client = new RawClient(address);
  ++clients;
  client.on_frame = (head) => {
    client.ask({ do: "ack", number: head.number });
    ++frames;
    for (const b of head.views) {
      const sum = b.first + b.external + b.changes + b.contact_work - b.dissipated - b.friction - b.loss,
        size = Math.abs(b.first) + Math.abs(b.external) + Math.abs(b.changes) + Math.abs(b.loss) + Math.abs(b.total) + 1e-12;
      worst = Math.max(worst, Math.abs(sum - b.total) / size);
    }
  };
  await client.answer;
  for (let i = 0; i < 500 && !client.of("hello").length; ++i) await wait(20);
  vertices = client.of("hello")[0].motion.vertices;
};
const point = () => [0.5 * random(), 0.4 * (random() - 0.5), 0.3 * (random() - 0.4)];
const choose = (list) => list[Math.floor(random() * list.length)];
const deeds = [
  () => {
    const v = Math.floor(random() * vertices);
    client.ask({ do: "grip", number: 1, view: choose([0, 1]), vertices: [v, v, v], weights: [1, 0, 0], point: point() });
  },
  ...Array(12).fill(() => client.ask({ do: "move", number: 1, point: point() })),
  ...Array(2).fill(() => client.ask({ do: "release", number: 1 })),
  () => client.ask({ do: "reset" }),
  () => client.ask({ do: "gravity" }),
  () => client.ask({ do: "set_step", value: choose([0.005, 0.01, 1 / 60]) }),
  () => client.ask({ do: "set_dial", view: -1, value: choose([1, 0.8, 0.5]) }),
  () => {
    const settings = client.texts.filter(({ kind }) => kind === "settings" || kind === "hello").at(-1);
    const now = (settings.settings ?? settings).bodies[0].stiffness;
    client.ask({ do: "set_stiffness", text: "", value: choose([1e5, 2e5, 1e6]) / now });
  },
  () => client.ask({ do: "set_damping", text: "", value: choose([0, 0.2]), more: choose([0, 0.001]) }),
  () => client.ask({ do: "set_integrator", view: 0, text: choose(["si", "be", "bdf2", "em"]) }),
  () => {
    const v = Math.floor(random() * vertices);
    client.ask({ do: "pin", vertices: [v, v, v], weights: [1, 0, 0] });
    client.ask({ do: "pin", vertices: [v, v, v], weights: [1, 0, 0] });
  },
  ...Array(2).fill(() => client.ask({ do: "ball", on: true, point: point(), value: 0.04 })),
  () => client.ask({ do: "ball", on: false, point: point(), value: 0 }),
  () => {
    client.ask({ do: "record", on: true });
    setTimeout(() => client.ask({ do: "record", on: false }), 400);
  },
  () => client.send(choose(["{", '{"do":"explode"}', "[]", '{"do":"move","number":1e99,"point":[0,0,0]}'])),
  async () => {
    failures += client.of("failed").length;
    refused += client.of("refused").length;
    client.close();
    await join_in();
  },
];
await join_in();
const begin = performance.now();
let measured = 0,
  low = Infinity,
  high = 0,
  first = 0;
while (!dead && performance.now() < begin + 1000 * seconds) {
  await choose(deeds)();
  client.ask({ do: "pause", on: false });
  await wait(20 + 60 * random());
  const part = (performance.now() - begin) / (1000 * seconds);
  // After a tenth of the time everything has been used once.
  if (part > 0.1 && performance.now() > measured + 2000) {
    measured = performance.now();
    const now = resident();
    first ||= now;
    low = Math.min(low, now);
    high = Math.max(high, now);
  }
}
const last = dead ? 0 : resident();
failures += client.of("failed").length;
refused += client.of("refused").length;
console.log(`${((performance.now() - begin) / 1000).toFixed(0)} s, ${frames} frames, ${clients} clients, ${failures} failed steps, ${refused} messages refused`);
console.log(`resident memory after a tenth of the time ${first} kB, at the end ${last} kB (${((100 * (last - first)) / first).toFixed(1)} %), between ${low} and ${high}`);
console.log(`ledger closed to ${worst.toExponential(1)} of its size; the server ${dead ? "is dead" : "lives"}`);
client.close();
await ended(server, "SIGINT");

// Recordings that ended by a failed step repeat up to that step, and then fail as well: they have no hash of an end.
const of = (view) => JSON.parse(readFileSync(join(view, "run.json"), "utf8"));
const views = (existsSync(join(folder, "out")) ? readdirSync(join(folder, "out")) : [])
  .sort()
  .flatMap((name) => readdirSync(join(folder, "out", name)).map((view) => join(folder, "out", name, view)))
  .filter((view) => existsSync(join(view, "scene.json")) && of(view).status === "done");
const replays = Math.min(option("--replays", 20), views.length);
let other = 0;
for (let i = 0; i < replays; ++i) {
  const view = views[Math.floor((i * views.length) / replays)],
    again = join(folder, `again-${i}`);
  execFileSync(program, ["run", join(view, "scene.json"), "-o", again, "--quiet", "--no-frames", "--threads", "1"]);
  if (of(again).hash !== of(view).hash) {
    ++other;
    console.log(`${view}: ${of(view).steps} steps of ${of(view).method}, ${of(again).hash} in place of ${of(view).hash}`);
  }
}
console.log(`${views.length} views were recorded; of ${replays} that were run again ${replays - other} have the same hash`);
rmSync(folder, { recursive: true, force: true });
if (dead || worst > 1e-9 || last > 1.05 * first || other) process.exitCode = 1;
