import { bytesToHex, hexToBytes } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** Slots of a namespace start at a multiple of 256. */
const SLOTS_MASK = ~0xffn;

/** Returns the first slot of a storage namespace of ERC-7201, such as `erc7201:example.main`; undefined for others. */
export function namespaceSlot(location: string): bigint | undefined {
  const [, id] = /^erc7201:(.+)$/s.exec(location) ?? [];
  if (id === undefined) return undefined;
  const digits = (hashOf(Buffer.from(id, "utf8")) - 1n).toString(16).padStart(64, "0");
  return hashOf(hexToBytes(digits)) & SLOTS_MASK;
}

function hashOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(keccak_256(bytes))}`);
}
