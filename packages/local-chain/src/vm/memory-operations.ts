import { bytesToHex, type Hex } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Instruction } from "./operation.ts";
import { wordOfBytes } from "./words.ts";

/** Operations on words of memory: each transaction runs them by dozens, and twice. */

export const loadWord: Instruction = ({ stack, memory }) => {
  stack.push(memory.readWord(Number(stack.pop())));
};

export const storeWord: Instruction = ({ stack, memory }) => {
  const offset = Number(stack.pop());
  memory.writeWord(offset, stack.pop());
};

/** What mappings are asked for: the hash of a key and of the mapping's own place. */
const MAPPING_KEY = 64;
const MOST_HASHES = 1024;
const hashes = new Map<Hex, bigint>();

/** Code asks for the same places of its mappings each time, in the trial as in the block. */
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
