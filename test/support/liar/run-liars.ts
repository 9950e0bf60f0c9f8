import { playAtRandom, type RandomRun, type RandomRunOptions } from "../model/random-run.ts";
import type { Mutation } from "../random/mutants.ts";
import { HonestChain } from "./honest-chain.ts";
import { anyLiarSchedule, type LiarSchedule, play } from "./liar-schedule.ts";
import { Convinced, LiarSimulation, type Stage } from "./liar-simulation.ts";
import { loadChain, loadExtension } from "./load-extension.ts";
import { TRUTH } from "./story.ts";

/** Plays random adversarial gateways until one breaks a promise. */
export async function runLiars(options: RandomRunOptions): Promise<RandomRun<LiarSchedule>> {
  const stage = await setStage(options.mistake);
  return await playAtRandom(options, anyLiarSchedule, async (schedule, counts) => {
    const simulation = new LiarSimulation(stage, counts, schedule);
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
  const simulation = new LiarSimulation(stage, {}, { setup: "second", story: TRUTH, seed: 0 });
  await simulation.open();
  for (const { command, argument } of simulation.wishes) {
    const running = simulation.run(command, { ...argument, network: "Main" });
    for (let turn = 0; turn < 30; turn++) await simulation.clock.advance(100);
    await running;
  }
  simulation.close();
}
