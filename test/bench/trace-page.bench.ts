// A run of 2,000,000 instructions: the time until the trace page has its first rows and its chart of calls, the time
// until the chart has the instructions, and the memory that the trace takes.

import { startLocalChain } from "../../packages/local-chain/src/chain-server.ts";
import { requestTrace } from "../../packages/node/src/local-trace.ts";
import { createAbiIndex } from "../../packages/tron/src/abi/abi-index.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../packages/tron/src/primitives/bytes.ts";
import type { Trace } from "../../packages/tron/src/traces.ts";
import { TraceContent } from "../../src/features/traces/trace-content.view.ts";

/** Counts to 250,000 with eight instructions for each number. */
const LOOP = "5f5b600101806203d09011600157";
const FIRST_STEPS = 200_000;
const MOST_STEPS = 2_500_000;

const chain = await startLocalChain({ blockTimeMs: 0, accounts: 1 });
const owner = parseAddress(chain.ready.accounts[0]?.hex ?? "");
const traced = { kind: "call", run: { owner, data: hex(`${LOOP}00`), callValue: sun(0n) } } as const;
const { baseUrl } = chain;

function contentOf(trace: Trace): TraceContent {
  const names = {
    nameOf: () => undefined,
    abiOf: () => createAbiIndex([]),
    contractNameOf: () => "Loop",
    variableOf: () => undefined,
  };
  const sourceOf = () => ({ file: "Loop.sol", line: 1, functionName: "Loop.run", jump: "-" as const });
  const sources = { sourceOf, flowOf: () => undefined, sites: [], note: undefined, textOf: () => undefined };
  return new TraceContent({ trace, txId: undefined, network: "Local chain", names, sources, notes: [] });
}

/** Returns the time since a start as text: by the clock, and of this process, which a busy machine does not change. */
function since(started: number, used: NodeJS.CpuUsage): string {
  const { user, system } = process.cpuUsage(used);
  return `${(performance.now() - started).toFixed(0)} ms (${((user + system) / 1_000).toFixed(0)} ms of this process)`;
}

let [started, used] = [performance.now(), process.cpuUsage()];
const { steps: _, ...first } = await requestTrace(baseUrl, traced, { steps: true, maxSteps: FIRST_STEPS });
const content = contentOf(first);
content.rows(0, 80);
content.flame("function", null);
console.log(`page of ${first.instructions} instructions opened in ${since(started, used)}`);

globalThis.gc?.();
const before = process.memoryUsage().rss;
[started, used] = [performance.now(), process.cpuUsage()];
content.addSteps(contentOf(await requestTrace(baseUrl, traced, { steps: true, maxSteps: MOST_STEPS })).subject);
const byLine = content.flame("line", null);
console.log(`chart by line after ${since(started, used)} more`);
const mebibytes = (process.memoryUsage().rss - before) / 1024 / 1024;
console.log(`memory ${mebibytes.toFixed(0)} MiB more, with the chain in the same process`);
if (byLine.kind !== "flame" || byLine.boxes.length < 2) throw new Error("The chart has no lines.");
await chain.close();
