import fc from "fast-check";
import { BrokenPromise } from "../model/judge.ts";
import type { Mutation } from "../random/mutants.ts";
import { HonestChain } from "./honest-chain.ts";
import { anyLiarSchedule, type LiarSchedule, play } from "./liar-schedule.ts";
import { Convinced, type Counts, LiarSimulation, type Stage } from "./liar-simulation.ts";
import { loadChain, loadExtension } from "./load-extension.ts";
import { TRUTH } from "./story.ts";

export interface LiarRun {
  readonly runs: number;
  readonly counts: Counts;
  /** The shortest schedule that was found to break a promise. */
  readonly broken?: {
    readonly promise: string;
    readonly message: string;
    readonly path: string;
    readonly schedule: LiarSchedule;
  };
}

export interface LiarOptions {
  readonly seed: number;
  readonly runs: number;
  readonly path?: string;
  readonly mistake?: Mutation;
  readonly shrink?: boolean;
  /** Goes on after broken promises, and counts them. */
  readonly census?: boolean;
}

/** Plays random liars until one breaks a promise. */
export async function runLiars({
  seed,
  runs,
  path,
  mistake,
  shrink = true,
  census = false,
}: LiarOptions): Promise<LiarRun> {
  const stage = await setStage(mistake);
  const counts: Counts = {};
  const property = fc.asyncProperty(anyLiarSchedule, async (schedule) => {
    const simulation = new LiarSimulation(stage, counts, schedule);
    try {
      await play(simulation, schedule);
    } catch (error) {
      if (error instanceof Convinced) return;
      if (!census || !(error instanceof BrokenPromise)) throw error;
      note(counts, schedule, error);
    } finally {
      simulation.close();
    }
  });
  const result = await fc.check(property, {
    seed,
    numRuns: runs,
    endOnFailure: !shrink,
    ...(path === undefined ? {} : { path }),
  });
  const { failed, counterexample, counterexamplePath, numRuns, errorInstance } = result;
  if (!failed) return { runs: numRuns, counts };
  const message =
    errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance);
  const [schedule] = counterexample ?? [];
  if (schedule === undefined) throw new Error(message);
  const promise = errorInstance instanceof BrokenPromise ? errorInstance.promise : "";
  return { runs: numRuns, counts, broken: { promise, message, path: counterexamplePath ?? "", schedule } };
}

async function setStage(mistake: Mutation | undefined): Promise<Stage> {
  const parts = await loadChain();
  const [chain, other] = [await HonestChain.create(parts, "honest"), await HonestChain.create(parts, "other")];
  const stage = { extension: await loadExtension(mistake), parts, chain, other };
  // Everything is loaded once before time counts: an import takes turns that no schedule knows of.
  for (let warm = 0; warm < 3; warm++) await warmUp(stage);
  return stage;
}

async function warmUp(stage: Stage): Promise<void> {
  const simulation = new LiarSimulation(stage, {}, { setup: "second", story: TRUTH, seed: 0 });
  await simulation.open();
  for (const { command, argument } of simulation.wishes) {
    const running = simulation.run(command, { ...argument, network: "Main" });
    for (let turn = 0; turn < 30; turn++) await simulation.clock.advance(100);
    await running;
  }
  simulation.close();
}

function note(counts: Counts, { setup, story }: LiarSchedule, error: BrokenPromise): void {
  if (error.promise === "no surprises") counts[error.message] = (counts[error.message] ?? 0) + 1;
  const what = error.message
    .replace(/[0-9a-f]{64}/g, "…")
    .replace(/\{.*\}/g, "{}")
    .replace(/\d+/g, "N");
  const reported = `${setup} hides=${story.hides} seal=${story.seal} from=${story.from} solid=${story.solid} broadcast=${story.broadcast}`;
  for (const name of [
    `broken ${error.promise}`,
    `broken ${setup} ${what.slice(0, 90)}`,
    `BROKEN ${error.promise} ${reported}`,
  ]) {
    counts[name] = (counts[name] ?? 0) + 1;
  }
}
