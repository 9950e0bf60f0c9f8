import { Halt, illegalOperation, outOfTime, stackTooLarge, stackTooSmall } from "../chain/halt.ts";
import { addUse, NORMAL_PRICE, penaltyOf, priceFactor } from "./dynamic-energy.ts";
import type { Frame, FrameEnd } from "./frame.ts";
import type { Operation, Operations } from "./operation.ts";

const STACK_LIMIT = 1024;

/**
 * Runs the code of a frame to its end.
 *
 * @throws {Halt} `OUT_OF_TIME` ends all frames at once
 */
export function runFrame(frame: Frame, operations: Operations): FrameEnd {
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
