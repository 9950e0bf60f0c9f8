// `npm run package`: builds everything and packs it as finality-<version>.vsix.

import { join } from "node:path";
import { build } from "./build/bundles.mjs";
import { endChildrenOnSignals } from "./children.mjs";
import { runToEnd } from "./run-to-end.mjs";

const root = join(import.meta.dirname, "..");
endChildrenOnSignals();
await build(root);
const vsce = join(root, "node_modules", ".bin", "vsce");
const { code, output } = await runToEnd(
  vsce,
  ["package", "--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"],
  root,
);
console.log(output);
process.exitCode = code;
