import type { Mutation } from "../random/mutants.ts";
import { playAtRandom, playFromCommandLine, type RandomRun, type RandomRunOptions } from "../random/random-run.ts";
import { loadChain, loadExtension } from "../simulated-host/load-sources.ts";
import { type AdversarySchedule, anyAdversarySchedule, play } from "./adversary-schedule.ts";
import { AdversarySimulation, ForgeryAccepted, type Stage } from "./adversary-simulation.ts";
import { HONEST_BEHAVIOR } from "./behavior.ts";
import { bugs } from "./bugs.ts";
import { createTokenChain } from "./user-requests.ts";

/** Plays random adversarial gateways until one breaks a promise. */
export async function runAdversaries(options: RandomRunOptions): Promise<RandomRun<AdversarySchedule>> {
  const stage = await setStage(options.mistake);
  return await playAtRandom(options, anyAdversarySchedule, async (schedule, counts) => {
    const simulation = new AdversarySimulation(stage, counts, schedule);
    try {
      await play(simulation, schedule);
    } catch (error) {
      if (!(error instanceof ForgeryAccepted)) throw error;
    } finally {
      simulation.close();
    }
  });
}

async function setStage(mistake: Mutation | undefined): Promise<Stage> {
  const parts = await loadChain();
  const { chain, token } = await createTokenChain(parts, "honest");
  const { chain: other } = await createTokenChain(parts, "other");
  const stage = { extension: await loadExtension(mistake), parts, chain, other, token };
  // Loads every module before a run starts, because an import takes event loop turns.
  for (let warm = 0; warm < 3; warm++) await warmUp(stage);
  return stage;
}

async function warmUp(stage: Stage): Promise<void> {
  const simulation = new AdversarySimulation(stage, {}, { setup: "second", behavior: HONEST_BEHAVIOR, seed: 0 });
  await simulation.open();
  for (const { command, argument } of simulation.userRequests) {
    const running = simulation.run(command, { ...argument, network: "Main" });
    for (let turn = 0; turn < 30; turn++) await simulation.clock.advance(100);
    await running;
  }
  simulation.close();
}

if (import.meta.main) await playFromCommandLine(import.meta.filename, bugs, runAdversaries);
