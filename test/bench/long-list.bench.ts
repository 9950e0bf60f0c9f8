// Measures the transactions view in the real workbench with 10,000 final transactions beside a list of 8: the time from the
// activation of the extension and from a reload of the window to the first rows, the time from a click to the page of a
// transaction, and the memory of the host.

import { spawnSync } from "node:child_process";
import { join } from "node:path";

const mocha = join(import.meta.dirname, "../../node_modules/mocha/bin/mocha.js");
const run = spawnSync(process.execPath, [mocha, join(import.meta.dirname, "long-list-in-workbench.ts")], {
  encoding: "utf8",
});
const [measured] = /^transactions view with .*/m.exec(run.stdout) ?? [];
if (measured === undefined) throw new Error(`nothing was measured in the workbench:\n${run.stdout}${run.stderr}`);
console.log(measured);
if (run.status !== 0) {
  const [exceeded = "see above"] = /(?<=over the limit: ).*/.exec(run.stdout) ?? [];
  console.error(`A long list adds more than its limit: ${exceeded}.`);
  process.exitCode = 1;
}
