// `npm run pictures [-- NAME …]`: takes the pictures of the documentation from the running product, all of them or those
// of the tests that take one whose name has such a word: docs/testing.md names the browser test of each.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build/bundles.mjs";
import { endChildrenOnSignals, startChild } from "./children.mjs";
import { installWorkbench } from "./install/workbench.mjs";

const root = join(import.meta.dirname, "..");
const ROW = /^\| `images\/([\w-]+)\.webp` \| `(test\/browser\/[\w-]+\.test\.ts)` \|$/gm;

endChildrenOnSignals();
const rows = [...readFileSync(join(root, "docs/testing.md"), "utf8").matchAll(ROW)];
const words = process.argv.slice(2);
const wanted = rows.filter(([, name = ""]) => words.length === 0 || words.some((word) => name.includes(word)));
const files = new Set(wanted.map(([, , file = ""]) => file));
if (files.size === 0) {
  console.error(`No picture is named like ${words.join(", ")}. There are ${rows.map(([, name]) => name).join(", ")}.`);
  process.exit(2);
}
await installWorkbench();
await build(root);
for (const file of files) {
  const mocha = join(root, "node_modules", ".bin", "mocha");
  const env = { ...process.env, FINALITY_DOC_IMAGES: "1" };
  const child = startChild(mocha, [file], { cwd: root, env, stdio: "inherit" });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) process.exitCode = 1;
}
