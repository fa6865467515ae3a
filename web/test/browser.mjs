// A real browser without a window, drawing in software.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";
import { chromium } from "playwright-core";

const known = [
  process.env.PHIFLEX_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
export const browser_path = known.find((path) => path && existsSync(path));

// A test waits for what it expects, not for a time: on a busy machine everything comes, later. Only what never comes
// takes this long, in ms.
export const patience = 120000;

export function launch(...more) {
  return chromium.launch({
    executablePath: browser_path,
    headless: true,
    timeout: patience,
    args: ["--no-sandbox", "--enable-unsafe-swiftshader", ...more],
  });
}

export function scratch_folder() {
  const folder = mkdtempSync(join(tmpdir(), "phiflex-web-"));
  return {
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
    address_of: (name, html) => {
      writeFileSync(join(folder, name), html);
      return pathToFileURL(join(folder, name)).href;
    },
  };
}

// Repeats `check` until it no longer throws and returns its result; throws its last complaint when patience ends.
export async function eventually(check) {
  for (const end = performance.now() + patience; ; ) {
    try {
      return await check();
    } catch (complaint) {
      if (performance.now() > end) throw complaint;
    }
    await new Promise((again) => setTimeout(again, 50));
  }
}

// Pages of a test that failed must not go on asking the server of the next one.
export async function close_pages(browser) {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

// Opens a page with a still picture; `problems` collects what the browser complains about.
export async function open(
  browser,
  address,
  { width = 1280, height = 800, motion = "reduce", scheme = "light" } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: motion,
    colorScheme: scheme,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage(),
    problems = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("requestfailed", (request) => problems.push(`request failed: ${request.url()}`));
  await page.goto(address);
  await page.waitForFunction(() => window.phiflex?.ready);
  return {
    page,
    problems: () => problems.filter((text) => !/GPU stall due to ReadPixels/.test(text)),
    close: () => context.close(),
  };
}

export const state = (page) => page.evaluate(() => window.phiflex);

// After everything asked for has arrived and has been drawn.
export async function settle(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
  await page.waitForFunction(() => window.phiflex.settled);
}

// Pixels of a PNG as browsers write them: 8 bits, not interlaced, RGB or RGBA.
export function pixels_of(png) {
  const width = png.readUInt32BE(16),
    height = png.readUInt32BE(20),
    channels = png[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at),
      kind = png.toString("latin1", at + 4, at + 8);
    if (kind === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts)),
    row = width * channels,
    pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (row + 1)];
    for (let i = 0; i < row; ++i) {
      const left = i >= channels ? pixels[y * row + i - channels] : 0,
        up = y ? pixels[(y - 1) * row + i] : 0;
      const corner = y && i >= channels ? pixels[(y - 1) * row + i - channels] : 0;
      const away = (v) => Math.abs(left + up - corner - v);
      const paeth =
        away(left) <= away(up) && away(left) <= away(corner) ? left : away(up) <= away(corner) ? up : corner;
      const guess = [0, left, up, (left + up) >> 1, paeth][filter];
      pixels[y * row + i] = raw[y * (row + 1) + 1 + i] + guess;
    }
  }
  return { width, height, channels, pixels };
}

// The picture alone, without the handles that lie over it.
export async function picture(page) {
  await settle(page);
  const box = await page.locator(".stage canvas").boundingBox();
  const png = await page.screenshot({
    clip: {
      x: box.x + 0.2 * box.width,
      y: box.y + 0.15 * box.height,
      width: 0.6 * box.width,
      height: 0.65 * box.height,
    },
  });
  return pixels_of(png);
}

// The share of pixels that differ by more than some of 256 levels.
export function differing(a, b, levels = 8) {
  let count = 0;
  for (let i = 0; i < a.pixels.length; i += a.channels)
    if ([0, 1, 2].some((k) => Math.abs(a.pixels[i + k] - b.pixels[i + k]) > levels)) ++count;
  return count / (a.width * a.height);
}

export function distinct_colors({ pixels, channels }) {
  const seen = new Set();
  for (let i = 0; i < pixels.length; i += channels)
    seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
  return seen.size;
}
