import { type Address, type BlockId, type Hex, type Sun, sun } from "@finality/tron/primitives";
import type { ContractRun, SimulatedRun } from "../gateway.ts";

/** What a full node says of its newest block, asked by code that it runs and forgets. */
export interface ChainState {
  readonly number: number;
  /** Chain time in ms, whole seconds of it. */
  readonly timestamp: number;
  /** Of the account that was asked for; 0 where there is none. */
  readonly balance: Sun;
  /** Of the height that was asked for: undefined unless it is one of the 256 before the newest block. */
  readonly blockId: BlockId | undefined;
}

/** What to ask besides the newest block. */
export interface StateQuestion {
  readonly account?: Address;
  readonly height?: number;
}

/** Somebody has to be named as the caller, and need not exist. */
const NOBODY = `41${"00".repeat(20)}` as Address;
const WORD_DIGITS = 64;
const WORDS = 4;
const SECOND_MS = 1_000;
/** The machine knows the ids of so many blocks. */
const KNOWN_IDS = 256;
const LARGEST_HEIGHT = 0xffff_ffff;

/** NUMBER, TIMESTAMP, BALANCE of an account, BLOCKHASH of a height: each into a word, and all of them returned. */
export function stateRun({ account = NOBODY, height = 0 }: StateQuestion): ContractRun {
  const heightHex = Math.min(height, LARGEST_HEIGHT).toString(16).padStart(8, "0");
  const words = ["43", "42", `73${account.slice(2)}31`, `63${heightHex}40`];
  const stored = words.map((code, at) => `${code}60${(at * 32).toString(16).padStart(2, "0")}52`);
  return { owner: NOBODY, data: `${stored.join("")}60806000f3` as Hex, callValue: sun(0n) };
}

/** Undefined where the run did not come to its end, or gave something else back. */
export function readState({ reverted, returned }: SimulatedRun, { height = 0 }: StateQuestion): ChainState | undefined {
  if (reverted || returned.length !== WORDS * WORD_DIGITS) return undefined;
  const word = (at: number): string => returned.slice(at * WORD_DIGITS, (at + 1) * WORD_DIGITS);
  const [number, seconds] = [Number(BigInt(`0x${word(0)}`)), Number(BigInt(`0x${word(1)}`))];
  const timestamp = seconds * SECOND_MS;
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(timestamp)) return undefined;
  const isKnown = height < number && height >= number - KNOWN_IDS;
  const balance = sun(BigInt(`0x${word(2)}`));
  return { number, timestamp, balance, blockId: isKnown ? (word(3) as BlockId) : undefined };
}
