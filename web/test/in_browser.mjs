// Runs the tests that need a browser, or those that are named; says so and returns 77 (skipped) when there is none.
//   node web/test/in_browser.mjs [page_test.mjs] [served_test.mjs] [real_run_test.mjs] [live_test.mjs]
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { browser_path } from "./browser.mjs";

if (!browser_path) {
  console.log(
    "SKIPPED: no chromium here. tools/install_dependencies.sh test installs it; PHIFLEX_CHROMIUM names another one.",
  );
  process.exit(77);
}
const named = process.argv.slice(2);
for (const name of named.length ? named : ["page_test.mjs", "served_test.mjs", "real_run_test.mjs", "live_test.mjs"]) {
  const { status } = spawnSync(process.execPath, ["--test", fileURLToPath(new URL(name, import.meta.url))], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
