// The pages that the program itself writes and serves, in a real browser.   PHIFLEX_BINARY names the program.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  close_pages,
  differing,
  distinct_colors,
  eventually,
  launch,
  open,
  picture,
  scratch_folder,
  settle,
  state,
} from "./browser.mjs";

const program = process.env.PHIFLEX_BINARY ?? "build/phiflex";
const bar_drop = join(process.env.PHIFLEX_SCENES ?? "scenes", "bar-drop", "scene.json");
const skip = existsSync(program) ? false : `no program at ${program}: build it, or name it in PHIFLEX_BINARY`;

// Serves folders until the test `t` ends; the result is the first address that the program prints.
async function serve(t, ...folders) {
  const server = spawn(program, ["view", ...folders, "--no-open", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => ended(server, "SIGINT"));
  return new Promise((found, failed) => {
    let said = "";
    server.stdout.on("data", (text) => {
      said += text;
      const match = /http:\/\/\S+/.exec(said);
      if (match) found(match[0]);
    });
    server.on("exit", (code) => failed(new Error(`phiflex view ended with ${code}`)));
  });
}

// Sends a signal to a program that may have ended already, and waits for its end.
async function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((done) => child.on("exit", done));
  child.kill(signal);
  await end;
}

describe("what the program writes", { skip, timeout: 800000 }, () => {
  let browser, scratch;
  const run = (...words) => execFileSync(program, words, { stdio: ["ignore", "ignore", "inherit"] });
  before(async () => {
    scratch = scratch_folder();
    browser = await launch();
    run("run", bar_drop, "-o", join(scratch.folder, "run"), "--quiet");
    run(
      "compare",
      bar_drop,
      "--integrators",
      "si,be,em",
      "--set",
      "/time/end=0.5",
      "-o",
      join(scratch.folder, "compare"),
      "--quiet",
    );
  });
  afterEach(() => close_pages(browser));
  after(async () => {
    await browser.close();
    scratch.remove();
  });
  const report = (folder) => pathToFileURL(join(scratch.folder, folder, "report.html")).href;
  const frames_of = (folder) =>
    JSON.parse(readFileSync(join(scratch.folder, folder, "run.json"), "utf8")).frames;

  test("the report of a run opens from disk, is drawn without a complaint, and plays", async () => {
    const { page, problems } = await open(browser, report("run"));
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.waitForFunction((frames) => window.phiflex.loaded[0] === frames, frames_of("run"));
    const first = await picture(page);
    assert.ok(distinct_colors(first) > 20, `${distinct_colors(first)} colours`);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.phiflex.views[0].frame > 10);
    await page.keyboard.press("Space");
    assert.ok(differing(first, await picture(page)) > 0.01);
    const text = await page.locator("body").innerText();
    assert.match(text, /(took|added) \S+ \S*J; the motion never had more than/);
    assert.match(text, /tip/);
    assert.match(text, /neo-hookean/);
    assert.deepEqual(problems(), []);
    assert.deepEqual(requests, []);
  });

  test("the slider moves body and plot cursor, and every colouring shows", async () => {
    const { page } = await open(browser, report("run"));
    const area = await page.locator("#energy .u-over").boundingBox();
    await page.locator(".transport input").evaluate((slider) => {
      slider.value = "0.5";
      slider.dispatchEvent(new Event("input"));
    });
    await settle(page);
    const { views, times, end } = await state(page);
    assert.ok(Math.abs(times[views[0].frame] - 0.5) < 0.011);
    const cursor = await page
      .locator("#energy .time-cursor")
      .evaluate((line) => line.getBoundingClientRect().left);
    assert.ok(Math.abs(cursor - (area.x + (0.5 / end) * area.width)) < 1.2);
    const seen = [];
    for (const mode of ["plain", "speed", "displacement", "strain energy"]) {
      await page.getByLabel("Colour by").selectOption(mode);
      seen.push(await picture(page));
    }
    for (let i = 0; i < seen.length; ++i)
      for (let j = 0; j < i; ++j) assert.ok(differing(seen[i], seen[j]) > 0.01, `${i} and ${j}`);
  });

  test("the report of a comparison shows every integrator with one clock", async () => {
    const { page, problems } = await open(browser, report("compare"));
    const { runs } = JSON.parse(readFileSync(join(scratch.folder, "compare", "compare.json"), "utf8"));
    assert.ok(runs.length >= 3);
    for (const { run: name } of runs) {
      assert.equal(await page.locator(".view-label", { hasText: name }).count(), 1, name);
      assert.equal(await page.locator("#position-error .curves button", { hasText: name }).count(), 1, name);
      assert.equal(await page.locator("#runs tbody tr", { hasText: name }).count(), 1, name);
    }
    for (let i = 0; i < 15; ++i) await page.keyboard.press("ArrowRight");
    await settle(page);
    const { views, time } = await state(page);
    assert.ok(time > 0 && views.length >= runs.length);
    for (const view of views) assert.equal(view.time, time);
    assert.ok(distinct_colors(await picture(page)) > 50);
    assert.deepEqual(problems(), []);
  });

  test("a served run is streamed and drawn", async (t) => {
    const { page, problems } = await open(browser, await serve(t, join(scratch.folder, "run")));
    await page.keyboard.press("End");
    await page.waitForFunction((last) => window.phiflex.views[0].frame === last, frames_of("run") - 1);
    assert.ok(distinct_colors(await picture(page)) > 20);
    assert.deepEqual(problems(), []);
  });

  test("a run that goes on is followed to its newest frame until the reader looks elsewhere", async (t) => {
    const folder = join(scratch.folder, "running");
    const runner = spawn(program, ["run", bar_drop, "-o", folder, "--quiet", "--set", "/time/end=600"], {
      stdio: "ignore",
    });
    t.after(() => ended(runner, "SIGKILL"));
    await eventually(() => assert.ok(existsSync(join(folder, "run.json"))));
    const { page } = await open(browser, await serve(t, folder));
    const badge = () => page.locator(".badge").innerText();
    await eventually(async () => assert.match(await badge(), /running, step/));
    await page.waitForFunction(() => window.phiflex.views.length && window.phiflex.views[0].frame > 0);
    const before_waiting = (await state(page)).views[0].frame;
    await page.waitForFunction((frame) => window.phiflex.views[0].frame > frame + 5, before_waiting);
    await page.keyboard.press("Home");
    const { length } = (await state(page)).times;
    await page.waitForFunction((frames) => window.phiflex.times.length > frames + 5, length);
    assert.equal((await state(page)).time, 0);
    await ended(runner, "SIGINT");
    await eventually(async () => assert.doesNotMatch(await badge(), /running/));
  });
});
