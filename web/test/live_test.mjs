// `phiflex live` in a real browser, and its socket by hand.   PHIFLEX_BINARY names the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { close_pages, eventually, launch, open, scratch_folder, state } from "./browser.mjs";
import { ended, RawClient, start_live } from "./live_client.mjs";

const program = process.env.PHIFLEX_BINARY ?? "build/phiflex";
const skip = existsSync(program) ? false : `no program at ${program}: build it, or name it in PHIFLEX_BINARY`;

// A soft bar, clamped at x = 0: small, so that a busy machine steps it in real time too.
const bar = {
  phiflex: 1,
  name: "bar",
  time: { step: 0.01, end: 2 },
  integrator: { type: "em" },
  gravity: [0, -9.81, 0],
  bodies: [
    {
      name: "bar",
      mesh: { generate: "box", size: [0.4, 0.1, 0.1], cells: [6, 2, 2] },
      material: { type: "neo-hookean", young: 2e5, poisson: 0.45, density: 1000 },
    },
  ],
  constraints: [{ body: "bar", where: { box: [[0, 0, 0], [0, 1, 1]] }, type: "fix" }],
};

describe("phiflex live", { skip, timeout: 800000 }, () => {
  let browser, scratch, server, address, scene;
  const start = async (...words) => {
    ({ server, address } = await start_live(program, [...words, "--threads", "1"], { cwd: scratch.folder }));
  };
  before(async () => {
    scratch = scratch_folder();
    scene = join(scratch.folder, "bar.json");
    writeFileSync(scene, JSON.stringify(bar));
    browser = await launch();
    await start(scene, "-o", join(scratch.folder, "out"));
  });
  afterEach(() => close_pages(browser));
  after(async () => {
    await browser.close();
    await ended(server, "SIGINT");
    scratch.remove();
  });
  const until = (page, condition, argument) => page.waitForFunction(condition, argument);
  const pause = async (page, on) => {
    if ((await state(page)).settings.paused !== on) await page.keyboard.press(" ");
    await until(page, (wanted) => window.phiflex.settings.paused === wanted && window.phiflex.paused === wanted, on);
  };
  const reset = async (page) => {
    await pause(page, true);
    await page.keyboard.press("r");
    await until(page, () => window.phiflex.steps === 0);
    await pause(page, false);
  };
  // Takes hold of the free end of a view, from the front. Nothing moves meanwhile, so that a busy machine does not miss it.
  const hold_tip = async (page, view) => {
    await page.keyboard.press("2");
    await pause(page, true);
    const { x, y } = (await state(page)).far[view],
      place = { x: x - 8, y };
    for (const dy of [4, -4, 8, -8, 14, -14]) {
      await page.mouse.move(place.x, y + dy);
      await page.mouse.down();
      if ((await state(page)).holding) {
        await until(page, () => window.phiflex.grips.length === 1);
        await pause(page, false);
        return { x: place.x, y: y + dy };
      }
      await page.mouse.up();
    }
    throw new Error("the pointer does not meet the body");
  };

  test("the page opens with si and the scene's own method side by side, and moves", async () => {
    const { page, problems } = await open(browser, address);
    const first = await state(page);
    assert.deepEqual(first.settings.views.map((view) => view.name), ["si", "em"]);
    assert.equal(first.books.length, 2);
    await until(page, (t) => window.phiflex.t > t + 0.2, first.t);
    const y = (await state(page)).far.map((far) => far.at[1]);
    assert.ok(y.every((value) => value < 0.1), `the bar hangs down: ${y}`);
    await eventually(async () => assert.match(await page.locator(".badge").innerText(), /real time/));
    assert.deepEqual(problems(), []);
  });

  test("a drag moves the body towards the pointer in every view, its work is booked, and release lets go", async () => {
    const { page } = await open(browser, address);
    await page.keyboard.press("2"); // from the front
    await reset(page);
    await until(page, () => window.phiflex.t > 0.3);
    await pause(page, true);
    const before = await state(page),
      { x, y } = await hold_tip(page, 1);
    for (let i = 1; i <= 10; ++i) await page.mouse.move(x - 3 * i, y - 9 * i);
    await until(page, (from) => window.phiflex.books.every((books, i) => books.external > from[i] + 0.02), before.books.map((b) => b.external));
    await until(page, (from) => window.phiflex.far.every((far, i) => far.at[1] > from[i] + 0.03), before.far.map((far) => far.at[1]));
    const held = await state(page);
    for (const books of held.books) {
      const sum = books.first + books.external + books.changes + books.contact_work - books.dissipated - books.friction - books.loss;
      assert.ok(Math.abs(sum - books.total) < 1e-9 * (1 + Math.abs(books.external)), "the ledger is closed");
    }
    assert.ok(held.latencies.length > 0, "time stamps come back with the frames");
    await page.mouse.up();
    await until(page, () => window.phiflex.grips.length === 0);
    // em swings on, si has lost more.
    await until(page, (t) => window.phiflex.t > t + 0.5, held.t);
    const [si, em] = (await state(page)).books;
    assert.ok(si.loss > 5 * Math.abs(em.loss), `si took ${si.loss} J, em ${em.loss} J`);
  });

  test("a finger pulls as a mouse does, and lifting it lets go", async () => {
    const { page } = await open(browser, address);
    await page.keyboard.press("2");
    await reset(page);
    await until(page, () => window.phiflex.t > 0.2);
    await pause(page, true);
    const devtools = await page.context().newCDPSession(page),
      touch = (type, ...points) =>
        devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y, id: 1 })) });
    const before = await state(page),
      tip = before.far[1];
    let held = null;
    for (const dy of [4, -4, 8, -8, 14, -14]) {
      await touch("touchStart", [tip.x - 8, tip.y + dy]);
      if ((await state(page)).holding) {
        held = { x: tip.x - 8, y: tip.y + dy };
        break;
      }
      await touch("touchEnd");
    }
    assert.ok(held, "the finger meets the body");
    await until(page, () => window.phiflex.grips.length === 1);
    await pause(page, false);
    for (let i = 1; i <= 10; ++i) await touch("touchMove", [held.x - 3 * i, held.y - 9 * i]);
    await until(page, (from) => window.phiflex.books.every((books, i) => books.external > from[i] + 0.02), before.books.map((b) => b.external));
    await until(page, (from) => window.phiflex.far.every((far, i) => far.at[1] > from[i] + 0.03), before.far.map((far) => far.at[1]));
    await touch("touchEnd");
    await until(page, () => window.phiflex.grips.length === 0);
    assert.equal((await state(page)).holding, 0);
  });

  test("keys pause, step, reset, and turn gravity off", async () => {
    const { page } = await open(browser, address);
    await page.keyboard.press(" ");
    await until(page, () => window.phiflex.settings.paused && window.phiflex.paused);
    const { steps } = await state(page);
    await page.keyboard.press(".");
    await until(page, (n) => window.phiflex.steps === n + 1, steps);
    await page.keyboard.press("g");
    await until(page, () => window.phiflex.settings.gravity.every((g) => g === 0));
    await page.keyboard.press("g");
    await until(page, () => window.phiflex.settings.gravity[1] === -9.81);
    await page.keyboard.press("r");
    await until(page, () => window.phiflex.steps === 0);
    await page.keyboard.press(" ");
    await until(page, () => window.phiflex.t > 0.05);
  });

  test("integrator, step, dial, stiffness, damping change while it runs, are logged and saved", async () => {
    const { page } = await open(browser, address);
    await page.getByLabel("Integrator of view 1").selectOption("be");
    await until(page, () => window.phiflex.settings.views[0].method === "be");
    await page.getByLabel("Step", { exact: true }).selectOption({ label: "1/120 s" });
    await until(page, () => Math.abs(window.phiflex.settings.step - 1 / 120) < 1e-9);
    await page.getByLabel("Damping dial of view 2").fill("0.8");
    await until(page, () => window.phiflex.settings.views[1].dial === 0.8);
    await page.getByRole("button", { name: "× 10" }).click();
    await until(page, () => Math.abs(window.phiflex.settings.bodies[0].stiffness - 2e6) < 1);
    await page.getByLabel("Damping of the mass").fill("0.5");
    await page.getByLabel("Damping of the mass").press("Enter");
    await until(page, () => window.phiflex.settings.bodies[0].damping[0] === 0.5);
    await page.getByRole("button", { name: "Save" }).click();
    const folder = join(scratch.folder, "out", "saved-001");
    await eventually(() => assert.ok(existsSync(join(folder, "2-em.json"))));
    const saved = JSON.parse(readFileSync(join(folder, "2-em.json"), "utf8"));
    assert.equal(saved.bodies[0].material.young, 2e6);
    assert.equal(saved.bodies[0].damping.mass, 0.5);
    assert.equal(saved.integrator.dissipation, 0.8);
    assert.ok(Math.abs(saved.time.step - 1 / 120) < 1e-12);
    assert.equal(JSON.parse(readFileSync(join(folder, "1-be.json"), "utf8")).integrator.type, "be");
    execFileSync(program, ["check", join(folder, "2-em.json"), "--quiet"]);
    for (const words of [/view 1: be/, /the step is/, /dial is 0.8/, /multiplied by 10/, /damping of all bodies/])
      await eventually(async () => assert.match(await page.locator("#live-log").innerText(), words));
    // As it was.
    await page.getByLabel("Integrator of view 1").selectOption("si");
    await page.getByRole("button", { name: "÷ 10" }).click();
    await page.getByLabel("Step", { exact: true }).selectOption({ label: "1/100 s" });
    await until(page, () => window.phiflex.settings.step === 0.01);
  });

  test("fields keep what was not edited, say what is no number, and give the keys back", async () => {
    const { page } = await open(browser, address);
    const field = (name) => page.getByLabel(name, { exact: true });
    const set = async (name, text) => {
      await field(name).fill(text);
      await field(name).press("Enter");
    };
    assert.equal(await field("Gravity along y").inputValue(), "−9.81");
    await set("Gravity along x", "1.5");
    await until(page, () => window.phiflex.settings.gravity.join() === "1.5,-9.81,0");
    await set("Gravity along x", "-0");
    await until(page, () => window.phiflex.settings.gravity.join() === "0,-9.81,0");
    // Shown as 1e−5.
    await set("Damping of the stiffness", "0.00001");
    await until(page, () => window.phiflex.settings.bodies[0].damping[1] === 1e-5);
    await set("Damping of the mass", "0.25");
    await until(page, () => window.phiflex.settings.bodies[0].damping.join() === "0.25,0.00001");
    await set("Damping of the mass", "many");
    assert.equal(await field("Damping of the mass").getAttribute("aria-invalid"), "true");
    await field("Damping of the mass").blur();
    assert.equal(await field("Damping of the mass").inputValue(), "0.25");
    for (const name of ["Damping of the mass", "Damping of the stiffness"]) await set(name, "0");
    await until(page, () => window.phiflex.settings.bodies[0].damping.join() === "0,0");
    // After a press the space bar pauses, and does not press again.
    await page.getByRole("button", { name: "× 10" }).click();
    await until(page, () => Math.abs(window.phiflex.settings.bodies[0].stiffness - 2e6) < 1);
    await page.keyboard.press(" ");
    await until(page, () => window.phiflex.settings.paused);
    assert.ok(Math.abs((await state(page)).settings.bodies[0].stiffness - 2e6) < 1);
    await page.keyboard.press(" ");
    await set("Stiffness", "2e5");
    await until(page, () => !window.phiflex.settings.paused && Math.abs(window.phiflex.settings.bodies[0].stiffness - 2e5) < 1);
  });

  test("a recording is an ordinary run, which phiflex run repeats bit for bit", async () => {
    const { page } = await open(browser, address);
    await page.keyboard.press("2");
    await until(page, () => window.phiflex.t > 0.1);
    await page.getByRole("button", { name: "Record" }).click();
    await until(page, () => window.phiflex.settings.recording);
    const { x, y } = await hold_tip(page, 0);
    for (let i = 1; i <= 5; ++i) await page.mouse.move(x, y - 8 * i);
    const { t } = await state(page);
    await until(page, (from) => window.phiflex.t > from + 0.15, t);
    await page.mouse.up();
    await until(page, (from) => window.phiflex.t > from + 0.25, t);
    await page.getByRole("button", { name: "Stop recording" }).click();
    await until(page, () => window.phiflex.recorded.length === 2);
    for (const { hash, folder, steps } of (await state(page)).recorded) {
      const views = readdirSync(folder);
      assert.equal(views.length, 2);
      const view = views.find(
        (name) => JSON.parse(readFileSync(join(folder, name, "run.json"), "utf8")).hash === hash,
      );
      assert.ok(view && steps > 10);
      const grips = JSON.parse(readFileSync(join(folder, view, "grips.json"), "utf8"));
      assert.ok(grips.grips.length >= 1, "the pull is in the file");
      const again = join(scratch.folder, `again-${view}`);
      execFileSync(program, ["run", join(folder, view, "scene.json"), "-o", again, "--quiet", "--no-frames", "--threads", "1"]);
      const run = JSON.parse(readFileSync(join(again, "run.json"), "utf8"));
      assert.equal(run.hash, hash);
      assert.equal(run.status, "done");
    }
  });

  test("a vertex is pinned and freed, and a ball pushes", async () => {
    const { page } = await open(browser, address);
    await page.keyboard.press("2");
    await reset(page);
    const { x, y } = await hold_tip(page, 0);
    await page.mouse.up();
    await pause(page, true);
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    const tip = (await state(page)).far[0];
    let met = null;
    for (const dy of [4, -4, 8, -8, 14, -14]) {
      await page.mouse.click(tip.x - 8, tip.y + dy);
      met = await page
        .waitForFunction(() => window.phiflex.settings.pins.length === 1, null, { timeout: 15000 })
        .then(() => dy, () => null);
      if (met !== null) break;
    }
    assert.notEqual(met, null, "a vertex is pinned");
    await page.mouse.click(tip.x - 8, tip.y + met);
    await until(page, () => window.phiflex.settings.pins.length === 0);
    await pause(page, false);
    await page.getByRole("button", { name: "Ball" }).click();
    await page.mouse.move(x - 60, y - 120);
    await until(page, () => window.phiflex.ball !== null);
    await page.getByRole("button", { name: "Pull" }).click();
    await until(page, () => window.phiflex.ball === null);
  });

  test("the ball follows a finger that is down, and goes with the tab that leads it", async () => {
    const one = await open(browser, address),
      two = await open(browser, address);
    await reset(one.page);
    await one.page.getByRole("button", { name: "Ball" }).click();
    const box = await one.page.locator(".stage canvas").boundingBox(),
      devtools = await one.page.context().newCDPSession(one.page),
      touch = (type, ...points) =>
        devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y, id: 1 })) });
    const x = box.x + 0.2 * box.width,
      y = box.y + 0.2 * box.height;
    await touch("touchStart", [x, y]);
    await until(one.page, () => window.phiflex.ball !== null);
    const [from] = (await state(one.page)).ball;
    for (let i = 1; i <= 10; ++i) await touch("touchMove", [x + 6 * i, y]);
    await until(one.page, (before) => Math.abs(window.phiflex.ball[0] - before) > 0.02, from);
    await touch("touchEnd");
    await until(two.page, () => window.phiflex.ball !== null);
    await one.close();
    await until(two.page, () => window.phiflex.ball === null);
  });

  test("two tabs see the same run, and a closed tab lets go", async () => {
    const one = await open(browser, address),
      two = await open(browser, address);
    await one.page.keyboard.press("2");
    await reset(one.page);
    await until(one.page, () => window.phiflex.t > 0.2);
    await hold_tip(one.page, 0);
    await until(two.page, () => window.phiflex.grips.length === 1);
    const [a, b] = [await state(one.page), await state(two.page)];
    assert.notEqual(a.client, b.client);
    assert.equal(b.grips[0].client, a.client);
    await one.close();
    await until(two.page, () => window.phiflex.grips.length === 0);
    await until(two.page, (t) => window.phiflex.t > t + 0.1, b.t);
  });

  test("a step that fails is told in words, and the run goes back and on", async () => {
    const { page } = await open(browser, address);
    await reset(page);
    await until(page, () => window.phiflex.t > 1.1);
    const client = new RawClient(address);
    await client.answer;
    await eventually(() => assert.equal(client.of("hello").length, 1));
    // A step that no explicit method survives.
    await page.getByLabel("Integrator of view 1").selectOption("symplectic-euler");
    await until(page, () => window.phiflex.settings.views[0].method === "symplectic-euler");
    client.send(JSON.stringify({ do: "set_step", value: 0.5 }));
    await eventually(() => assert.ok(client.of("failed").length > 0));
    assert.match(client.of("failed")[0].text, /step \d+/);
    await eventually(async () => assert.match(await page.locator(".reason").innerText(), /A step failed/));
    client.send(JSON.stringify({ do: "set_step", value: 0.01 }));
    client.send(JSON.stringify({ do: "set_integrator", view: 0, text: "si" }));
    client.send(JSON.stringify({ do: "reset" }));
    client.send(JSON.stringify({ do: "pause", on: false }));
    await until(page, () => !window.phiflex.paused && window.phiflex.t > 0.05 && window.phiflex.settings.step === 0.01);
    client.close();
  });

  test("a pull that turns an element inside out is told in words, and everything is one second back without the hand", async () => {
    const client = new RawClient(address);
    let last = null;
    client.on_frame = (head) => {
      client.ask({ do: "ack", number: head.number });
      last = head;
    };
    await client.answer;
    client.ask({ do: "reset" });
    client.ask({ do: "set_integrator", view: 0, text: "ere" });
    client.ask({ do: "set_strength", value: 1000 });
    await eventually(() => assert.ok(last && last.t > 1.2 && last.t < 60));
    client.ask({ do: "grip", number: 1, view: 0, vertices: [8, 8, 8], weights: [1, 0, 0], point: [0.4 / 6, 0.05, 0] });
    // A vertex beside the clamped face, led through that face: whatever the machine's speed, no shape without a turned element
    // gives way to it, as a bar that is pulled at its free end does.
    client.ask({ do: "move", number: 1, point: [-2, 0.05, 0] });
    await eventually(() => assert.ok(client.of("failed").length > 0, "the pull is too hard for ere"));
    const [failed] = client.of("failed");
    assert.match(failed.text, /inverted|not finite|diverged/);
    // To the newest stored state that is a second old; one is stored every 0.1 s.
    const back = Number(/t = ([\d.]+) s/.exec(failed.text)[1]) - failed.time;
    assert.ok(back > 0.98 && back < 1.2, `${back} s`);
    await eventually(() => assert.equal(last.grips.length, 0));
    const { t } = last;
    await eventually(() => assert.ok(last.t > t + 0.05, "it goes on"));
    client.ask({ do: "set_strength", value: 1 });
    client.ask({ do: "set_integrator", view: 0, text: "si" });
    client.ask({ do: "reset" });
    client.ask({ do: "pause", on: false });
    await eventually(() => assert.equal(client.of("settings").at(-1).views[0].name, "si"));
    client.close();
  });

  test("token, Host and Origin are asked for as of view", async () => {
    const { port, pathname } = new URL(address);
    const status = async (headers, path = `${pathname}session`) => {
      const client = new RawClient(address.replace(pathname, path.replace(/session$/, "")), headers);
      const answer = await client.answer;
      client.close();
      return Number(answer.split(" ")[1]);
    };
    assert.equal(await status({}), 101);
    assert.equal(await status({ Origin: `http://127.0.0.1:${port}` }), 101);
    assert.equal(await status({ Origin: "http://example.org" }), 403);
    assert.equal(await status({ Host: "example.org" }), 403);
    assert.equal(await status({ "Sec-Fetch-Site": "cross-site" }), 403);
    assert.equal(await status({}, `/${"0".repeat(32)}/session`), 404);
    assert.equal(await status({ "Sec-WebSocket-Key": null }), 400);
    assert.equal(await status({ "Sec-WebSocket-Version": "12" }), 400);
  });

  test("malformed and oversized messages are refused and counted, and nothing stops", async () => {
    const client = new RawClient(address);
    await client.answer;
    await eventually(() => assert.equal(client.of("hello").length, 1));
    for (const message of ["{", "[1]", '{"do":"explode"}', '{"do":"move","number":1,"point":[0,0]}']) client.send(message);
    client.send("binary", { opcode: 2 });
    await eventually(() => assert.equal(client.of("refused").length, 5));
    const counts = client.of("refused").map((text) => text.count);
    assert.deepEqual(counts, counts.map((_count, i) => counts[0] + i));
    // Beyond what there is: refused by the session, in the log.
    client.send('{"do":"grip","number":1,"view":99,"vertices":[0,0,0],"weights":[1,0,0],"point":[0,0,0]}');
    client.send('{"do":"grip","number":1,"view":0,"vertices":[999999,0,0],"weights":[1,0,0],"point":[0,0,0]}');
    await eventually(() => assert.equal(client.of("log").filter(({ text }) => /not changed/.test(text)).length, 2));
    client.send("a".repeat(20000));
    await client.closed;
    const unmasked = new RawClient(address);
    await unmasked.answer;
    unmasked.send("{}", { masked: false });
    await unmasked.closed;
    const huge = new RawClient(address);
    await huge.answer;
    huge.send("", { claimed: 2 ** 40 });
    await huge.closed;
    const { page } = await open(browser, address);
    const { t } = await state(page);
    await until(page, (from) => window.phiflex.t > from + 0.05, t);
  });

  test("a client that takes no frames gets no more than two, and the page goes on", async () => {
    const { page } = await open(browser, address),
      slow = new RawClient(address); // it acknowledges nothing
    await slow.answer;
    const before = await state(page);
    await until(page, (frames) => window.phiflex.frames > frames + 30, before.frames);
    assert.ok(slow.frames <= 2, `${slow.frames} frames came`);
    slow.close();
  });

  test("a slow client lowers its own frame rate and nobody else's", async () => {
    const fast = new RawClient(address);
    fast.on_frame = (head) => fast.ask({ do: "ack", number: head.number });
    const wait_for_frames = async (client, more) => {
      const from = client.frames;
      await eventually(() => assert.ok(client.frames >= from + more));
    };
    await fast.answer;
    await wait_for_frames(fast, 5);
    // Eight times as slow as the fast client is on this machine, under the load of now.
    const begin = performance.now(),
      counted = 20;
    await wait_for_frames(fast, counted);
    const slow_frame = Math.max(400, (8 * (performance.now() - begin)) / counted); // ms
    const slow = new RawClient(address);
    let free = 0; // one frame after the other, each takes its time
    slow.on_frame = (head) => {
      free = Math.max(free, performance.now()) + slow_frame;
      setTimeout(() => slow.ask({ do: "ack", number: head.number }), free - performance.now());
    };
    await slow.answer;
    await wait_for_frames(slow, 2);
    const before = [fast.frames, slow.frames, performance.now()];
    await wait_for_frames(fast, 80);
    const [of_fast, of_slow] = [fast.frames - before[0], slow.frames - before[1]];
    const passed = performance.now() - before[2];
    assert.ok(of_slow <= passed / slow_frame + 2, `the slow client got ${of_slow} frames in ${passed} ms`);
    assert.ok(of_fast > 2 * of_slow, `the fast client got ${of_fast} frames, the slow one ${of_slow}`);
    fast.close();
    slow.close();
  });

  test("without a scene the gallery is there as cards with pictures, and a card opens its scene", async () => {
    await ended(server, "SIGINT");
    const gallery = join(scratch.folder, "gallery");
    execFileSync("mkdir", ["-p", join(gallery, "soft-bar")]);
    writeFileSync(join(gallery, "soft-bar", "scene.json"), JSON.stringify(bar));
    writeFileSync(join(gallery, "soft-bar", "README.md"), "# A soft bar\n");
    execFileSync("mkdir", ["-p", join(gallery, "z-coarse")]);
    const coarsening = { type: "eigenfit", modes: 4, fine: { mesh: { ...bar.bodies[0].mesh, cells: [12, 4, 4] } } };
    writeFileSync(join(gallery, "z-coarse", "scene.json"), JSON.stringify({ ...bar, coarsening }));
    writeFileSync(join(gallery, "z-coarse", "README.md"), "# What no hand can hold\n");
    execFileSync("mkdir", ["-p", join(gallery, "t-block")]);
    const block = { ...bar, name: "block", bodies: [{ ...bar.bodies[0], name: "block" }], constraints: [] };
    writeFileSync(join(gallery, "t-block", "scene.json"), JSON.stringify(block));
    writeFileSync(join(gallery, "t-block", "README.md"), "# A block\n");
    process.env.PHIFLEX_SCENES = gallery;
    await start();
    const { page, problems } = await open(browser, address);
    await until(page, () => window.phiflex.gallery?.pictures === 3);
    const card = page.locator(".card").first();
    assert.match(await card.innerText(), /soft-bar\s+A soft bar/);
    const size = await card.locator("img").evaluate((image) => image.naturalWidth);
    assert.ok(size > 100);
    await page.locator(".card").last().click();
    await eventually(async () => assert.match(await page.locator(".reason").innerText(), /not opened.*coarsening/));
    assert.equal((await state(page)).gallery.scenes, 3, "the gallery is still there");
    await card.click();
    await until(page, () => window.phiflex.title === "bar" && window.phiflex.ready && window.phiflex.t > 0.05);
    const bodies = () => page.getByLabel("Body", { exact: true }).locator("option").allInnerTexts();
    assert.deepEqual(await bodies(), ["all bodies", "bar"]);
    await page.getByRole("button", { name: "Gallery" }).click();
    await until(page, () => window.phiflex.gallery !== null);
    await page.locator(".card").nth(1).click();
    await until(page, () => window.phiflex.title === "block" && window.phiflex.ready);
    assert.deepEqual(await bodies(), ["all bodies", "block"]);
    await page.getByRole("button", { name: "Gallery" }).click();
    await until(page, () => window.phiflex.gallery !== null);
    assert.deepEqual(problems(), []);
  });
});
