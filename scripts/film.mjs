// `npm run film`: a newcomer from an empty profile, as far as the price of a call, in English and in Chinese, as
// .cache/film/newcomer-*.webp; and pictures of every page and dialog in both at 200 %, at which `npm test` looks in
// marked letters.

import { join } from "node:path";
import { build } from "./build/bundles.mjs";
import { endChildrenOnSignals, startChild } from "./children.mjs";
import { installChromium } from "./install/chromium.mjs";
import { installWorkbench } from "./install/workbench.mjs";

const root = join(import.meta.dirname, "..");
endChildrenOnSignals();
installChromium();
await installWorkbench();
await build(root);
const mocha = join(root, "node_modules", ".bin", "mocha");
const child = startChild(mocha, ["test/film/*.test.ts"], { cwd: root, stdio: "inherit" });
process.exitCode = await new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
