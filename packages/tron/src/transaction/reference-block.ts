import type { BlockId } from "../primitives/block.ts";
import { type Hex, hexToBytes } from "../primitives/bytes.ts";

/** TAPOS: the recent block a transaction refers to. It can only be executed on a chain that holds this block. */
export interface ReferenceBlock {
  /** The low 2 bytes of the height, big-endian. */
  readonly bytes: Uint8Array;
  /** Bytes 8 to 15 of the block's id. */
  readonly hash: Uint8Array;
}

/** The TAPOS fields that point at a block (protocol reference §5.1). */
export function referenceTo(blockId: BlockId): ReferenceBlock {
  const id = hexToBytes(blockId);
  return { bytes: id.slice(6, 8), hash: id.slice(8, 16) };
}

/** Returns true if the TAPOS fields match this block. */
export function refersTo(reference: { bytes: Hex; hash: Hex }, blockId: BlockId): boolean {
  return blockId.slice(12, 16) === reference.bytes && blockId.slice(16, 32) === reference.hash;
}

/** A transaction lives at most this long ahead of the head (gateway document, Limits). */
export const MAX_EXPIRATION_AHEAD_MS = 24 * 60 * 60 * 1000;
/** Expiration of the node's builders: head time + 60 s. */
export const DEFAULT_EXPIRATION_AHEAD_MS = 60_000;

/** Inclusion interval and chain reference of `raw_data`. */
export interface Lifetime {
  /** `raw_data.expiration`, chain time in ms. */
  readonly expiration: number;
  /** TAPOS: 2 bytes of the height and 8 bytes of the id of the block that it refers to. */
  readonly reference: { readonly bytes: Hex; readonly hash: Hex };
  /** `raw_data.timestamp`, Unix ms: when its builder says that it was built. Nobody checks it. */
  readonly timestamp?: number;
}

const REFERENCE_BYTES = 1;
const REFERENCE_HASH = 4;
const EXPIRATION = 8;
const TIMESTAMP = 14;

/**
 * Reads the few fields that bound the life of a transaction from its bytes, without the schema (protocol reference
 * §4.2).
 *
 * @returns undefined for bytes that are no `raw_data` with these fields
 */
export function readLifetime(rawDataHex: Hex): Lifetime | undefined {
  try {
    const fields = readFields(hexToBytes(rawDataHex));
    const [bytes, hash, expiration] = [REFERENCE_BYTES, REFERENCE_HASH, EXPIRATION].map((it) => fields.get(it));
    if (typeof bytes !== "string" || bytes.length !== 4 || typeof hash !== "string" || hash.length !== 16) {
      return undefined;
    }
    if (typeof expiration !== "bigint" || expiration > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
    const timestamp = fields.get(TIMESTAMP);
    const built = typeof timestamp === "bigint" ? { timestamp: Number(timestamp) } : {};
    return { expiration: Number(expiration), reference: { bytes: bytes as Hex, hash: hash as Hex }, ...built };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The last value of each field: numbers as bigint, bytes as hex. @throws {RangeError} the bytes end too early */
function readFields(bytes: Uint8Array): ReadonlyMap<number, bigint | string> {
  const fields = new Map<number, bigint | string>();
  let position = 0;
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; shift < 64n; shift += 7n) {
      const byte = bytes[position++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("The number does not end.");
  };
  while (position < bytes.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    if (kind !== 0 && kind !== 2) throw new RangeError("No field of raw_data has this kind.");
    const value = varint();
    if (kind === 0) {
      fields.set(tag >>> 3, value);
      continue;
    }
    const end = position + Number(value);
    if (end > bytes.length) throw new RangeError("The field does not end.");
    fields.set(tag >>> 3, Buffer.from(bytes.subarray(position, end)).toString("hex"));
    position = end;
  }
  return fields;
}
