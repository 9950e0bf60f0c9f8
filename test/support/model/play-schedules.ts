import { parseArgs } from "node:util";
import { bugs } from "./bugs.ts";
import { describeRun } from "./describe-run.ts";
import { runSchedules } from "./run-schedules.ts";

/**
 * `node test/support/model/play-schedules.ts --seed 1 --schedules 1000`; what a failure prints plays it again and makes
 * it shorter.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    schedules: { type: "string", default: "1000" },
    path: { type: "string" },
    bug: { type: "string" },
    shrink: { type: "boolean", default: false },
  },
});
const { seed, schedules, path, bug, shrink } = values;
const mistake = bugs.find(({ name }) => name === bug);
const options = { seed: Number(seed), schedules: Number(schedules), shrink };
const run = await runSchedules({ ...options, ...(path && { path }), ...(mistake && { mistake }) });
if (process.send === undefined) process.stdout.write(`${describeRun(run, Number(seed))}\n`);
else process.send(run);
process.exitCode = run.broken === undefined ? 0 : 1;
process.disconnect?.();
