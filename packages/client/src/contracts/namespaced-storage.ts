import { keccak256 } from "@finality/tron/primitives";

/** Slots of a namespace start at a multiple of 256. */
const SLOTS_MASK = ~0xffn;

/** Returns the first slot of a storage namespace of ERC-7201, such as `erc7201:example.main`; undefined for others. */
export function namespaceSlot(location: string): bigint | undefined {
  const [, id] = /^erc7201:(.+)$/s.exec(location) ?? [];
  if (id === undefined) return undefined;
  const digits = (BigInt(`0x${keccak256(Buffer.from(id)).toString("hex")}`) - 1n).toString(16).padStart(64, "0");
  return BigInt(`0x${keccak256(Buffer.from(digits, "hex")).toString("hex")}`) & SLOTS_MASK;
}
