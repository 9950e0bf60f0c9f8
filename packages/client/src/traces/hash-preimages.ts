import { bytesToHex, hexToBytes } from "@finality/tron/primitives";
import { eachStack, type Trace } from "@finality/tron/traces";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** Hashed bytes by their Keccak-256, both hex: slots of mappings and arrays are such hashes. */
export type Preimages = ReadonlyMap<string, string>;

const SHA3 = 0x20;
/** Longest hashed bytes that can be the key of a mapping. */
const LONGEST_KEY = 4_096;

/** Returns what a run hashed; nothing if the trace has no stack or no memory. */
export function hashPreimages(trace: Trace): Preimages {
  const found = new Map<string, string>();
  const { steps } = trace;
  const changes = steps?.memory;
  if (steps === undefined || changes === undefined) return found;
  const memories = new Map<number, Uint8Array>();
  let next = 0;
  eachStack(trace, (step, stack) => {
    for (; (changes[next]?.step ?? step) < step; next += 1) {
      const change = changes[next];
      if (change === undefined) break;
      const frame = steps.frame[change.step] ?? 0;
      memories.set(frame, changedMemory(memories.get(frame), change.offset, hexToBytes(change.data)));
    }
    if (steps.opcode[step] !== SHA3) return;
    const offset = Number.parseInt(stack.at(-1) ?? "", 16);
    const length = Number.parseInt(stack.at(-2) ?? "", 16);
    if (!(offset >= 0 && length > 0 && length <= LONGEST_KEY)) return;
    const bytes = new Uint8Array(length);
    bytes.set((memories.get(steps.frame[step] ?? 0) ?? new Uint8Array()).subarray(offset, offset + length));
    found.set(bytesToHex(keccak_256(bytes)), bytesToHex(bytes));
  });
  return found;
}

function changedMemory(memory: Uint8Array | undefined, offset: number, data: Uint8Array): Uint8Array {
  const end = offset + data.length;
  const grown = memory !== undefined && end <= memory.length ? memory : new Uint8Array(2 * end);
  if (memory !== undefined && grown !== memory) grown.set(memory);
  grown.set(data, offset);
  return grown;
}
