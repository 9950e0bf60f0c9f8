// Runs of 2,000,000 instructions, with one call and with 50,000 calls: the time until the trace page has its first rows
// and its chart, until the chart has the instructions, and for a screen of rows while it scrolls; the memory of this
// process, which has what the extension host has for the page. The chain runs in a process of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { requestTrace, type TracedRun } from "../../packages/node/src/local-trace.ts";
import { createAbiIndex } from "../../packages/tron/src/abi/abi-index.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../packages/tron/src/primitives/bytes.ts";
import type { Trace } from "../../packages/tron/src/traces.ts";
import { TraceContent } from "../../src/features/traces/trace-content.view.ts";

/** Counts to 250,000 with eight instructions for each number. */
const ONE_CALL = "5f5b600101806203d0901160015700";
/** Counts to 50,000 with forty instructions for each number, of which one calls a precompiled contract. */
const MANY_CALLS = `5f5b6001015f5f5f5f60045afa50${"5f50".repeat(12)}806200c3501160015700`;
const FIRST_STEPS = 200_000;
const MOST_STEPS = 2_500_000;
const SCREEN = 80;
const MEBIBYTE = 1024 * 1024;

/** Rows at which a screen is drawn while the list scrolls. */
const SCREENS = 200;

const main = join(import.meta.dirname, "../../packages/local-chain/src/main.ts");
const child = spawn(process.execPath, [main, "--block-time", "0", "--accounts", "1"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = (await once(createInterface(child.stdout), "line")) as [string];
const ready = JSON.parse(line) as { readonly baseUrl: string; readonly accounts: readonly { readonly hex: string }[] };
const owner = parseAddress(ready.accounts[0]?.hex ?? "");

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

/** Opens a page as the extension does: with the calls first, and the instructions later. */
async function openPage(name: string, traced: TracedRun): Promise<TraceContent> {
  const [started, used] = [performance.now(), process.cpuUsage()];
  const { steps: _, ...first } = await requestTrace(ready.baseUrl, traced, { steps: true, maxSteps: FIRST_STEPS });
  const content = contentOf(first);
  content.rows(0, SCREEN);
  content.flame("function", null);
  console.log(`${name}: page of ${first.instructions} instructions opened in ${since(started, used)}`);
  return content;
}

async function measure(name: string, code: string): Promise<void> {
  const traced = { kind: "call", run: { owner, data: hex(code), callValue: sun(0n) } } as const;
  const before = memory();
  const content = await openPage(name, traced);
  const [started, used] = [performance.now(), process.cpuUsage()];
  content.addSteps(contentOf(await requestTrace(ready.baseUrl, traced, { steps: true, maxSteps: MOST_STEPS })).subject);
  const byLine = content.flame("line", null);
  console.log(`${name}: chart by line after ${since(started, used)} more`);
  if (byLine.kind !== "flame" || byLine.boxes.length < 2) throw new Error("The chart has no lines.");
  console.log(`${name}: ${screenTimes(content)}`);
  const peak = process.resourceUsage().maxRSS / 1024;
  const after = memory();
  console.log(
    `${name}: the page holds ${after.held - before.held} MiB; the process has ${after.resident} MiB, ` +
      `${after.resident - before.resident} MiB more than before, at most ${peak.toFixed(0)} MiB`,
  );
  // The page is open until here.
  content.rows(0, SCREEN);
}

/** Memory of this process in MiB after a collection: of its objects, and all that the system gave it. */
function memory(): { readonly held: number; readonly resident: number } {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { held: Math.round((heapUsed + external) / MEBIBYTE), resident: Math.round(rss / MEBIBYTE) };
}

/** Draws screens over the whole list. */
function screenTimes(content: TraceContent): string {
  const list = content.rows(0, 1);
  const total = list.kind === "rows" ? list.total : 0;
  const times = Array.from({ length: SCREENS }, (_, index) => {
    const used = process.cpuUsage();
    content.rows(Math.floor((index * Math.max(0, total - SCREEN)) / SCREENS), SCREEN);
    const { user, system } = process.cpuUsage(used);
    return (user + system) / 1_000;
  }).sort((a, b) => a - b);
  const [median = 0, slow = 0] = [times[SCREENS / 2], times[SCREENS * 0.95]];
  return `${total} rows; a screen of ${SCREEN} takes ${median.toFixed(1)} ms, 95 % at most ${slow.toFixed(1)} ms`;
}

console.log(`this process before: ${(process.memoryUsage.rss() / MEBIBYTE).toFixed(0)} MiB`);
await measure("one call", ONE_CALL);
await measure("50,000 calls", MANY_CALLS);
child.kill();
