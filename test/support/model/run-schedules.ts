import { FakeClock } from "../fakes/fake-clock.ts";
import { playAtRandom, playFromCommandLine, type RandomRun, type RandomRunOptions } from "../random/random-run.ts";
import { loadChain, loadProduct } from "../simulated-host/load-sources.ts";
import { bugs } from "./bugs.ts";
import { ChainPort } from "./chain-port.ts";
import { anySchedule, play, type Schedule } from "./schedule.ts";
import { poorAccount, Simulation } from "./simulation.ts";

/** Plays random schedules of windows, crashes and faults until one breaks a promise. */
export async function runSchedules(options: RandomRunOptions): Promise<RandomRun<Schedule>> {
  const product = await loadProduct(options.mistake);
  const port = await ChainPort.create(await loadChain(), new FakeClock(0), { genesisAccounts: [poorAccount] });
  return await playAtRandom(options, anySchedule, async (schedule, counts) =>
    play(await Simulation.begin(product, port, { ...schedule, counts }), schedule),
  );
}

if (import.meta.main) await playFromCommandLine(import.meta.filename, bugs, runSchedules);
