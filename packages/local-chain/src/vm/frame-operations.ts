import { bytesToHex, type Hex } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { badJump, changeInStaticCall, executionFailed, returnDataOutOfBounds, transferFailed } from "../chain/halt.ts";
import { tokenBalance as balanceOfToken } from "../chain/ledger.ts";
import type { Frame, Instruction } from "./frame.ts";
import { addressOf, MAX_LONG, wordOf, wordOfBytes } from "./words.ts";

const INT_MASK = 0xffff_ffffn;

/** STOP. */

export const stop: Instruction = (frame) => {
  frame.ending = "returned";
};

export const jump: Instruction = (frame) => {
  frame.programCounter = destination(frame, frame.stack.pop());
};

export const jumpIf: Instruction = (frame) => {
  const to = frame.stack.pop();
  const condition = frame.stack.pop();
  if (condition !== 0n) frame.programCounter = destination(frame, to);
};

export const nothing: Instruction = () => undefined;

/** Creates PUSH with a number of bytes. */
export function push(length: number): Instruction {
  return (frame) => {
    frame.stack.push(frame.analysis.pushes[frame.programCounter] ?? 0n);
    frame.programCounter += length;
  };
}

export const position: Instruction = (frame) => frame.stack.push(BigInt(frame.programCounter - 1));
export const memorySize: Instruction = (frame) => frame.stack.push(BigInt(frame.memory.size));
export const energyLeft: Instruction = (frame) => frame.stack.push(BigInt(frame.left));

export const returnDataSize: Instruction = (frame) => frame.stack.push(BigInt(frame.returnData.length));

export const returnDataCopy: Instruction = ({ stack, memory, returnData }) => {
  const to = stack.pop();
  const offset = stack.pop();
  const size = stack.pop();
  if (offset + size > BigInt(returnData.length)) throw returnDataOutOfBounds(offset, size, returnData.length);
  const from = Number(offset);
  memory.write(Number(to), Number(size), returnData.subarray(from, from + Number(size)));
};

export const returnOutput: Instruction = (frame) => finish(frame, "returned");
export const revert: Instruction = (frame) => finish(frame, "reverted");

export function log(topicCount: number): Instruction {
  return (frame) => {
    denyStatic(frame);
    const offset = frame.stack.pop();
    const size = frame.stack.pop();
    const topics = frame.stack.popN(topicCount).map((it) => it.toString(16).padStart(64, "0") as Hex);
    const data = bytesToHex(frame.memory.read(Number(offset), Number(size), true));
    frame.machine.logs.push({ address: frame.call.address, topics, data });
  };
}

/** @throws {Halt} the frame may not change anything */
export function denyStatic(frame: Frame): void {
  if (frame.call.isStatic) throw changeInStaticCall();
}

function finish(frame: Frame, ending: "returned" | "reverted"): void {
  const offset = frame.stack.pop();
  const size = frame.stack.pop();
  frame.output = frame.memory.read(Number(offset), Number(size));
  frame.ending = ending;
}

/** Reads a jump destination: at most four bytes, signed. */
function destination({ analysis }: Frame, word: bigint): number {
  if (word > INT_MASK) throw badJump(-1);
  const to = Number(BigInt.asIntN(32, word));
  if (analysis.destinations[to] !== 1) throw badJump(to);
  return to;
}

/** MLOAD. */

export const loadWord: Instruction = ({ stack, memory }) => {
  stack.push(memory.readWord(Number(stack.pop())));
};

export const storeWord: Instruction = ({ stack, memory }) => {
  const offset = Number(stack.pop());
  memory.writeWord(offset, stack.pop());
};

const WORD_BITS = 256;

/** CLZ (TIP-7939): number of zero bits before the first one. */
export const leadingZeros: Instruction = ({ stack }) => {
  const word = stack.pop();
  stack.push(BigInt(word === 0n ? WORD_BITS : WORD_BITS - word.toString(2).length));
};

/** Bytes hashed for a mapping: key and slot. */
const MAPPING_KEY = 64;
const MOST_HASHES = 1024;
const hashes = new Map<Hex, bigint>();

/** KECCAK256, with a cache: trial and block hash the same mapping slots. */
export const hash: Instruction = ({ stack, memory }) => {
  const offset = Number(stack.pop());
  const bytes = memory.read(offset, Number(stack.pop()), true);
  stack.push(bytes.length === MAPPING_KEY ? knownHash(bytes) : wordOfBytes(keccak_256(bytes)));
};

function knownHash(bytes: Uint8Array): bigint {
  const key = bytesToHex(bytes);
  const known = hashes.get(key);
  if (known !== undefined) return known;
  if (hashes.size >= MOST_HASHES) hashes.clear();
  const word = wordOfBytes(keccak_256(bytes));
  hashes.set(key, word);
  return word;
}

const SECOND_MS = 1000;
const WORD = 32;
const INT_MAX = 2_147_483_647n;

/** Creates an operation that pushes a word about call, block or chain. */

function pushWord(word: (frame: Frame) => bigint): Instruction {
  return (frame) => frame.stack.push(word(frame));
}

export const zero: Instruction = pushWord(() => 0n);
export const ownAddress: Instruction = pushWord(({ call }) => wordOf(call.address));
export const originAddress: Instruction = pushWord(({ machine }) => wordOf(machine.origin));
export const callerAddress: Instruction = pushWord(({ call }) => wordOf(call.caller));
export const callValue: Instruction = pushWord(({ call }) => call.value);
/** CALLDATALOAD; beyond the input it reads 0. */
export const inputWord: Instruction = pushWord(({ call: { data }, stack }) => {
  const offset = stack.pop();
  if (offset >= BigInt(data.length)) return 0n;
  const bytes = data.subarray(Number(offset), Number(offset) + WORD);
  return wordOfBytes(bytes) << BigInt(8 * (WORD - bytes.length));
});
export const inputSize: Instruction = pushWord(({ call }) => BigInt(call.data.length));
export const codeSize: Instruction = pushWord(({ code }) => BigInt(code.length));
export const tokenValue: Instruction = pushWord(({ call }) => call.tokenValue);
export const tokenId: Instruction = pushWord(({ call }) => call.tokenId);

export const selfBalance: Instruction = pushWord(({ ledger, call }) => ledger.account(call.address)?.balance ?? 0n);
/** BALANCE; the negative balance of the black hole is pushed as unsigned 64 bits. */
export const balance: Instruction = pushWord(({ ledger, stack }) =>
  BigInt.asUintN(64, ledger.account(addressOf(stack.pop()))?.balance ?? 0n),
);

export const energyPrice: Instruction = pushWord(priceOf);
export const energyPriceForNewCode: Instruction = pushWord((frame) => (keepsRules(frame) ? priceOf(frame) : 0n));

export const blockHash: Instruction = pushWord(({ machine: { environment: surroundings }, stack }) => {
  const height = stack.pop();
  const { number } = surroundings.block;
  if (height > INT_MAX || height >= BigInt(number) || height < BigInt(Math.max(256, number) - 256)) return 0n;
  return surroundings.blockHash(Number(height));
});
export const blockProducer: Instruction = pushWord(({ machine }) => machine.environment.block.producer);
export const blockTime: Instruction = pushWord(({ machine }) =>
  BigInt(Math.floor(machine.environment.block.timestamp / SECOND_MS)),
);
export const blockNumber: Instruction = pushWord(({ machine }) => BigInt(machine.environment.block.number));
export const chainId: Instruction = pushWord(({ machine }) => machine.environment.chainId);

export const blobHash: Instruction = pushWord(({ stack }) => stack.pop() & 0n);

function priceOf({ machine }: Frame): bigint {
  return BigInt(machine.environment.parameters.getEnergyFee);
}

function keepsRules({ call, machine }: Frame): boolean {
  return call.version === 1 && machine.environment.parameters.getAllowTvmCompatibleEvm === 1;
}

const MIN_TOKEN_ID = 1_000_000n;
const INVALID_TOKEN = "validateForSmartContract failure:not valid token id";

/** Token balance of an account. The id has to be valid, but the token may not exist. */
export const tokenBalance: Instruction = ({ stack, ledger }) => {
  const id = BigInt.asIntN(256, stack.pop());
  const account = ledger.account(addressOf(stack.pop()));
  if (id > MAX_LONG || id < -MAX_LONG - 1n) throw transferFailed(INVALID_TOKEN);
  if (id <= MIN_TOKEN_ID) throw executionFailed(INVALID_TOKEN);
  stack.push(account === undefined ? 0n : balanceOfToken(account, String(id)));
};

/** Creates a closed operation, which pushes 0. */
export function refused(operands: number): Instruction {
  return (frame) => {
    denyStatic(frame);
    frame.stack.popN(operands);
    frame.stack.push(0n);
  };
}

/** Creates a query that always pushes 0. */
export function unknown(operands: number): Instruction {
  return (frame) => {
    frame.stack.popN(operands);
    frame.stack.push(0n);
  };
}
