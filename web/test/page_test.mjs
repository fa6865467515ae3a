// The page in a real browser, with runs made up by formulas.   node --test web/test/page_test.mjs
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
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
import { page_html } from "./encoder.mjs";
import { comparison_of, made_run, page_of } from "./made_runs.mjs";

describe("the page", { timeout: 600000 }, () => {
  let browser, scratch;
  before(async () => {
    scratch = scratch_folder();
    browser = await launch();
  });
  afterEach(() => close_pages(browser));
  after(async () => {
    await browser.close();
    scratch.remove();
  });

  const address_of = (name, data, ...chunks) => scratch.address_of(name, page_html(data, chunks));
  const one_run = (options) => {
    const made = made_run(options);
    return address_of(`${made.run.name}.html`, page_of(made), made.chunks);
  };
  const press = async (page, key, times = 1) => {
    for (let i = 0; i < times; ++i) await page.keyboard.press(key);
  };

  test("opens from disk without a complaint, asks the network for nothing and draws the body", async () => {
    const { page, problems } = await open(browser, one_run({ name: "plain" }));
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    const drawn = await picture(page);
    assert.ok(distinct_colors(drawn) > 20, `${distinct_colors(drawn)} colours`);
    assert.deepEqual(problems(), []);
    assert.deepEqual(requests, []);
    assert.match(await page.locator("h1").innerText(), /plain/);
  });

  test("nothing is drawn while nothing changes", async () => {
    const { page } = await open(browser, one_run({ name: "quiet" }));
    await settle(page);
    const { drawn } = await state(page);
    await page.waitForTimeout(400);
    assert.equal((await state(page)).drawn, drawn);
  });

  test("playing moves the clock and the picture, pausing holds both", async () => {
    const { page } = await open(browser, one_run({ name: "playing" }));
    const first = await picture(page);
    await page.getByRole("button", { name: "Play" }).click();
    // Pressed in the page itself, before the motion can begin anew.
    await page.waitForFunction(() => {
      if (window.phiflex.views[0].frame <= 8) return false;
      document.querySelector(".transport [aria-label=Pause]").click();
      return true;
    });
    const { time } = await state(page),
      second = await picture(page),
      third = await picture(page);
    assert.ok(time > 0);
    assert.ok(differing(first, second) > 0.01, `${differing(first, second)}`);
    assert.equal(differing(second, third), 0);
    assert.equal((await state(page)).time, time);
  });

  test("it plays by itself, but not for readers who want less motion", async () => {
    const address = one_run({ name: "autoplay" });
    const lively = await open(browser, address, { motion: "no-preference" });
    await eventually(async () => assert.equal((await state(lively.page)).playing, true));
    const calm = await open(browser, address);
    assert.equal((await state(calm.page)).playing, false);
  });

  test("the slider moves body and plot cursor together", async () => {
    const { page } = await open(browser, one_run({ name: "slider" }));
    const cursor = () =>
      page.locator("#energy .time-cursor").evaluate((line) => line.getBoundingClientRect().left);
    const area = await page.locator("#energy .u-over").boundingBox();
    for (const part of [0.25, 0.8, 0.5]) {
      await page.locator(".transport input").evaluate(
        (slider, value) => {
          slider.value = value;
          slider.dispatchEvent(new Event("input"));
        },
        String(2 * part),
      );
      await settle(page);
      const { views, times } = await state(page);
      assert.ok(Math.abs(times[views[0].frame] - 2 * part) <= 1 / 30 + 1e-9);
      // The cursor is drawn to a tenth of a pixel, its line is one pixel wide.
      assert.ok(Math.abs((await cursor()) - (area.x + part * area.width)) < 1.2);
    }
  });

  test("a press on a plot sets the time", async () => {
    const { page } = await open(browser, one_run({ name: "press" }));
    const area = await page.locator("#energy .u-over").boundingBox();
    await page.mouse.click(area.x + 0.75 * area.width, area.y + 30);
    await eventually(async () => {
      const { time, views } = await state(page);
      assert.ok(Math.abs(time - 1.5) < 0.02, `${time}`);
      assert.equal(views[0].time, time);
    });
  });

  test("rounding errors read as 0 in the legend of a plot", async () => {
    const { page } = await open(browser, one_run({ name: "rounding", rounding: 1.7e-14 }));
    const elastic = page.locator("#energy .curves button", { hasText: "elastic" }).locator(".curve-value");
    await eventually(async () => assert.equal(await elastic.innerText(), "0 J"));
  });

  test("every way of colouring looks different and says what it means", async () => {
    const { page } = await open(browser, one_run({ name: "colors" }));
    await press(page, "ArrowRight", 20);
    const seen = [],
      legends = [];
    for (const mode of ["plain", "speed", "displacement", "strain energy", "region"]) {
      await page.getByLabel("Colour by").selectOption(mode);
      seen.push(await picture(page));
      const legend = page.locator(".color-legend");
      legends.push((await legend.isVisible()) ? await legend.innerText() : "");
    }
    for (let i = 0; i < seen.length; ++i)
      for (let j = 0; j < i; ++j)
        assert.ok(differing(seen[i], seen[j]) > 0.02, `${i} and ${j}: ${differing(seen[i], seen[j])}`);
    assert.match(legends[1], /speed[^]*\d m?m\/s/);
    assert.match(legends[2], /displacement[^]*\d m?m/);
    assert.match(legends[3], /energy density[^]*J\/m³/);
    assert.match(legends[4], /region 0[^]*region 1/);
  });

  // A sheet under stress on its right half, stretched and squeezed along it, pushed up at one end.
  const fields = [
    { name: "von_mises", unit: "Pa", at_rest: 0, value: (u) => 45000 * u * u },
    { name: "J", unit: "", at_rest: 1, value: (u) => 1 + 0.2 * Math.sin(6 * u) },
    { name: "contact_force_x", unit: "N", at_rest: 0, value: () => 0 },
    { name: "contact_force_y", unit: "N", at_rest: 0, value: (u, _v, t) => (u > 0.9 && t > 0.5 ? 3 : 0) },
    { name: "contact_force_z", unit: "N", at_rest: 0, value: () => 0 },
  ];

  test("recorded fields are coloured with their names, units and ranges", async () => {
    const { page, problems } = await open(browser, one_run({ name: "fields", fields }));
    const select = page.getByLabel("Colour by"),
      plain = await picture(page);
    assert.deepEqual((await select.locator("option").allInnerTexts()).slice(5), [
      "von Mises stress",
      "volume ratio J",
    ]);
    await select.selectOption({ label: "von Mises stress" });
    const stress = await picture(page);
    const legend = await page.locator(".color-legend").innerText();
    assert.match(legend, /von Mises stress[^]*0[^]*22\.5 kPa[^]*45 kPa/);
    await page.locator(".stage canvas").focus();
    await press(page, "c");
    await eventually(async () => assert.equal(await select.inputValue(), "J"));
    const volume = await picture(page);
    assert.match(await page.locator(".color-legend").innerText(), /volume ratio J[^]*0\.8[^]*1[^]*1\.2/);
    assert.ok(differing(plain, stress) > 0.05 && differing(stress, volume) > 0.05);
    await press(page, "c");
    await eventually(async () => assert.equal(await select.inputValue(), "plain"));
    assert.deepEqual(problems(), []);
  });

  test("runs of a comparison share the scale of a field, and a run without it keeps its colour", async () => {
    const twice = fields.slice(0, 1).map((field) => ({ ...field, value: (u) => 90000 * u }));
    const made = [
      made_run({ name: "a", fields: fields.slice(0, 1) }),
      made_run({ name: "b", fields: twice }),
      made_run({ name: "c" }),
    ];
    const address = address_of("fields-of-two.html", page_of(...made), ...made.map((one) => one.chunks));
    const { page, problems } = await open(browser, address);
    const first = await picture(page);
    await page.getByLabel("Colour by").selectOption("von_mises");
    await eventually(async () =>
      assert.match(await page.locator(".color-legend").innerText(), /45 kPa[^]*90 kPa/),
    );
    assert.ok(differing(first, await picture(page)) > 0.05);
    assert.deepEqual(problems(), []);
  });

  test("forces of contact are drawn as arrows on request, where they were recorded", async () => {
    const bare = await open(browser, one_run({ name: "no-forces" }));
    assert.equal(await bare.page.getByRole("button", { name: "Contact forces" }).count(), 0);
    const { page, problems } = await open(browser, one_run({ name: "forces", fields }));
    await press(page, "End");
    const without = await picture(page);
    assert.equal((await state(page)).arrows, 0);
    await page.getByRole("button", { name: "Contact forces" }).click();
    const drawn = await picture(page);
    assert.match(await page.locator(".color-legend").innerText(), /contact forces[^]*3 N/);
    assert.equal((await state(page)).arrows, 3 * 11); // columns of u > 0.9, 11 vertices each
    assert.ok(differing(without, drawn) > 0.002, `${differing(without, drawn)}`);
    await press(page, "Home"); // nothing touches yet
    await picture(page);
    assert.equal((await state(page)).arrows, 0);
    await press(page, "v");
    await press(page, "End");
    assert.equal(differing(without, await picture(page)), 0);
    assert.deepEqual(problems(), []);
  });

  test("edges, shading, turning and fitting change the picture", async () => {
    const { page } = await open(browser, one_run({ name: "looks", columns: 20, rows: 6, wave: 0.08 }));
    const first = await picture(page);
    await press(page, "w");
    const over = await picture(page);
    await press(page, "w");
    const alone = await picture(page);
    await press(page, "w");
    assert.ok(
      differing(first, over) > 0.01 &&
        differing(over, alone) > 0.05 &&
        differing(first, await picture(page)) === 0,
    );
    await press(page, "s");
    assert.ok(differing(first, await picture(page), 1) > 0.005);
    await press(page, "s");
    const box = await page.locator(".stage canvas").boundingBox();
    await page.mouse.move(box.x + 200, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 320, box.y + 230, { steps: 4 });
    await page.mouse.up();
    await page.mouse.wheel(0, -400);
    assert.ok(differing(first, await picture(page)) > 0.05);
    await press(page, "1");
    assert.equal(differing(first, await picture(page)), 0);
  });

  test("everything works by keyboard alone", async () => {
    const { page } = await open(browser, one_run({ name: "keys" }));
    const now = async () => (await state(page)).views[0].frame;
    await press(page, "ArrowRight", 3);
    await settle(page);
    assert.equal(await now(), 3);
    await press(page, "Shift+ArrowRight");
    await press(page, "ArrowLeft");
    await settle(page);
    assert.equal(await now(), 12);
    await press(page, "End");
    await settle(page);
    assert.equal(await now(), 60);
    await press(page, "Home");
    await settle(page);
    assert.equal(await now(), 0);
    const { speed, loop } = await state(page);
    await press(page, "+");
    await eventually(async () => assert.ok((await state(page)).speed > speed));
    await press(page, "-", 2);
    await eventually(async () => assert.ok((await state(page)).speed < speed));
    await press(page, "l");
    await eventually(async () => assert.equal((await state(page)).loop, !loop));
    await press(page, "l");
    for (const playing of [true, false]) {
      await press(page, "Space");
      await eventually(async () => assert.equal((await state(page)).playing, playing));
    }
    for (const key of ["a", "q", "z", "2", "3", "4"]) {
      const before_key = await picture(page);
      await press(page, key);
      assert.ok(differing(before_key, await picture(page)) > 0.005, key);
    }
    await press(page, "c");
    await eventually(async () => assert.equal(await page.getByLabel("Colour by").inputValue(), "speed"));
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "light");
    await press(page, "t");
    await eventually(async () => assert.equal(await theme(), "dark"));
    await press(page, "?");
    await page.getByRole("dialog").waitFor({ state: "visible" });
    await press(page, "Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  test("the focus goes through every handle and is always visible", async () => {
    const { page } = await open(browser, one_run({ name: "focus" }));
    const handles = await page
      .locator("button, select, input, canvas[tabindex], summary")
      .evaluateAll(
        (all) =>
          all.filter((one) => one.checkVisibility() && !one.disabled && !one.closest("dialog:not([open])"))
            .length,
      );
    const reached = new Set();
    for (let i = 0; i < handles + 5; ++i) {
      await press(page, "Tab");
      const seen = await page.evaluate(() => {
        const at = document.activeElement,
          style = getComputedStyle(at);
        const all = [...document.querySelectorAll("button, select, input, canvas[tabindex], summary")];
        return {
          index: all.indexOf(at),
          outline: parseFloat(style.outlineWidth),
          named: Boolean(at.getAttribute("aria-label") || at.textContent.trim()),
        };
      });
      if (seen.index < 0) continue;
      reached.add(seen.index);
      assert.ok(seen.outline >= 1, `handle ${seen.index} shows no focus`);
      assert.ok(seen.named, `handle ${seen.index} has no name`);
    }
    assert.equal(reached.size, handles);
  });

  test("at a width of 400 pixels nothing is cut off and nothing scrolls sideways", async () => {
    const { page } = await open(browser, one_run({ name: "narrow" }), { width: 400, height: 760 });
    await settle(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
    const beyond = await page
      .locator("button, select, input, canvas")
      .evaluateAll(
        (all) =>
          all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > 400.5).length,
      );
    assert.equal(beyond, 0);
    assert.ok(distinct_colors(await picture(page)) > 20);
  });

  test("dark and light follow the system", async () => {
    const address = one_run({ name: "themes" });
    const back = ({ page }) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await open(browser, address),
      dark = await open(browser, address, { scheme: "dark" });
    assert.notEqual(await back(light), await back(dark));
    assert.ok(differing(await picture(light.page), await picture(dark.page)) > 0.3);
  });

  test("a comparison shows every integrator, with one clock and one camera", async () => {
    const names = ["si@0.01", "be@0.01", "siere@0.02", "em@0.01", "rk4@0.001", "auto@0.01"];
    // Runs with different numbers of frames: the clock is one all the same.
    const made = names.map((name, i) =>
      made_run({ name, damping: 0.2 * i, frames: i % 2 ? 31 : 61, change: { method: name.split("@")[0] } }),
    );
    const data = page_of(...made);
    data.kind = "compare";
    data.comparison = comparison_of(
      made,
      Array.from({ length: 60 }, (_, i) => i / 30),
    );
    const { page, problems } = await open(
      browser,
      address_of("compare.html", data, ...made.map((one) => one.chunks)),
    );
    for (const name of names) {
      assert.equal(await page.locator(".view-label", { hasText: name }).count(), 1);
      assert.equal(await page.locator("#runs tbody tr", { hasText: name }).count(), 1);
      for (const id of ["energy", "ledger", "position-error", "velocity-error"])
        assert.equal(await page.locator(`#${id} .curves button`, { hasText: name }).count(), 1);
    }
    assert.equal(await page.locator("#work-precision canvas").count(), 1);
    const check = async () => {
      const { views, time } = await state(page);
      assert.equal(views.length, 6);
      for (const [i, view] of views.entries()) {
        assert.equal(view.time, time);
        assert.equal(view.frame, Math.floor((time / 2) * (i % 2 ? 30 : 60) + 1e-6), view.name);
      }
    };
    await press(page, "ArrowRight", 21);
    await settle(page);
    await check();
    await press(page, "Space");
    await page.waitForFunction(() => window.phiflex.time > 1.1);
    await press(page, "Space");
    await settle(page);
    await check();
    const apart = await picture(page);
    await press(page, "o");
    const overlaid = await picture(page);
    assert.ok(differing(apart, overlaid) > 0.05);
    await press(page, "a");
    assert.ok(differing(overlaid, await picture(page)) > 0.02);
    assert.deepEqual(problems(), []);
    const narrow = await open(browser, address_of("compare.html", data, ...made.map((one) => one.chunks)), {
      width: 400,
      height: 760,
    });
    await settle(narrow.page);
    assert.equal(await narrow.page.evaluate(() => document.documentElement.scrollWidth), 400);
  });

  test("what went wrong is said in words", async () => {
    const words = async (made) => {
      const { page, problems, close } = await open(
        browser,
        address_of("words.html", page_of(made), made.chunks),
      );
      const text = await page.locator("body").innerText();
      assert.deepEqual(problems(), []);
      await close();
      return text;
    };
    assert.match(await words(made_run({ motion: false, change: { frames: 0 } })), /This run wrote no frames/);
    const failed = await words(
      made_run({
        frames: 0,
        motion: false,
        change: { status: "failed", reason: "Newton's method did not converge", seconds: {}, counts: {} },
      }),
    );
    assert.match(failed, /failed/);
    assert.match(failed, /Newton's method did not converge/);
    assert.match(failed, /failed before it wrote a frame/);
    assert.match(failed, /wrote no row of energies/);
    assert.match(
      await words(made_run({ change: { warnings: ["key 'modes' is not used by si"] } })),
      /key 'modes' is not used/,
    );
    assert.match(await words(made_run({ damping: 1 })), /took \S+ \S*J; the motion never had more than \S+ \S*J/);
    assert.match(
      await words(made_run({ change: { status: "limit", reason: "1 GB of output" } })),
      /stopped at a limit/,
    );
    const bare = {
      run: {
        name: "bare",
        folder: "",
        reference: false,
        run: {},
        energy: null,
        probes: null,
        motion: null,
        remarks: ["nothing to read"],
      },
      chunks: [],
    };
    assert.match(await words(bare), /nothing to read/);
  });

  test("text from the data is never taken for markup", async () => {
    const evil = "<img src=x onerror=document.title='taken'>";
    const { page } = await open(
      browser,
      one_run({
        name: "evil",
        change: {
          reason: evil,
          warnings: [evil],
          notes: [evil],
          method: evil,
          scene: { name: evil, bodies: [{ name: evil }], integrator: { type: evil } },
        },
      }),
    );
    assert.equal(await page.locator("img").count(), 0);
    assert.notEqual(await page.title(), "taken");
  });

  test("a chunk that cannot be read is reported, the others play on", async () => {
    const made = made_run({ name: "damaged" });
    made.chunks[1] = Buffer.from("not compressed");
    const { page } = await open(browser, address_of("damaged.html", page_of(made), made.chunks));
    await page.waitForFunction(() =>
      /could not be read/.test(document.querySelector(".stage-note").textContent),
    );
    await press(page, "End");
    await settle(page);
    assert.equal((await state(page)).views[0].frame, 60);
  });

  test("springs alone are drawn, and obstacles with them", async () => {
    const made = made_run({
      name: "springs",
      contacts: [
        { type: "floor", height: 0 },
        { type: "sphere", center: [0.5, 0.1, 0.2], radius: 0.1 },
        { type: "capsule", from: [0, 0.1, 0], to: [0, 0.1, 0.4], radius: 0.05 },
        {
          type: "box",
          center: [1, 0.1, 0],
          size: [0.1, 0.2, 0.1],
          rotate: [[0, 1, 0], 30],
          motion: {
            keys: [
              { time: 0, translate: [0, 0, 0], rotate: [[0, 0, 1], 0] },
              { time: 2, translate: [0, 0.3, 0], rotate: [[0, 0, 1], 90] },
            ],
          },
        },
        { type: "plane", point: [0, 0, -0.3], normal: [0, 0, 1] },
        { type: "something later" },
      ],
    });
    const empty = await import("./encoder.mjs");
    made.run.motion.triangles = empty.packed(new Int32Array(0));
    made.run.motion.triangle_region = made.run.motion.triangle_body = "";
    const { page, problems } = await open(
      browser,
      address_of("springs.html", page_of(made), made.chunks),
    );
    assert.ok(distinct_colors(await picture(page)) > 20);
    const first = await picture(page);
    await press(page, "End");
    assert.ok(differing(first, await picture(page)) > 0.001);
    assert.deepEqual(problems(), []);
  });

  test("jumps through 1,000 frames show every frame asked for, and cost no more than jumps within one chunk", async (t) => {
    const made = made_run({ name: "long", frames: 1000, end: 10, columns: 16, rows: 8 });
    const { page } = await open(browser, address_of("long.html", page_of(made), made.chunks));
    await page.waitForFunction(() => window.phiflex.loaded[0] === 1000);
    await page.getByLabel("Colour by").selectOption("speed");
    await settle(page);
    // Jumps of both kinds in turn, so that other programs on the machine slow both alike. A jump is timed from the
    // beginning of its drawing until a pixel has been read back: no work is put off.
    const ms = await page.evaluate(async () => {
      const slider = document.querySelector(".transport input"),
        gl = document.querySelector(".stage canvas").getContext("webgl2"),
        pixel = new Uint8Array(4),
        times = window.phiflex.times;
      const jump = (wanted) =>
        new Promise((done, failed) => {
          let begin = 0;
          requestAnimationFrame(() => (begin = performance.now()));
          slider.value = times[wanted];
          slider.dispatchEvent(new Event("input")); // asks for a drawing after the line above
          requestAnimationFrame(() => {
            gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
            const shown = window.phiflex.views[0].frame;
            if (shown === wanted) done(performance.now() - begin);
            else failed(new Error(`frame ${shown} instead of ${wanted}`));
          });
        });
      const far = [],
        near = [];
      for (let i = 1; i <= 80; ++i) {
        far.push(await jump((i * 37) % times.length));
        near.push(await jump(i % 8));
      }
      const median = (values) => values.sort((a, b) => a - b)[values.length / 2];
      return { far: median(far), near: median(near) };
    });
    t.diagnostic(`a jump anywhere: ${ms.far.toFixed(1)} ms, within a chunk: ${ms.near.toFixed(1)} ms`);
    assert.ok(ms.far < 2 * ms.near, JSON.stringify(ms));
  });
});

describe("without WebGL", { timeout: 300000 }, () => {
  test("the page says so, and plots and time still work", async (t) => {
    const browser = await launch("--disable-gpu", "--disable-3d-apis"),
      scratch = scratch_folder();
    t.after(async () => {
      await browser.close();
      scratch.remove();
    });
    const made = made_run({ name: "flat" });
    const { page } = await open(
      browser,
      scratch.address_of("flat.html", page_html(page_of(made), [made.chunks])),
    );
    assert.match(await page.locator(".no-picture").innerText(), /no WebGL/);
    await page.keyboard.press("ArrowRight");
    await eventually(async () => assert.ok((await state(page)).time > 0));
    assert.equal(await page.locator("#energy canvas").count(), 1);
  });
});
