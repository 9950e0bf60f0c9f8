import type { Machine, Surroundings } from "./frame.ts";
import { InternalTransactions } from "./internal-transactions.ts";
import { operationsFor } from "./operations.ts";
import { runFrame } from "./run-frame.ts";

/** Steps of code in one ms on the machine that this chain pretends to be: the CPU limit is counted, never measured. */
const STEPS_PER_MS = 25_000;

/** A machine for one transaction. */
export function newMachine(surroundings: Surroundings, transaction: Pick<Machine, "txId" | "origin">): Machine {
  const { parameters } = surroundings;
  const operations = operationsFor(parameters);
  return {
    ...transaction,
    surroundings,
    internal: new InternalTransactions(),
    logs: [],
    ended: [],
    penalty: 0,
    stepsLeft: parameters.getMaxCpuTimeOfOneTx * STEPS_PER_MS,
    run: (frame) => runFrame(frame, operations),
  };
}
