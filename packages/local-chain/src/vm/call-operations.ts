import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, bytesToHex, hexToBytes } from "@finality/tron/primitives";
import { SmartContractSchema } from "@finality/tron/schema";
import { create2ContractAddress, createdContractAddress } from "@finality/tron/transaction";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { EMPTY_CODE_HASH, newContractAccount } from "../chain/account.ts";
import {
  executionFailed,
  type Halt,
  invalidCode,
  notEnoughFor,
  outOfLongRange,
  outOfTime,
  transferFailed,
} from "../chain/halt.ts";
import { Ledger, tokenBalance } from "../chain/ledger.ts";
import { type ChainParameters, versionOf } from "../chain/parameters.ts";
import { allButOne64th, CODE_BYTE, STIPEND } from "./energy-schedule.ts";
import {
  type Call,
  Frame,
  type FrameEnd,
  type Instruction,
  type Machine,
  type Precompile,
  type Precompiles,
  TransientStorage,
} from "./frame.ts";
import { denyStatic } from "./frame-operations.ts";
import {
  chainPrecompiles,
  curvePrecompiles,
  hashPrecompiles,
  modularPower,
  p256Verify,
  signaturePrecompiles,
} from "./precompiles.ts";
import { codeAt } from "./state-operations.ts";
import { type CallValue, transferCallValue, transferCoins } from "./transfers.ts";
import { addressOf, bytesOfWord, MAX_LONG, prefixedWordOf } from "./words.ts";

/** Most nested calls. */
export const MAX_DEPTH = 64;
/** In bytes. Only empty output can have such an offset; it is not charged, and the node fails on it. */
const BEYOND_MEMORY = 16_777_216;
const MIN_TOKEN_ID = 1_000_000n;

export type CallKind = "CALL" | "CALLCODE" | "DELEGATECALL" | "STATICCALL" | "CALLTOKEN";

/** Operands of a call, with the passed energy. */
interface Request {
  readonly kind: CallKind;
  readonly target: Address;
  readonly targetWord: bigint;
  readonly value: bigint;
  readonly tokenId: bigint;
  readonly inputOffset: number;
  readonly inputSize: number;
  readonly outputOffset: number;
  readonly outputSize: number;
  readonly energy: number;
}

export function call(kind: CallKind): Instruction {
  return (frame) => {
    const request = readRequest(frame, kind);
    frame.returnData = new Uint8Array();
    if (frame.call.depth === MAX_DEPTH) {
      cancelCall(frame, request);
      return;
    }
    const precompile = precompileAt(request.targetWord, frame.machine.environment.parameters);
    if (precompile === undefined) callAccount(frame, request);
    else callPrecompile(frame, request, precompile);
  };
}

function readRequest(frame: Frame, kind: CallKind): Request {
  const { stack, memory } = frame;
  stack.pop();
  const targetWord = stack.pop();
  const sends = kind !== "DELEGATECALL" && kind !== "STATICCALL";
  const value = sends ? stack.pop() : 0n;
  if (value !== 0n && kind !== "CALLCODE") denyStatic(frame);
  const tokenId = kind === "CALLTOKEN" ? stack.pop() : 0n;
  const [inputOffset, inputSize, outputOffset, outputSize] = stack.popN(4).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  memory.extend(outputOffset, outputSize);
  return {
    kind,
    targetWord,
    value,
    tokenId,
    outputSize,
    target: addressOf(targetWord),
    inputOffset,
    inputSize,
    outputOffset,
    energy: frame.callEnergy + (value === 0n ? 0 : STIPEND),
  };
}

/** Cancels a call, and returns its energy including the stipend. */
function cancelCall(frame: Frame, { energy }: Request): void {
  frame.stack.push(0n);
  frame.used -= energy;
}

/** Fails the whole frame after returning the energy of the call. */
function fail(frame: Frame, { energy }: Request, reason: string): never {
  frame.used -= energy;
  throw transferFailed(reason);
}

/** Reads the input. Memory grows only then, not for a cancelled call. */
function inputOf({ memory }: Frame, { inputOffset, inputSize }: Request): Uint8Array {
  return memory.read(inputOffset, inputSize);
}

function callAccount(frame: Frame, request: Request): void {
  const { machine } = frame;
  const input = inputOf(frame, request);
  const context = borrowsContext(request) ? frame.call.address : request.target;
  if (request.value > MAX_LONG) fail(frame, request, "endowment out of long range");
  checkToken(frame, request);
  if (balanceFor(frame, request) < request.value) {
    cancelCall(frame, request);
    return;
  }
  const known = frame.ledger.account(request.target) !== undefined;
  const code = known ? codeAt(frame, request.target) : new Uint8Array();
  const ledger = new Ledger(frame.ledger);
  if (!borrowsContext(request) && request.value > 0n) pay(frame, request, ledger);
  const begun = machine.internal.count;
  const hash = machine.internal.add({
    parent: frame.call.hash,
    note: "call",
    from: frame.call.address,
    to: context,
    data: input,
    value: sentWith(request).value,
    ...(request.kind === "CALLTOKEN" && { tokens: new Map([[String(request.tokenId), request.value]]) }),
  });
  if (code.length > 0) {
    runCallee(frame, request, { code, input, ledger, hash, begun });
    return;
  }
  ledger.commit();
  frame.stack.push(1n);
  frame.used -= request.energy;
}

/** Lengths of the lists that a failed call loses its entries of. */
type Mark = readonly [logs: number, ended: number, created: number];

function markOf({ logs, ended, created }: Machine): Mark {
  return [logs.length, ended.length, created.length];
}

function rewind(machine: Machine, [logs, ended, created]: Mark): void {
  machine.logs.length = logs;
  machine.ended.length = ended;
  machine.created.length = created;
}

interface Callee {
  readonly code: Uint8Array;
  readonly input: Uint8Array;
  readonly ledger: Ledger;
  readonly hash: Uint8Array;
  /** Index of the internal transaction. */
  readonly begun: number;
}

function runCallee(frame: Frame, request: Request, { code, input, ledger, hash, begun }: Callee): void {
  const { machine } = frame;
  const before = markOf(machine);
  const transient = new TransientStorage(frame.call.transient);
  const callee = new Frame(machine, {
    ...calledWith(frame, request),
    code,
    ledger,
    hash,
    transient,
    data: input,
    depth: frame.call.depth + 1,
    energyLimit: request.energy,
    version: frame.ledger.contract(request.target)?.definition.version ?? 0,
  });
  const end = machine.run(callee);
  if (end.kind === "returned") {
    ledger.commit();
    transient.commit();
  } else {
    machine.internal.reject(begun);
    rewind(machine, before);
  }
  frame.stack.push(end.kind === "returned" ? 1n : 0n);
  if (end.kind === "halted") return;
  saveOutput(frame, request, end.output);
  frame.returnData = end.output;
  frame.used -= request.energy - callee.used;
}

/**
 * Returns caller, address and value of the callee. A delegate call keeps all but the code; CALLCODE keeps the context.
 */
function calledWith(
  { call: own }: Frame,
  request: Request,
): Pick<Call, "address" | "caller" | "value" | "tokenValue" | "tokenId" | "isStatic"> {
  const { kind, target } = request;
  const isStatic = own.isStatic || kind === "STATICCALL";
  if (kind === "DELEGATECALL") {
    return { address: own.address, caller: own.caller, value: own.value, tokenValue: 0n, tokenId: 0n, isStatic };
  }
  const address = kind === "CALLCODE" ? own.address : target;
  return { address, caller: own.address, ...sentWith(request), isStatic };
}

/** Copies the output into its memory range, truncated to its size. */
function saveOutput({ memory }: Frame, { outputOffset, outputSize }: Request, output: Uint8Array): void {
  memory.write(outputOffset, Math.min(outputSize, output.length), output);
}

/** Transfers coins and tokens, and creates the receiver's account. */
function pay(frame: Frame, request: Request, ledger: Ledger): void {
  const parties = { from: frame.call.address, to: request.target };
  if (parties.from === parties.to) {
    const [kind, name] = request.kind === "CALLTOKEN" ? ["trc10", "asset"] : ["trx", "TRX"];
    fail(frame, request, `transfer ${kind} failed: Cannot transfer ${name} to yourself.`);
  }
  transferCallValue(ledger, parties, sentWith(request), frame.machine.environment.now);
}

/** Returns the transferred value: tokens if the call names one, else coins. */
function sentWith({ kind, value, tokenId }: Request): CallValue {
  return kind === "CALLTOKEN" ? { value: 0n, tokenValue: value, tokenId } : { value, tokenValue: 0n, tokenId: 0n };
}

const NO_RECEIVER =
  "Validate InternalTransfer error, no ToAccount. And not allowed to create account in smart contract.";

/** Transfers value to a precompiled contract, which fails the whole frame if it has no account. */
function payPrecompile(frame: Frame, request: Request, ledger: Ledger): void {
  if (ledger.account(request.target) === undefined) {
    const tokens = request.kind === "CALLTOKEN";
    throw executionFailed(tokens ? `validateForSmartContract failure:${NO_RECEIVER}` : "transfer failure");
  }
  const parties = { from: frame.call.address, to: request.target };
  transferCallValue(ledger, parties, sentWith(request), frame.machine.environment.now);
}

function balanceFor({ ledger, call }: Frame, { kind, tokenId }: Request): bigint {
  const account = ledger.account(call.address);
  if (account === undefined) return 0n;
  return kind === "CALLTOKEN" ? tokenBalance(account, String(tokenId)) : account.balance;
}

function checkToken(frame: Frame, request: Request): void {
  if (request.kind !== "CALLTOKEN") return;
  const id = BigInt.asIntN(256, request.tokenId);
  if (id > MIN_TOKEN_ID && id <= MAX_LONG) return;
  fail(frame, request, "validateForSmartContract failure:not valid token id");
}

function borrowsContext({ kind }: Request): boolean {
  return kind === "CALLCODE" || kind === "DELEGATECALL";
}

/** Calls a precompiled contract, which keeps received coins for good (Program.callToPrecompiledAddress). */
function callPrecompile(frame: Frame, request: Request, precompile: Precompile): void {
  if (request.value > MAX_LONG) throw outOfLongRange();
  checkToken(frame, request);
  if (balanceFor(frame, request) < request.value) {
    cancelCall(frame, request);
    return;
  }
  const input = inputOf(frame, request);
  const ledger = new Ledger(frame.ledger);
  if (!borrowsContext(request) && request.value > 0n) payPrecompile(frame, request, ledger);
  const { parameters } = frame.machine.environment;
  const energy = precompile.energy(input, parameters);
  if (energy > request.energy) {
    frame.stack.push(0n);
    return;
  }
  const caller = request.kind === "DELEGATECALL" ? frame.call.caller : frame.call.address;
  takeSteps(frame, precompile.steps?.(input) ?? 0);
  const output = precompile.run(input, { frame, caller });
  if (output === undefined) {
    frame.stack.push(0n);
    savePrecompileOutput(frame, request, precompile.failure ?? new Uint8Array());
    return;
  }
  ledger.commit();
  frame.used -= request.energy - energy;
  frame.stack.push(1n);
  frame.returnData = output;
  savePrecompileOutput(frame, request, output);
}

/** @throws {Halt} `OUT_OF_TIME` */
function takeSteps({ machine }: Frame, steps: number): void {
  machine.stepsLeft -= steps;
  if (machine.stepsLeft < 0) throw outOfTime("CPU timeout for 'CALL' operation executing");
}

/** Writes the output of a precompiled contract: the whole of it regardless of the given size, before proposal 94. */
function savePrecompileOutput(frame: Frame, request: Request, output: Uint8Array): void {
  const { memory, machine } = frame;
  const { outputOffset } = request;
  if (machine.environment.parameters.getAllowTvmSelfdestructRestriction === 1) {
    saveOutput(frame, request, output);
    return;
  }
  if (output.length > 0 && outputOffset + output.length > BEYOND_MEMORY) throw executionFailed("Unknown Exception");
  memory.write(outputOffset, output.length, output);
}

const all: Precompiles = new Map([
  ...hashPrecompiles,
  ...signaturePrecompiles,
  ...curvePrecompiles,
  ...chainPrecompiles,
  [0x05n, modularPower],
  [0x0100n, p256Verify],
]);

/** Returns the active precompiled contract of an address word. */
export function precompileAt(word: bigint, parameters: ChainParameters): Precompile | undefined {
  const precompile = all.get(word);
  return precompile === undefined || precompile.when?.(parameters) === false ? undefined : precompile;
}

const ENTIRELY_CALLER = 100n;
const FORBIDDEN_FIRST_BYTE = 0xef;

interface Creation {
  readonly address: Address;
  readonly initCode: Uint8Array;
  /** Sun. */
  readonly value: bigint;
  readonly salted: boolean;
}

export const createContract: Instruction = (frame) => {
  denyStatic(frame);
  const [value, offset, size] = [frame.stack.pop(), frame.stack.pop(), frame.stack.pop()];
  frame.returnData = new Uint8Array();
  if (frame.call.depth === MAX_DEPTH) {
    frame.stack.push(0n);
    return;
  }
  const initCode = frame.memory.read(Number(offset), Number(size));
  const address = createdContractAddress(frame.machine.txId, frame.machine.internal.nonce);
  createAt(frame, { address, initCode, value, salted: false });
};

export const createContract2: Instruction = (frame) => {
  denyStatic(frame);
  const [value, offset, size, salt] = frame.stack.popN(4) as [bigint, bigint, bigint, bigint];
  const { parameters } = frame.machine.environment;
  const { getAllowTvmOsaka, getAllowTvmCompatibleEvm } = parameters;
  if (getAllowTvmOsaka === 1) frame.returnData = new Uint8Array();
  if (frame.call.depth === MAX_DEPTH) {
    if (getAllowTvmOsaka !== 1 && getAllowTvmCompatibleEvm !== 1 && versionOf(parameters) !== "4.8.0") {
      throw outOfTime("CPU timeout for create2 executing");
    }
    frame.stack.push(0n);
    return;
  }
  const initCode = frame.memory.read(Number(offset), Number(size));
  const address = create2ContractAddress(frame.call.address, bytesOfWord(salt), initCode);
  createAt(frame, { address, initCode, value, salted: true });
};

/** Runs creation code, and stores the returned code (Program.createContractImpl). */
function createAt(frame: Frame, creation: Creation): void {
  const { machine, call } = frame;
  const { address, value, initCode } = creation;
  if (value > MAX_LONG) throw outOfLongRange();
  if ((frame.ledger.account(call.address)?.balance ?? 0n) < value) {
    frame.stack.push(0n);
    return;
  }
  const taken = frame.ledger.contract(address) !== undefined;
  const ledger = new Ledger(frame.ledger);
  const before = markOf(machine);
  if (!taken) createContractRecord(frame, creation, ledger);
  transferCoins(ledger, { from: call.address, to: address }, value, machine.environment.now);
  const energy = allButOne64th(frame, frame.left);
  frame.spend(energy, "internal call");
  const begun = machine.internal.count;
  const entry = { note: "create", from: call.address, to: address, value, data: initCode } as const;
  const hash = machine.internal.add({ ...entry, parent: call.hash });
  const transient = new TransientStorage(call.transient);
  const creator = new Frame(machine, {
    address,
    caller: call.address,
    code: initCode,
    data: new Uint8Array(),
    value,
    ledger,
    hash,
    transient,
    tokenValue: 0n,
    tokenId: 0n,
    isStatic: false,
    depth: call.depth + 1,
    energyLimit: energy,
    version: call.version,
  });
  const end = taken ? collision(address) : settle(creator, initCode.length === 0 ? EMPTY_END : machine.run(creator));
  if (end.kind === "returned") {
    ledger.commit();
    transient.commit();
    frame.stack.push(prefixedWordOf(address));
  } else {
    machine.internal.reject(begun);
    rewind(machine, before);
    frame.stack.push(0n);
  }
  if (end.kind === "halted") return;
  if (end.kind === "reverted") frame.returnData = end.output;
  frame.used -= energy - creator.used;
}

const EMPTY_END: FrameEnd = { kind: "returned", output: new Uint8Array() };

function collision(address: Address): FrameEnd {
  return {
    kind: "halted",
    halt: executionFailed(`Trying to create a contract with existing contract address: 0x${address}`),
  };
}

/** A new contract loses the resources that were delegated to its address. */
const NOTHING_BORROWED = { bandwidth: 0n, energy: 0n };

/** Creates account and contract before their creation code runs. */
function createContractRecord(frame: Frame, { address, salted }: Creation, ledger: Ledger): void {
  const { machine, call } = frame;
  const existing = frame.ledger.account(address);
  ledger.put(
    existing === undefined
      ? newContractAccount(address, "CreatedByContract")
      : { ...existing, kind: "Contract", borrowed: NOTHING_BORROWED },
  );
  const definition = create(SmartContractSchema, {
    contractAddress: addressToBytes(address),
    originAddress: addressToBytes(call.address),
    consumeUserResourcePercent: ENTIRELY_CALLER,
    version: call.version,
    ...(salted && { trxHash: hexToBytes(machine.txId) }),
  });
  ledger.putContract({ address, definition, code: new Uint8Array(), codeHash: EMPTY_CODE_HASH });
  machine.created.push(address);
}

/** Charges and stores the returned code. */
function settle(frame: Frame, end: FrameEnd): FrameEnd {
  if (end.kind === "halted") return end;
  if (isForbidden(frame, end.output)) return { kind: "halted", halt: invalidCode() };
  if (end.kind === "reverted") return end;
  const halt = saveCode(frame, end.output, "No energy to save just created contract code");
  return halt === undefined ? end : { kind: "halted", halt };
}

/** Stores code of the frame's contract. @returns the reason why it cannot be stored */
export function saveCode(frame: Frame, code: Uint8Array, purpose: string): Halt | undefined {
  const { ledger, call } = frame;
  if (isForbidden(frame, code)) return invalidCode();
  const energy = code.length * CODE_BYTE;
  if (energy > frame.left) return notEnoughFor(purpose, energy, frame.left);
  frame.used += energy;
  const contract = ledger.contract(call.address);
  if (contract !== undefined) {
    const codeHash = bytesToHex(keccak_256(code));
    const definition = { ...contract.definition, codeHash: hexToBytes(codeHash) };
    ledger.putContract({ ...contract, definition, code, codeHash });
  }
  return undefined;
}

/** Returns whether code is forbidden; in nested creations this includes the data of a revert. */
export function isForbidden({ machine }: Frame, code: Uint8Array): boolean {
  return code[0] === FORBIDDEN_FIRST_BYTE && machine.environment.parameters.getAllowTvmLondon === 1;
}
