import { bytesToHex, hexToBytes } from "@finality/tron/primitives";
import { eachStack, type Trace } from "@finality/tron/traces";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { OPCODE } from "./frame-run.ts";

/** Hashed bytes by their Keccak-256, both hex: slots of mappings and arrays are such hashes. */
export type Preimages = ReadonlyMap<string, string>;

/** Longest hashed bytes that can be the key of a mapping. */
const LONGEST_KEY = 4_096;

/** Returns what a run hashed; nothing if the trace has no stack or no memory. */
export function hashPreimages(trace: Trace): Preimages {
  const found = new Map<string, string>();
  eachHash(trace, (_, bytes) => addPreimage(found, bytes));
  return found;
}

/** Returns what a run hashed, by the account in whose storage the code ran. */
export function hashPreimagesByAccount(trace: Trace): ReadonlyMap<string, Preimages> {
  const found = new Map<string, Map<string, string>>();
  eachHash(trace, (frame, bytes) => {
    const account = trace.frames[frame]?.to ?? "";
    const ofAccount = found.get(account) ?? new Map<string, string>();
    found.set(account, ofAccount);
    addPreimage(ofAccount, bytes);
  });
  return found;
}

function addPreimage(found: Map<string, string>, bytes: Uint8Array): void {
  found.set(bytesToHex(keccak_256(bytes)), bytesToHex(bytes));
}

/** Calls `visit` with the frame and the bytes of each hash that can be the slot of a key. */
function eachHash(trace: Trace, visit: (frame: number, bytes: Uint8Array) => void): void {
  const { steps } = trace;
  const changes = steps?.memory;
  if (steps === undefined || changes === undefined) return;
  const memories = new Map<number, Uint8Array>();
  let next = 0;
  eachStack(trace, (step, stack) => {
    for (; (changes[next]?.step ?? step) < step; next += 1) {
      const change = changes[next];
      if (change === undefined) break;
      const frame = steps.frame[change.step] ?? 0;
      memories.set(frame, changedMemory(memories.get(frame), change.offset, hexToBytes(change.data)));
    }
    if (steps.opcode[step] !== OPCODE.sha3) return;
    const offset = Number.parseInt(stack.at(-1) ?? "", 16);
    const length = Number.parseInt(stack.at(-2) ?? "", 16);
    if (!(offset >= 0 && length > 0 && length <= LONGEST_KEY)) return;
    const frame = steps.frame[step] ?? 0;
    const bytes = new Uint8Array(length);
    bytes.set((memories.get(frame) ?? new Uint8Array()).subarray(offset, offset + length));
    visit(frame, bytes);
  });
}

function changedMemory(memory: Uint8Array | undefined, offset: number, data: Uint8Array): Uint8Array {
  const end = offset + data.length;
  const grown = memory !== undefined && end <= memory.length ? memory : new Uint8Array(2 * end);
  if (memory !== undefined && grown !== memory) grown.set(memory);
  grown.set(data, offset);
  return grown;
}
