import type { Mutation } from "../random/mutants.ts";
import { playAtRandom, playFromCommandLine, type RandomRun, type RandomRunOptions } from "../random/random-run.ts";
import { HonestChain } from "../simulated-host/honest-chain.ts";
import { loadChain, loadExtension } from "../simulated-host/load-sources.ts";
import { type AdversarySchedule, anyAdversarySchedule, play } from "./adversary-schedule.ts";
import { AdversarySimulation, Convinced, type Stage } from "./adversary-simulation.ts";
import { TRUTH } from "./behavior.ts";
import { bugs } from "./bugs.ts";

/** Plays random adversarial gateways until one breaks a promise. */
export async function runAdversaries(options: RandomRunOptions): Promise<RandomRun<AdversarySchedule>> {
  const stage = await setStage(options.mistake);
  return await playAtRandom(options, anyAdversarySchedule, async (schedule, counts) => {
    const simulation = new AdversarySimulation(stage, counts, schedule);
    try {
      await play(simulation, schedule);
    } catch (error) {
      if (!(error instanceof Convinced)) throw error;
    } finally {
      simulation.close();
    }
  });
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
  const simulation = new AdversarySimulation(stage, {}, { setup: "second", story: TRUTH, seed: 0 });
  await simulation.open();
  for (const { command, argument } of simulation.wishes) {
    const running = simulation.run(command, { ...argument, network: "Main" });
    for (let turn = 0; turn < 30; turn++) await simulation.clock.advance(100);
    await running;
  }
  simulation.close();
}

if (import.meta.main) await playFromCommandLine(import.meta.filename, bugs, runAdversaries);
