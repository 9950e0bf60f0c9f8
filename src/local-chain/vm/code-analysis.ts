import { bytesToHex } from "../../core/primitives/bytes.ts";

const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** What is known of code before it runs. */
export interface AnalysedCode {
  readonly bytes: Uint8Array;
  /** 1 where a jump may go: a JUMPDEST that is not the data of a push. */
  readonly destinations: Uint8Array;
  /** The word of each push, by the position after its opcode. */
  readonly pushes: { readonly [position: number]: bigint };
}

const analysed = new WeakMap<Uint8Array, AnalysedCode>();

/** Analyses code once for as long as the chain keeps it. */
export function analyseCode(bytes: Uint8Array): AnalysedCode {
  const known = analysed.get(bytes);
  if (known !== undefined) return known;
  const code = analyse(bytes);
  analysed.set(bytes, code);
  return code;
}

function analyse(bytes: Uint8Array): AnalysedCode {
  const destinations = new Uint8Array(bytes.length);
  const pushes: Record<number, bigint> = {};
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === JUMPDEST) destinations[at] = 1;
    if (code < PUSH1 || code > PUSH32) continue;
    const length = code - PUSH1 + 1;
    pushes[at + 1] = pushedWord(bytes, at + 1, length);
    at += length;
  }
  return { bytes, destinations, pushes };
}

/** Code that ends inside a push is followed by zeros. */
function pushedWord(bytes: Uint8Array, at: number, length: number): bigint {
  return BigInt(`0x${bytesToHex(bytes.subarray(at, at + length)).padEnd(length * 2, "0")}`);
}
