import fc from "fast-check";
import type { Mutation } from "../random/mutants.ts";
import { ChainPort } from "./chain-port.ts";
import { BrokenPromise } from "./judge.ts";
import { loadChain, loadProduct } from "./load-parts.ts";
import { ModelClock } from "./model-clock.ts";
import { anySchedule, play, type Schedule } from "./schedule.ts";
import { type Counts, poorAccount, Simulation } from "./simulation.ts";

export interface ModelRun {
  readonly schedules: number;
  readonly counts: Counts;
  /** The shortest schedule that was found to break a promise. */
  readonly broken?: {
    /** Which of the promises; empty when something else failed. */
    readonly promise: string;
    readonly message: string;
    readonly path: string;
    readonly schedule: Schedule;
  };
}

export interface ModelOptions {
  readonly seed: number;
  readonly schedules: number;
  /** Where in the seed a failure was: it is played at once. */
  readonly path?: string;
  readonly mistake?: Mutation;
  /** Whether a failing schedule is made shorter. */
  readonly shrink?: boolean;
}

/** Plays random schedules until one breaks a promise. */
export async function runSchedules({ seed, schedules, path, mistake, shrink = true }: ModelOptions): Promise<ModelRun> {
  const product = await loadProduct(mistake);
  const port = await ChainPort.create(await loadChain(), new ModelClock(0), { genesisAccounts: [poorAccount] });
  const counts: Counts = {};
  const property = fc.asyncProperty(anySchedule, async (schedule) => {
    await play(await Simulation.begin(product, port, { ...schedule, counts }), schedule);
  });
  const result = await fc.check(property, {
    seed,
    numRuns: schedules,
    endOnFailure: !shrink,
    ...(path === undefined ? {} : { path }),
  });
  const { failed, counterexample, counterexamplePath, numRuns, errorInstance } = result;
  if (!failed) return { schedules: numRuns, counts };
  const message =
    errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance);
  const [schedule] = counterexample ?? [];
  if (schedule === undefined) throw new Error(message);
  const promise = errorInstance instanceof BrokenPromise ? errorInstance.promise : "";
  return { schedules: numRuns, counts, broken: { promise, message, path: counterexamplePath ?? "", schedule } };
}
