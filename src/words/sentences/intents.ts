import type { Address } from "../../core/primitives/address.ts";
import { visibleLine } from "../../core/primitives/plain-text.ts";
import type { Intent, StakePurpose } from "../../core/transaction/intent.ts";
import { formatCoins } from "../forms/coins.ts";
import { counted, grouped, percent } from "../forms/numbers.ts";
import { type NameOf, shortAddress } from "../forms/short.ts";

const NAME = 32;

/** What a stake is for, in a sentence. */
export function purposeText(purpose: StakePurpose): string {
  return purpose === "TRON_POWER" ? "votes" : purpose.toLowerCase();
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
      return `Stake ${formatCoins(intent.amount)} for ${purposeText(intent.resource)}`;
    case "unstake":
      return `Unstake ${formatCoins(intent.amount)} from ${purposeText(intent.resource)}`;
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
    case "cancel-unstakes":
      return "Cancel all unstakes";
    case "claim-reward":
      return "Withdraw reward";
    case "account-creation":
      return `Create account ${to(intent.account)}`;
    case "account-name":
      return `Name the account ${visibleLine(intent.name, NAME)}`;
    case "contract-share":
      return `Let callers of ${to(intent.contract)} pay ${percent(intent.userPercent)}`;
    case "contract-limit":
      return `Pay up to ${grouped(intent.originEnergyLimit)} energy for calls of ${to(intent.contract)}`;
    case "contract-abi-removal":
      return `Remove the ABI of ${to(intent.contract)}`;
    case "other":
      return visibleLine(intent.type, NAME);
  }
}
