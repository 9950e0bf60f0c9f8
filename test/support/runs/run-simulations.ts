import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { importVariant } from "../random/mutants.ts";
import { runBugs } from "./run-bugs.ts";
import { type RunProduct, RunSimulation, type SimulatedRun } from "./run-simulation.ts";

/** Simulated runs with consecutive seeds. */
export interface SimulationRange {
  readonly seed: number;
  readonly runs: number;
  /** Rows of each run. */
  readonly rows: number;
  readonly bug?: string;
}

/** Result of a simulated run with its seed, and the history of the first row that broke a promise. */
export interface SeededRun extends SimulatedRun {
  readonly seed: number;
  readonly history: readonly string[];
}

const PROCESSES = 2;
/** Blocks after which a run with a planted bug is ended: a lost row would make it wait. */
const BLOCKS_WITH_BUG = 150;

/** Simulates runs one after another. */
export async function* simulateRuns({ seed: first, runs, rows, bug: name }: SimulationRange): AsyncIterable<SeededRun> {
  const bug = runBugs.find((it) => it.name === name);
  if (name !== undefined && bug === undefined) throw new RangeError(`There is no bug "${name}".`);
  // Simulated failures are many, and their stack traces are not read.
  Error.stackTraceLimit = 0;
  const product = await importVariant<RunProduct>(join(import.meta.dirname, "run-product.ts"), bug?.mutations ?? []);
  for (let seed = first; seed < first + runs; seed++) {
    const simulation = new RunSimulation({
      ...{ seed, rows, workers: 2 + (seed % 2), isFaulty: true, product },
      ...(bug && { mostBlocks: BLOCKS_WITH_BUG, storeBug: bug.storeBug?.(), createsAgain: bug.createsAgain }),
    });
    const run = await simulation.play();
    const [broken] = run.lost;
    yield { ...run, seed, history: broken === undefined ? [] : await simulation.history(broken) };
  }
}

/** Simulates runs in two processes. Calls `onRun` after each. */
export async function simulateInProcesses(
  { seed, runs, rows }: SimulationRange,
  onRun: (run: SeededRun) => void,
): Promise<readonly SeededRun[]> {
  const share = Math.ceil(runs / PROCESSES);
  const parts = Array.from({ length: PROCESSES }, async (_, index) => {
    const args = ["--seed", String(seed + index * share), "--runs", String(share), "--rows", String(rows)];
    const child = fork(import.meta.filename, args);
    const found: SeededRun[] = [];
    child.on("message", (run: SeededRun) => {
      found.push(run);
      onRun(run);
    });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`The process of ${args.join(" ")} ended with code ${code}.`);
    return found;
  });
  return (await Promise.all(parts)).flat();
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      runs: { type: "string", default: "10" },
      rows: { type: "string", default: "1000" },
      bug: { type: "string" },
    },
  });
  const { bug } = values;
  const range = { seed: Number(values.seed), runs: Number(values.runs), rows: Number(values.rows) };
  for await (const run of simulateRuns({ ...range, ...(bug === undefined ? {} : { bug }) })) {
    if (process.send === undefined) process.stdout.write(`${JSON.stringify(run)}\n`);
    else process.send(run);
  }
  process.disconnect?.();
}
