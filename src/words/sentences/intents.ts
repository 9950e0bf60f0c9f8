import type { Address } from "../../core/primitives/address.ts";
import type { Intent } from "../../core/transaction/intent.ts";
import { formatCoins } from "../forms/coins.ts";
import { counted } from "../forms/numbers.ts";
import { type NameOf, shortAddress } from "../forms/short.ts";

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
      return `Vote for ${counted(intent.votes.length, "witness", "witnesses")}`;
  }
}
