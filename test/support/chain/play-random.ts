import { isDeepStrictEqual, parseArgs } from "node:util";
import { NODE_VERSIONS } from "../../../packages/local-chain/src/chain/parameters.ts";
import { playSequence } from "./economy.ts";
import { randomProgram, runHere, runThere } from "./random-programs.ts";
import { testChain } from "./test-chain.ts";

/**
 * `node test/support/chain/play-random.ts --programs N --sequences N [--seed FROM] [--node-version VERSION]`: runs
 * random programs on the chain's machine and on the library's, and plays sequences of transactions whose books have to
 * balance. It fails when a program differs or a sequence does not balance.
 */
const { values } = parseArgs({
  options: {
    programs: { type: "string", default: "0" },
    sequences: { type: "string", default: "0" },
    steps: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    "node-version": { type: "string", default: "4.8.2" },
  },
});
const nodeVersion = NODE_VERSIONS.find((it) => it === values["node-version"]) ?? "4.8.2";
const from = Number(values.seed);
await playPrograms(Number(values.programs));
await playSequences(Number(values.sequences), Number(values.steps));

async function playPrograms(count: number): Promise<void> {
  const { simulation } = await testChain({ nodeVersion });
  const ends = new Map<string, number>();
  const differing: number[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const program = randomProgram(seed, nodeVersion);
    const there = await runThere(program, nodeVersion);
    const here = there.exhausted ? undefined : runHere(simulation.chain, program);
    if (here !== undefined && !isDeepStrictEqual({ ...here, exhausted: false }, there)) differing.push(seed);
    const end = here?.end ?? "not compared: out of energy";
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  report(`${count} programs from seed ${from} as ${nodeVersion}`, ends, differing);
}

async function playSequences(count: number, steps: number): Promise<void> {
  const executed = new Map<string, number>();
  const differing: number[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    try {
      const played = await playSequence(seed, steps, nodeVersion);
      for (const [name, times] of played.executed) executed.set(name, (executed.get(name) ?? 0) + times);
    } catch (error) {
      differing.push(seed);
      process.stdout.write(`sequence ${seed}: ${String(error)}\n`);
    }
  }
  report(`${count} sequences from seed ${from} as ${nodeVersion}`, executed, differing);
}

function report(what: string, counts: ReadonlyMap<string, number>, differing: readonly number[]): void {
  const found = [...counts].map(([name, times]) => `${name} ${times}`).join(", ");
  process.stdout.write(
    `${what}: ${differing.length} differ${differing.length > 0 ? ` (${differing.join(", ")})` : ""}\n  ${found}\n`,
  );
  if (differing.length > 0) process.exitCode = 1;
}
