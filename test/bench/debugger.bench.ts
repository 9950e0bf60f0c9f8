// A run of 200,000 instructions with sources: the time until the debugger stops first, the time of a step with the call
// stack and the values of the top frame, and the memory that the session takes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DebugSession } from "../../packages/client/src/debugger.ts";
import { selectorOf } from "../../packages/tron/src/abi.ts";
import { traceWithValues } from "../support/debugger/debugged-contract.ts";
import { debuggeeOf, sourcesIn } from "../support/debugger/debugged-run.ts";
import { walkFixture } from "../support/debugger/debugged-walk.ts";

const ROUNDS = 722n;
const STEPS = 2_000;

const { fixture, shop } = await walkFixture();
globalThis.gc?.();
const before = process.memoryUsage().rss;
const data = selectorOf("count(uint256)") + ROUNDS.toString(16).padStart(64, "0");
let started = performance.now();
const trace = await traceWithValues(fixture, { to: shop, data });
console.log(`${trace.instructions} instructions, ${trace.steps?.pc.length} of them in the record`);
console.log(`run again, and read from JSON, in ${(performance.now() - started).toFixed(0)} ms`);

started = performance.now();
const build = readFileSync(join(import.meta.dirname, "../fixtures/debugger/walk.json"), "utf8");
const debuggee = debuggeeOf(trace, sourcesIn(build), "/bench");
const session = new DebugSession(debuggee.run, {
  contractName: (frame) => debuggee.contractName(frame),
  evaluate: (expression, frame) => {
    const value = debuggee.evaluate(expression, frame);
    return "error" in value ? value : { text: value.text, type: value.type };
  },
  print: () => undefined,
});
session.start(true);
show();
console.log(`first stop after ${(performance.now() - started).toFixed(0)} ms`);

const times: number[] = [];
for (let step = 0; step < STEPS; step += 1) {
  started = performance.now();
  session.step(step % 5 === 4 ? "back" : "in", "statement");
  show();
  times.push(performance.now() - started);
}
times.sort((a, b) => a - b);
const at = (share: number): string => `${times[Math.floor(share * (times.length - 1))]?.toFixed(2)} ms`;
console.log(`step: median ${at(0.5)}, 95th percentile ${at(0.95)}, longest ${at(1)}`);
started = performance.now();
session.continue();
session.reverseContinue();
console.log(`to the end and back in ${(performance.now() - started).toFixed(0)} ms`);
console.log(`memory ${((process.memoryUsage().rss - before) / 1024 / 1024).toFixed(0)} MiB more`);

/** Reads what the editor shows after a stop. */
function show(): void {
  const [top] = session.stack();
  if (top === undefined) return;
  for (const scope of debuggee.scopes(top)) for (const { children } of scope.variables()) children?.();
}
