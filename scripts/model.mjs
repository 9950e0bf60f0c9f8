// `npm run model`: every random test in full, with 20,000 random schedules and 20,000 runs before an adversarial gateway: about half an
// hour on two cores.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build/bundles.mjs";
import { endChildrenOnSignals, startChild } from "./children.mjs";
import { installChromium } from "./install/chromium.mjs";
import { installWorkbench } from "./install/workbench.mjs";

const root = join(import.meta.dirname, "..");
const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
const files = globSync(["test/**/*.test.ts", "packages/*/test/**/*.test.ts"], { cwd: root })
  .filter((file) => readFileSync(join(root, file), "utf8").includes("howOften("))
  .sort();

endChildrenOnSignals();
installChromium();
await installWorkbench();
await build(root);
const env = { FINALITY_RANDOM: "full", ...process.env };
const child = startChild(process.execPath, [mocha, ...files], { cwd: root, env, stdio: "inherit" });
process.exitCode = await new Promise((resolve) => child.once("exit", resolve));
