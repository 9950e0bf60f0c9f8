import { fork } from "node:child_process";
import { once } from "node:events";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { BrokenPromise } from "../model/oracle.ts";
import type { Mutation } from "./mutants.ts";

/** Number of times that something was reached, by name. */
export interface Counts {
  [name: string]: number;
}

/** Result of random schedules. */
export interface RandomRun<S> {
  readonly schedules: number;
  readonly counts: Counts;
  /** The shortest schedule that was found to break a promise. */
  readonly broken?: {
    /** Name of the promise; empty for another failure. */
    readonly promise: string;
    readonly message: string;
    readonly path: string;
    readonly schedule: S;
  };
}

export interface RandomRunOptions {
  readonly seed: number;
  readonly schedules: number;
  /** Path of a failure within the seed, which is played at once. */
  readonly path?: string;
  readonly mistake?: Mutation;
  /** True if a failing schedule is made shorter. */
  readonly shrink?: boolean;
}

/** Plays random schedules until one breaks a promise. `play` adds to the counts. */
export async function playAtRandom<S>(
  { seed, schedules, path, shrink = true }: RandomRunOptions,
  anySchedule: fc.Arbitrary<S>,
  play: (schedule: S, counts: Counts) => Promise<void>,
): Promise<RandomRun<S>> {
  const counts: Counts = {};
  const property = fc.asyncProperty(anySchedule, (schedule) => play(schedule, counts));
  const place = path === undefined ? {} : { path };
  const result = await fc.check(property, { seed, numRuns: schedules, endOnFailure: !shrink, ...place });
  const { failed, counterexample, counterexamplePath, numRuns, errorInstance } = result;
  if (!failed) return { schedules: numRuns, counts };
  const message =
    errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance);
  const [schedule] = counterexample ?? [];
  if (schedule === undefined) throw new Error(message);
  const promise = errorInstance instanceof BrokenPromise ? errorInstance.promise : "";
  return { schedules: numRuns, counts, broken: { promise, message, path: counterexamplePath ?? "", schedule } };
}

type Bugs = readonly (Mutation & { readonly name: string })[];

/**
 * Plays schedules with the options of the command line: `--seed 1 --schedules 1000 [--bug NAME]`. A failure prints the options that
 * play it again and make it shorter. In a process of `playInProcesses` the result is sent to its parent.
 */
export async function playFromCommandLine<S>(
  file: string,
  bugs: Bugs,
  play: (options: RandomRunOptions) => Promise<RandomRun<S>>,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      schedules: { type: "string", default: "1000" },
      path: { type: "string" },
      bug: { type: "string" },
      shrink: { type: "boolean", default: false },
    },
  });
  const [seed, schedules] = [Number(values.seed), Number(values.schedules)];
  const { path, shrink } = values;
  const mistake = bugs.find(({ name }) => name === values.bug);
  const run = await play({ seed, schedules, shrink, ...(path && { path }), ...(mistake && { mistake }) });
  if (process.send === undefined) process.stdout.write(`${describeRun(file, run, seed)}\n`);
  else process.send(run);
  process.exitCode = run.broken === undefined ? 0 : 1;
  process.disconnect?.();
}

const PROCESSES = 2;

/**
 * Plays schedules in two processes, each with a seed of its own.
 *
 * @param file - calls `playFromCommandLine`
 * @throws {Error} one of them broke a promise
 */
export async function playInProcesses<S>(file: string, seed: number, schedules: number): Promise<RandomRun<S>> {
  const share = Math.ceil(schedules / PROCESSES);
  const runs = await Promise.all(
    Array.from({ length: PROCESSES }, (_, index) => playInProcess<S>(file, seed + index, share)),
  );
  const counts: Counts = {};
  for (const [index, run] of runs.entries()) {
    if (run.broken !== undefined) throw new Error(describeRun(file, run, seed + index));
    for (const [name, times] of Object.entries(run.counts)) counts[name] = (counts[name] ?? 0) + times;
  }
  return { schedules: sum(runs.map((run) => run.schedules)), counts };
}

async function playInProcess<S>(file: string, seed: number, schedules: number): Promise<RandomRun<S>> {
  const child = fork(file, ["--seed", String(seed), "--schedules", String(schedules)]);
  const reported = once(child, "message");
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`The process of seed ${seed} ended early.`)));
  ended.catch(() => undefined);
  const [run] = (await Promise.race([reported, ended])) as [RandomRun<S>];
  return run;
}

/** Returns the total of all counts with a prefix, for example all steps. */
export function countOf(counts: Counts, prefix: string): number {
  return sum(Object.entries(counts).flatMap(([name, times]) => (name.startsWith(prefix) ? [times] : [])));
}

/** Describes a run, and the command that repeats its failure. */
function describeRun<S>(file: string, { schedules, counts, broken }: RandomRun<S>, seed: number): string {
  const reached = Object.entries(counts).sort(([a], [b]) => a.localeCompare(b));
  const summary = `seed ${seed}: ${schedules} schedules, ${countOf(counts, "step ")} steps`;
  if (broken === undefined) return `${summary}\n${reached.map(([name, times]) => `${name} ${times}`).join(", ")}`;
  const again = `node ${relative(process.cwd(), file)} --seed ${seed} --path ${broken.path} --shrink`;
  return [summary, broken.message, JSON.stringify(broken.schedule), `To see it again, shorter: ${again}`].join("\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, it) => total + it, 0);
}
