// `npm run chain -- [arguments]`: the embedded chain alone. On stdout is nothing but what the chain says.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildIfStale } from "./build/bundles.mjs";
import { endChildrenOnSignals, startChild } from "./children.mjs";
import { localChainEnvironment, localChainProgram } from "./local-chain.mjs";

const root = join(import.meta.dirname, "..");
endChildrenOnSignals();
await buildIfStale(root);
if (!existsSync(localChainProgram(root))) {
  console.error("dist/local-chain.js is not there: packages/local-chain/src/main.ts has not been built.");
  process.exit(1);
}
const child = startChild(process.execPath, [localChainProgram(root), ...process.argv.slice(2)], {
  env: localChainEnvironment,
  stdio: "inherit",
});
child.once("exit", (code) => process.exit(code ?? 1));
