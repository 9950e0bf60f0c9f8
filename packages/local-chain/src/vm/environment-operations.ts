import { executionFailed, transferFailed } from "../chain/halt.ts";
import { tokenBalance as balanceOfToken } from "../chain/ledger.ts";
import type { Frame } from "./frame.ts";
import { denyStatic } from "./frame-operations.ts";
import type { Instruction } from "./operation.ts";
import { addressOf, MAX_LONG, wordOf, wordOfBytes } from "./words.ts";

const SECOND_MS = 1000;
const WORD = 32;
const INT_MAX = 2_147_483_647n;

/** Operations that tell of the call, the block and the chain. */

function push(word: (frame: Frame) => bigint): Instruction {
  return (frame) => frame.stack.push(word(frame));
}

export const zero: Instruction = push(() => 0n);
export const ownAddress: Instruction = push(({ call }) => wordOf(call.address));
export const originAddress: Instruction = push(({ machine }) => wordOf(machine.origin));
export const callerAddress: Instruction = push(({ call }) => wordOf(call.caller));
export const callValue: Instruction = push(({ call }) => call.value);
/** What follows the input is 0. */
export const inputWord: Instruction = push(({ call: { data }, stack }) => {
  const offset = stack.pop();
  if (offset >= BigInt(data.length)) return 0n;
  const bytes = data.subarray(Number(offset), Number(offset) + WORD);
  return wordOfBytes(bytes) << BigInt(8 * (WORD - bytes.length));
});
export const inputSize: Instruction = push(({ call }) => BigInt(call.data.length));
export const codeSize: Instruction = push(({ code }) => BigInt(code.length));
export const tokenValue: Instruction = push(({ call }) => call.tokenValue);
export const tokenId: Instruction = push(({ call }) => call.tokenId);

export const selfBalance: Instruction = push(({ ledger, call }) => ledger.account(call.address)?.balance ?? 0n);
/** The black hole owes coins: a word has its 64 bits without their sign. */
export const balance: Instruction = push(({ ledger, stack }) =>
  BigInt.asUintN(64, ledger.account(addressOf(stack.pop()))?.balance ?? 0n),
);

export const energyPrice: Instruction = push(priceOf);
export const energyPriceForNewCode: Instruction = push((frame) => (keepsRules(frame) ? priceOf(frame) : 0n));

export const blockHash: Instruction = push(({ machine: { surroundings }, stack }) => {
  const height = stack.pop();
  const { number } = surroundings.block;
  if (height > INT_MAX || height >= BigInt(number) || height < BigInt(Math.max(256, number) - 256)) return 0n;
  return surroundings.blockHash(Number(height));
});
export const blockProducer: Instruction = push(({ machine }) => machine.surroundings.block.producer);
export const blockTime: Instruction = push(({ machine }) =>
  BigInt(Math.floor(machine.surroundings.block.timestamp / SECOND_MS)),
);
export const blockNumber: Instruction = push(({ machine }) => BigInt(machine.surroundings.block.number));
export const chainId: Instruction = push(({ machine }) => machine.surroundings.chainId);

export const blobHash: Instruction = push(({ stack }) => stack.pop() & 0n);

function priceOf({ machine }: Frame): bigint {
  return BigInt(machine.surroundings.parameters.getEnergyFee);
}

function keepsRules({ call, machine }: Frame): boolean {
  return call.version === 1 && machine.surroundings.parameters.getAllowTvmCompatibleEvm === 1;
}

const MIN_TOKEN_ID = 1_000_000n;
const INVALID_TOKEN = "validateForSmartContract failure:not valid token id";

/** What somebody has of a token. The id has to be one, but there may be no such token. */
export const tokenBalance: Instruction = ({ stack, ledger }) => {
  const id = BigInt.asIntN(256, stack.pop());
  const account = ledger.account(addressOf(stack.pop()));
  if (id > MAX_LONG || id < -MAX_LONG - 1n) throw transferFailed(INVALID_TOKEN);
  if (id <= MIN_TOKEN_ID) throw executionFailed(INVALID_TOKEN);
  stack.push(account === undefined ? 0n : balanceOfToken(account, String(id)));
};

/** An operation that is closed: it fails, and the code goes on. */
export function refused(operands: number): Instruction {
  return (frame) => {
    denyStatic(frame);
    frame.stack.popN(operands);
    frame.stack.push(0n);
  };
}

/** A question whose answer is nothing. */
export function unknown(operands: number): Instruction {
  return (frame) => {
    frame.stack.popN(operands);
    frame.stack.push(0n);
  };
}
