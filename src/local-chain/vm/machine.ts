import { Halt, illegalOperation, outOfTime, stackTooLarge, stackTooSmall } from "../chain/halt.ts";
import { addUse, NORMAL_PRICE, penaltyOf, priceFactor } from "./energy-schedule.ts";
import type { Frame, FrameEnd, Machine, Surroundings } from "./frame.ts";
import { InternalTransactions } from "./internal-transactions.ts";
import type { Operation, Operations } from "./operation.ts";
import { operationsFor } from "./operations.ts";

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

const STACK_LIMIT = 1024;

/**
 * Runs the code of a frame to its end.
 *
 * @throws {Halt} `OUT_OF_TIME` ends all frames at once
 */
function runFrame(frame: Frame, operations: Operations): FrameEnd {
  try {
    const own = runCode(frame, operations);
    if (frame.machine.surroundings.parameters.getAllowDynamicEnergy === 1) addUse(frame, own);
    return { kind: frame.ending ?? "returned", output: frame.output };
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    if (error.burnsEverything) frame.used = frame.call.energyLimit;
    if (error.result === "OUT_OF_TIME") throw error;
    return { kind: "halted", halt: error };
  }
}

/** @returns the energy of its own operations, without what calls passed on */
function runCode(frame: Frame, operations: Operations): number {
  const { code, machine } = frame;
  frame.factor = priceFactor(frame);
  let own = 0;
  while (frame.ending === undefined && frame.programCounter < code.length) {
    const opcode = code[frame.programCounter] ?? 0;
    const operation = operations[opcode];
    if (operation === undefined) throw illegalOperation(opcode);
    checkStack(frame, operation);
    frame.opCode = opcode;
    own += pay(frame, operation);
    machine.stepsLeft -= operation.steps ?? 1;
    if (machine.stepsLeft < 0) throw outOfTime(`CPU timeout for '${operation.name}' operation executing`);
    frame.programCounter += 1;
    operation.run(frame);
  }
  return own;
}

function checkStack({ stack }: Frame, { takes, gives }: Operation): void {
  if (stack.length < takes) throw stackTooSmall(takes, stack.length);
  if (stack.length - takes + gives > STACK_LIMIT) throw stackTooLarge();
}

function pay(frame: Frame, { name, price, calls }: Operation): number {
  const energy = typeof price === "number" ? price : price(frame, name);
  if (calls) return payForCall(frame, energy, name);
  if (frame.factor === NORMAL_PRICE) frame.spend(energy, name);
  else frame.spendWithPenalty(energy, penaltyOf(energy, frame.factor), name);
  return energy;
}

/** The price of a call has its penalty in it already: what it may pass on depends on it. */
function payForCall(frame: Frame, energy: number, name: string): number {
  const { callPenalty, callEnergy } = frame;
  if (frame.factor === NORMAL_PRICE) frame.spend(energy, name);
  else frame.spendWithPenalty(energy - callPenalty, callPenalty, name);
  return energy - callPenalty - callEnergy;
}
