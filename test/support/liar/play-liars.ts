import { parseArgs } from "node:util";
import { bugs } from "./liar-bugs.ts";
import { runLiars } from "./run-liars.ts";

/**
 * `node test/support/liar/play-liars.ts --seed 1 --runs 1000`; what a failure prints plays it again and makes it
 * shorter.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "1000" },
    path: { type: "string" },
    bug: { type: "string" },
    shrink: { type: "boolean", default: false },
    census: { type: "boolean", default: false },
  },
});
const { seed, runs, path, bug, shrink, census } = values;
const mistake = bugs.find(({ name }) => name === bug);
const options = { seed: Number(seed), runs: Number(runs), shrink, census };
const run = await runLiars({ ...options, ...(path && { path }), ...(mistake && { mistake }) });
if (process.send === undefined) process.stdout.write(`${JSON.stringify(run, undefined, 1)}\n`);
else process.send(run);
process.exitCode = run.broken === undefined ? 0 : 1;
process.disconnect?.();
