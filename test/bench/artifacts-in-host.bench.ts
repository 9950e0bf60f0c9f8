// Measures indexing of 2,000 artifacts of 200 MB in the real extension host, and the longest time that it blocks the host.

import { spawnSync } from "node:child_process";
import { join } from "node:path";

const run = spawnSync(process.execPath, [join(import.meta.dirname, "../integration/run.ts"), "explanations"], {
  encoding: "utf8",
  env: { ...process.env, FINALITY_ARTIFACTS: "2000", FINALITY_GREP: "artifacts while the host" },
});
const [measured] = /\d+ artifacts, .*/.exec(run.stdout) ?? [];
if (run.status !== 0 || measured === undefined)
  throw new Error(`nothing was measured in the host:\n${run.stdout}${run.stderr}`);
console.log(`ABI index in the extension host: ${measured}`);
