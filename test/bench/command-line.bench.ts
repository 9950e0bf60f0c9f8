// Measures `finality explain` as a whole process beside a script that requires TronWeb, in turns.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildCliIfStale } from "../../scripts/build/cli.mjs";
import { median, report } from "./row.ts";

const ROUNDS = 9;
const root = join(import.meta.dirname, "../..");
const program = await buildCliIfStale(root);
const [ours, theirs]: [number[], number[]] = [[], []];

/** Returns the time of a whole process; ms. */
function runOnce(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr.slice(-500)}`);
  return performance.now() - started;
}

for (let round = 0; round < ROUNDS; round++) {
  ours.push(runOnce([program, "explain", "--text", "REVERT opcode executed"]));
  theirs.push(runOnce(["-e", "require('tronweb')"]));
}
report({
  area: "command line",
  what: "explain a text, a whole process",
  meaning: "Time that each call in a shell or a script takes.",
  peer: "a script that requires TronWeb",
  unit: "ms",
  better: "less",
  ours: median(ours),
  theirs: median(theirs),
});
