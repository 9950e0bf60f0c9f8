import { type Address, toBase58 } from "../primitives/address.ts";
import { formatCoins } from "../primitives/amount.ts";
import type { Intent } from "./intent.ts";

/** The name that a person gave to an address, if any. */
export type NameOf = (address: Address) => string | undefined;

/**
 * An address as people recognise it: its name, or the two ends of its base58 form.
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

/** A txID short enough for a list: its two ends. */
export function shortTxId(txId: string): string {
  return `${txId.slice(0, 6)}…${txId.slice(-4)}`;
}

/** What an intent does, in few words: the amount first, then where it goes, such as "1.5 → Bob". Amounts are coins. */
export function describeIntent(intent: Intent, nameOf?: NameOf): string {
  const to = (address: Address): string => shortAddress(address, nameOf);
  switch (intent.kind) {
    case "transfer":
      return `${formatCoins(intent.amount)} → ${to(intent.to)}`;
    case "token-transfer":
      return `${intent.amount} of token ${intent.tokenId} → ${to(intent.to)}`;
    case "contract-call":
      return `Call ${to(intent.contract)}`;
    case "contract-creation":
      return intent.name === "" ? "Create a contract" : `Create ${intent.name}`;
    case "stake":
      return `Stake ${formatCoins(intent.amount)} for ${intent.resource.toLowerCase()}`;
    case "unstake":
      return `Unstake ${formatCoins(intent.amount)} from ${intent.resource.toLowerCase()}`;
    case "withdraw":
      return "Withdraw unstaked coins";
    case "delegate":
      return `Delegate ${formatCoins(intent.amount)} as ${intent.resource.toLowerCase()} → ${to(intent.receiver)}`;
    case "undelegate":
      return `Take back ${formatCoins(intent.amount)} of ${intent.resource.toLowerCase()} from ${to(intent.receiver)}`;
    case "permission-update":
      return "Change permissions";
    case "vote":
      return `Vote for ${intent.votes.length} ${intent.votes.length === 1 ? "witness" : "witnesses"}`;
  }
}
