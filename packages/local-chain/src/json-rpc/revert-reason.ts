import { bytesToHex } from "@finality/tron/primitives";
import { wordOfBytes } from "../vm/words.ts";

/** The selector of `Error(string)`. */
const ERROR_STRING = "08c379a0";
const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;

/** The reason that `Error(string)` gives; undefined for other data, and for data that end before it does. */
export function revertReason(output: Uint8Array): string | undefined {
  if (bytesToHex(output.subarray(0, SELECTOR_BYTES)) !== ERROR_STRING) return undefined;
  const body = output.subarray(SELECTOR_BYTES);
  const start = numberAt(body, 0);
  const end = start + WORD_BYTES + numberAt(body, start);
  if (end > body.length) return undefined;
  return Buffer.from(body.subarray(start + WORD_BYTES, end)).toString("utf8");
}

/** A word as a number; infinite where there is none. */
function numberAt(body: Uint8Array, offset: number): number {
  const word = body.subarray(offset, offset + WORD_BYTES);
  return word.length < WORD_BYTES ? Number.POSITIVE_INFINITY : Number(wordOfBytes(word));
}
