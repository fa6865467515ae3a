// Bundles src/main.ts into one classic script and one style sheet.   node build.mjs OUTDIR
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
mkdirSync(out, { recursive: true });

await build({
  absWorkingDir: here,
  entryPoints: { viewer: "src/main.ts" },
  outdir: out,
  bundle: true,
  format: "iife",
  target: "es2020",
  minify: true,
  charset: "utf8",
  legalComments: "eof",
  logLevel: "warning",
});

const { dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const licenses = Object.entries(dependencies).map(
  ([name, version]) =>
    `${name} ${version}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}\n`,
);
writeFileSync(join(out, "third_party_licenses.txt"), licenses.join(`\n${"-".repeat(80)}\n\n`));
