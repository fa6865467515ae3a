// Pictures of the page for the documentation, from runs made on the spot.   node web/screenshots.mjs PROGRAM OUTDIR
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, open, scratch_folder, settle } from "./test/browser.mjs";
import { ended, start_live } from "./test/live_client.mjs";

const [program, out] = process.argv.slice(2);
if (!out) throw new Error("usage: node web/screenshots.mjs PROGRAM OUTDIR");
const scene = new URL("../scenes/bar-drop/scene.json", import.meta.url).pathname;
const scratch = scratch_folder(),
  browser = await launch();
execFileSync(program, ["run", scene, "-o", join(scratch.folder, "run"), "--quiet"]);
execFileSync(program, [
  ...["compare", scene, "--integrators", "be,si,siere,em", "--set", "/time/end=1"],
  ...["-o", join(scratch.folder, "compare"), "--quiet"],
]);

async function picture(folder, name, { scheme, keys }) {
  const address = pathToFileURL(join(scratch.folder, folder, "report.html")).href;
  const { page, close } = await open(browser, address, { width: 1440, height: 860, scheme });
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForFunction(() => window.phiflex.loaded.every((frames) => frames > 0));
  await settle(page);
  await page.screenshot({ path: join(out, `${name}.png`) });
  await close();
}
// A bar that is pulled, in two views.
async function live_picture() {
  const { server, address } = await start_live(program, [scene, "--integrators", "si,em", "-o", scratch.folder]);
  const { page, close } = await open(browser, address, { width: 1440, height: 860 });
  await page.keyboard.press("2");
  await page.waitForFunction(() => window.phiflex.t > 1.2);
  await page.keyboard.press(" "); // nothing moves while the pointer takes hold
  await page.waitForFunction(() => window.phiflex.paused);
  const { x, y } = (await page.evaluate(() => window.phiflex)).far[1];
  await page.mouse.move(x - 8, y + 5);
  await page.mouse.down();
  await page.waitForFunction(() => window.phiflex.grips.length === 1);
  await page.keyboard.press(" ");
  for (let i = 1; i <= 20; ++i) {
    await page.mouse.move(x - 8 - 2 * i, y + 5 - 7 * i);
    await page.waitForTimeout(30);
  }
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(out, "live.png") });
  await page.mouse.up();
  await close();
  await ended(server, "SIGINT");
}
const forward = (frames) => new Array(frames).fill("ArrowRight");
await picture("run", "viewer_report", { scheme: "light", keys: [...forward(27), "c", "c"] });
await picture("compare", "viewer_comparison", { scheme: "dark", keys: forward(60) });
await live_picture();
await browser.close();
scratch.remove();
