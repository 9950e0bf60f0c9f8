import { type Address, addressIn, toBase58 } from "../primitives/address.ts";

/** Returns the user's name for an address, if any. */
export type NameOf = (address: Address) => string | undefined;

/**
 * Shortens an address: its name, or both ends of its base58 form.
 *
 * @example
 * shortAddress(parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp")); // "TWAFRf…qpHp"
 */
export function shortAddress(address: Address, nameOf?: NameOf): string {
  const name = nameOf?.(address);
  if (name !== undefined) return name;
  const text = toBase58(address);
  return `${text.slice(0, 6)}…${text.slice(-4)}`;
}

/** Shortens a txID for a list: its two ends. */
export function shortTxId(txId: string): string {
  return `${txId.slice(0, 6)}…${txId.slice(-4)}`;
}

/** Replaces the addresses in a line by the user's names for them. */
export function namesIn(line: string, nameOf: NameOf): string {
  return line.replaceAll(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, (text) => {
    const address = addressIn(text);
    return (address && nameOf(address)) ?? text;
  });
}

/** Returns a text without the full stop at its end, for a sentence that continues or ends after it. */
export function withoutStop(text: string): string {
  return text.replace(/[.。]$/, "");
}
