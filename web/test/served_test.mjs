// The page as a program serves it, with a made-up program: frames are streamed, a run that grows is followed.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, afterEach, before, describe, test } from "node:test";
import { deflateSync } from "node:zlib";
import { close_pages, eventually, launch, open, settle, state } from "./browser.mjs";
import { chunk_bytes, page_html } from "./encoder.mjs";
import { made_run, page_of } from "./made_runs.mjs";

// A run of which `shown` frames exist so far.
class GrowingRun {
  constructor(frames) {
    this.whole = made_run({ name: "growing", frames });
    this.frames = Array.from({ length: frames }, (_, f) => {
      const n = this.whole.run.motion.vertices;
      return {
        x: Array.from({ length: 3 * n }, (_value, i) => (i % 3) + Math.sin(i + 0.1 * f)),
        speed: new Array(n).fill(f),
        energy: new Array(n).fill(1),
      };
    });
    this.shown = 0;
    this.status = "running";
    this.asked = [];
  }
  data() {
    const run = structuredClone(this.whole.run);
    run.run.status = this.status;
    run.run.steps = this.shown;
    const cut = (table) => ({
      ...table,
      rows: this.shown,
      columns: table.columns.map((column) => column.slice(0, this.shown)),
    });
    run.energy = this.shown ? cut(run.energy) : null;
    run.probes = this.shown ? cut(run.probes) : null;
    run.motion = this.shown
      ? { ...run.motion, times: run.motion.times.slice(0, this.shown), frames_in_run: this.shown, chunks: [] }
      : null;
    return run;
  }
  answer(path) {
    if (path === "/")
      return ["text/html", page_html({ ...page_of({ run: this.data() }), served: { poll_seconds: 0.2 } })];
    if (path === "/runs/0/status.json")
      return [
        "application/json",
        JSON.stringify({
          status: this.status,
          steps: this.shown,
          steps_planned: 80,
          frames: this.shown,
          version: this.shown + (this.status === "running" ? 0 : 1000),
        }),
      ];
    if (path === "/runs/0/data.json") return ["application/json", JSON.stringify(this.data())];
    const range = /^\/runs\/0\/frames\/(\d+)-(\d+)$/.exec(path);
    if (!range || Number(range[1]) + Number(range[2]) > this.shown) return null;
    this.asked.push(Number(range[1]));
    return [
      "application/octet-stream",
      deflateSync(chunk_bytes(this.frames.slice(Number(range[1]), Number(range[1]) + Number(range[2])))),
    ];
  }
}

describe("a served page", { timeout: 300000 }, () => {
  let browser, server, run, address;
  before(async () => {
    browser = await launch();
    server = createServer((request, response) => {
      const answer = run.answer(request.url);
      response.writeHead(answer ? 200 : 404, { "content-type": answer?.[0] ?? "text/plain" });
      response.end(answer?.[1] ?? "");
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    address = `http://127.0.0.1:${server.address().port}/`;
  });
  afterEach(() => close_pages(browser));
  after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });
  const at_frame = (page, frame) =>
    page.waitForFunction((wanted) => window.phiflex.views[0]?.frame === wanted, frame);

  test("a run that grows from nothing is followed until the reader looks elsewhere", async () => {
    run = new GrowingRun(61);
    const { page, problems } = await open(browser, address);
    assert.match(await page.locator(".no-picture").innerText(), /No frames yet/);
    run.shown = 20;
    await at_frame(page, 19);
    await eventually(async () =>
      assert.match(await page.locator(".badge").innerText(), /running, step 20 of 80/),
    );
    run.shown = 41;
    await at_frame(page, 40);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    run.shown = 50;
    await page.waitForFunction(() => window.phiflex.times.length === 50);
    await settle(page);
    assert.equal((await state(page)).views[0].frame, 1);
    await page.keyboard.press("End");
    run.shown = 61;
    run.status = "done";
    await at_frame(page, 60);
    await page.waitForFunction(() => document.querySelector(".badge").textContent === "done");
    assert.deepEqual(problems(), []);
  });

  test("a run begun anew is read anew", async () => {
    run = new GrowingRun(61);
    run.shown = 40;
    const { page } = await open(browser, address);
    await at_frame(page, 39);
    run.shown = 5;
    await page.waitForFunction(() => window.phiflex?.times.length === 5);
  });

  test("a finished run is fetched chunk by chunk from the start, each once", async () => {
    run = new GrowingRun(61);
    run.shown = 61;
    run.status = "done";
    const { page } = await open(browser, address);
    await page.waitForFunction(() => window.phiflex.loaded[0] === 61);
    assert.equal(run.asked[0], 0);
    assert.deepEqual(
      [...run.asked].sort((a, b) => a - b),
      [0, 16, 32, 48],
    );
  });
});
