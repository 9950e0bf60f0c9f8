import { type Address, hexToBytes, type TxId } from "@finality/tron/primitives";
import type { ContractResult } from "@finality/tron/transaction";
import { TrialBlock } from "../chain/block.ts";
import type { RunCounts } from "../chain/code-coverage.ts";
import { Halt, illegalOperation, outOfTime, stackTooLarge, stackTooSmall } from "../chain/halt.ts";
import type { Ledger } from "../chain/ledger.ts";
import { saveCode } from "./call-operations.ts";
import { addUse, NORMAL_PRICE, penaltyOf, priceFactor } from "./energy-schedule.ts";
import {
  type ExecutionEnvironment,
  Frame,
  type FrameEnd,
  InternalTransactions,
  type Machine,
  type Operation,
  type Operations,
  TransientStorage,
} from "./frame.ts";
import { operationsFor } from "./operations.ts";

export interface OutermostCall {
  readonly kind: "call" | "create";
  readonly txId: TxId;
  readonly caller: Address;
  readonly address: Address;
  readonly code: Uint8Array;
  readonly data: Uint8Array;
  /** In sun; already transferred, like tokens. */
  readonly value: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  readonly energyLimit: number;
  readonly version: number;
  /** Layer that is committed on success. */
  readonly ledger: Ledger;
}

/** Result of a transaction's code. */
export interface CodeRun {
  readonly result: ContractResult;
  /** Returned data, data of a revert, or code of a new contract. */
  readonly output: Uint8Array;
  readonly energy: number;
  /** Reason of a forced end. */
  readonly halt: Halt | undefined;
  readonly machine: Machine;
}

/** Width of negative amounts in words: Java's long. */
const LONG_BITS = 64;

/** Runs frames in place of the machine, and records them. */
export interface CodeRecorder {
  /** @param run - runs the frame with the given loop. @throws {Halt} one that ends all frames at once */
  record(frame: Frame, run: (loop: CodeLoop) => FrameEnd): FrameEnd;
}

/** Runs the code of a frame. @returns the energy of its own operations, without surcharge and passed energy */
export type CodeLoop = (frame: Frame, operations: Operations) => number;

/** Runs the code of a transaction, and charges the code of a new contract. */
export function runOutermost(call: OutermostCall, environment: ExecutionEnvironment, recorder?: CodeRecorder): CodeRun {
  const { txId, caller } = call;
  const machine = newMachine(environment, { txId, origin: caller }, recorder);
  const frame = new Frame(machine, {
    ...call,
    value: BigInt.asUintN(LONG_BITS, call.value),
    tokenValue: BigInt.asUintN(LONG_BITS, call.tokenValue),
    isStatic: false,
    depth: 0,
    hash: hexToBytes(txId),
    transient: new TransientStorage(),
  });
  if (call.kind === "create") machine.created.push(call.address);
  const forced = environment.endsCode?.();
  if (forced !== undefined) return halted(frame, forced, new Uint8Array());
  const end = runToEnd(frame);
  if (end.kind === "returned" && call.kind === "create") return settled(frame, end.output);
  if (end.kind === "halted") return halted(frame, end.halt, new Uint8Array());
  return {
    machine,
    energy: frame.used,
    output: end.output,
    halt: undefined,
    result: end.kind === "returned" ? "SUCCESS" : "REVERT",
  };
}

/** Returns the text of a result in receipts; empty for a success. */
export function messageOf({ result, halt }: CodeRun): string {
  return halt?.message ?? (result === "REVERT" ? "REVERT opcode executed" : "");
}

function runToEnd(frame: Frame): FrameEnd {
  try {
    return frame.machine.run(frame);
  } catch (error) {
    if (error instanceof Halt) return { kind: "halted", halt: error };
    throw error;
  }
}

/** Returns the run of a creation. Its code stays the output even if it cannot be paid. */
function settled(frame: Frame, code: Uint8Array): CodeRun {
  const halt = saveCode(frame, code, "save just created contract code");
  if (halt !== undefined) return halted(frame, halt, code);
  return { result: "SUCCESS", output: code, energy: frame.used, halt, machine: frame.machine };
}

function halted(frame: Frame, halt: Halt, output: Uint8Array): CodeRun {
  const energy = halt.burnsEverything ? frame.call.energyLimit : frame.used;
  return { result: halt.result, output, energy, halt, machine: frame.machine };
}

/** Steps per ms of the simulated CPU: the CPU limit is counted, never measured. */
const STEPS_PER_MS = 25_000;

/** Creates the machine of one transaction. */
function newMachine(
  environment: ExecutionEnvironment,
  transaction: Pick<Machine, "txId" | "origin">,
  recorder: CodeRecorder | undefined,
): Machine {
  const { parameters } = environment;
  const operations = operationsFor(parameters);
  const { coverage, block } = environment;
  const counts = recorder ? undefined : coverage?.countsFor(transaction.txId, block instanceof TrialBlock);
  const unrecorded: CodeLoop = counts ? (frame, all) => runCounted(frame, all, counts) : runCode;
  return {
    ...transaction,
    environment,
    internal: new InternalTransactions(),
    logs: [],
    ended: [],
    created: [],
    penalty: 0,
    stepsLeft: parameters.getMaxCpuTimeOfOneTx * STEPS_PER_MS,
    run:
      recorder === undefined
        ? (frame) => runFrame(frame, operations, unrecorded)
        : (frame) => recorder.record(frame, (loop) => runFrame(frame, operations, loop)),
  };
}

const STACK_LIMIT = 1024;

/** Runs the code of a frame to its end. @throws {Halt} one that ends all frames at once */
function runFrame(frame: Frame, operations: Operations, loop: CodeLoop): FrameEnd {
  try {
    const own = loop(frame, operations);
    if (frame.machine.environment.parameters.getAllowDynamicEnergy === 1) addUse(frame, own);
    return { kind: frame.ending ?? "returned", output: frame.output };
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    if (error.burnsEverything) frame.used = frame.call.energyLimit;
    if (error.endsTransaction) throw error;
    return { kind: "halted", halt: error };
  }
}

/** Runs code. @returns the energy of its own operations, without passed energy */
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

const JUMP = 0x56;
const JUMPI = 0x57;
const JUMPDEST = 0x5b;

/** Runs code as `runCode` does, and counts its instructions and taken jumps. */
function runCounted(frame: Frame, operations: Operations, run: RunCounts): number {
  const { code, machine } = frame;
  const counts = run.of(code);
  const { hits } = counts;
  frame.factor = priceFactor(frame);
  let own = 0;
  while (frame.ending === undefined && frame.programCounter < code.length) {
    const pc = frame.programCounter;
    const opcode = code[pc] ?? 0;
    hits[pc] = (hits[pc] ?? 0) + 1;
    const operation = operations[opcode];
    if (operation === undefined) throw illegalOperation(opcode);
    checkStack(frame, operation);
    frame.opCode = opcode;
    own += pay(frame, operation);
    machine.stepsLeft -= operation.steps ?? 1;
    if (machine.stepsLeft < 0) throw outOfTime(`CPU timeout for '${operation.name}' operation executing`);
    if (opcode === JUMPDEST && frame.stack.length > 0 && frame.stack.peek(0) === 1n) counts.truth(pc);
    frame.programCounter += 1;
    operation.run(frame);
    if ((opcode === JUMP || opcode === JUMPI) && frame.programCounter !== pc + 1) counts.jump(pc, frame.programCounter);
  }
  return own;
}

/** @throws {Halt} the stack is too small or would grow too large */
export function checkStack({ stack }: Frame, { takes, gives }: Operation): void {
  if (stack.length < takes) throw stackTooSmall(takes, stack.length);
  if (stack.length - takes + gives > STACK_LIMIT) throw stackTooLarge();
}

/** Charges an operation. @returns its energy without surcharge and passed energy. @throws {Halt} `OUT_OF_ENERGY` */
export function pay(frame: Frame, { name, price, calls }: Operation): number {
  const energy = typeof price === "number" ? price : price(frame, name);
  if (calls) return payForCall(frame, energy, name);
  if (frame.factor === NORMAL_PRICE) frame.spend(energy, name);
  else frame.spendWithPenalty(energy, penaltyOf(energy, frame.factor), name);
  return energy;
}

/** Charges a call, whose price includes the surcharge because the passed energy depends on it. */
function payForCall(frame: Frame, energy: number, name: string): number {
  const { callPenalty, callEnergy } = frame;
  if (frame.factor === NORMAL_PRICE) frame.spend(energy, name);
  else frame.spendWithPenalty(energy - callPenalty, callPenalty, name);
  return energy - callPenalty - callEnergy;
}
