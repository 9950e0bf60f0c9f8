import { createHash } from "node:crypto";
import { readFields, readVarint, VARINT, type WireField, writeFields } from "./wire-message.ts";

const DAY_MS = 86_400_000n;
const [REFERENCE_BYTES, REFERENCE_HASH, EXPIRATION, TIMESTAMP] = [1, 4, 8, 14];
const CHOSEN = [REFERENCE_BYTES, REFERENCE_HASH, EXPIRATION, TIMESTAMP];

/**
 * Returns the fault of accepting these bytes in place of the requested ones. Undefined if only reference block, bounded
 * expiration and timestamp differ. It shares no code with the verification.
 *
 * @param head - chain time of the newest block, ms
 */
export function wrongWith(accepted: Uint8Array, asked: Uint8Array, head: number): string | undefined {
  const [found, wanted] = [readFields(accepted), readFields(asked)];
  if (found === undefined || wanted === undefined) return "they are not the shortest encoding of a message";
  if (!isSame(withoutChoices(found), withoutChoices(wanted))) return "they say something else";
  const numbers = found.map(({ number }) => number);
  if (numbers.some((it, at) => it < (numbers[at - 1] ?? 0))) return "their fields are in another order";
  return choiceProblem(found, BigInt(head));
}

function isSame(some: readonly WireField[], others: readonly WireField[]): boolean {
  return Buffer.compare(writeFields(some), writeFields(others)) === 0;
}

function withoutChoices(fields: readonly WireField[]): readonly WireField[] {
  return fields.filter(({ number }) => !CHOSEN.includes(number));
}

function choiceProblem(fields: readonly WireField[], head: bigint): string | undefined {
  const once = (number: number): WireField | undefined => {
    const all = fields.filter((it) => it.number === number);
    return all.length === 1 ? all[0] : undefined;
  };
  const expiration = numberIn(once(EXPIRATION));
  if (once(REFERENCE_BYTES)?.value.length !== 2) return "the reference has not 2 bytes";
  if (once(REFERENCE_HASH)?.value.length !== 8) return "the reference hash has not 8 bytes";
  if (expiration === undefined) return "there is no expiration";
  if (expiration <= head || expiration > head + DAY_MS) return "the expiration is out of bounds";
  const hasTimestamp = fields.some((it) => it.number === TIMESTAMP);
  return hasTimestamp && (numberIn(once(TIMESTAMP)) ?? -1n) < 1n ? "the timestamp is no time" : undefined;
}

function numberIn(field: WireField | undefined): bigint | undefined {
  return field?.wire === VARINT ? readVarint(field.value) : undefined;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
