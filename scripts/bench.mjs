// `npm run bench`: every measurement of test/bench, one after the other.

import { globSync } from "node:fs";
import { join } from "node:path";
import { buildIfStale } from "./build/bundles.mjs";
import { endChildrenOnSignals, startChild } from "./children.mjs";
import { installPeers } from "./install/peers.mjs";

const root = join(import.meta.dirname, "..");
endChildrenOnSignals();
await buildIfStale(root);
await installPeers();
for (const file of globSync("test/bench/*.ts", { cwd: root }).sort()) {
  console.log(`── ${file}`);
  const child = startChild(process.execPath, [file, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) process.exitCode = 1;
}
