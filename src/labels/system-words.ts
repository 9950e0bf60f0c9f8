import type {
  Account,
  AccountResources,
  ChainParameters,
  DeployedContract,
  Trc10Token,
  Witness,
} from "@finality/client/gateway";
import type { Address, ForeignText, Sun } from "@finality/tron/primitives";
import type { Intent, IntentOf } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { KeysHere } from "./permission-words.ts";
import { type Party, partyText } from "./reviews.ts";

/** What is done by a contract of the system, without code. */
export type SystemIntent = Exclude<Intent, IntentOf<"transfer" | "contract-call" | "contract-creation" | "other">>;

/** What the gateway says of somebody; both are absent for an account that is not activated. */
export interface AccountFacts {
  readonly account: Account | undefined;
  readonly resources: AccountResources | undefined;
}

/** Who can be voted for. */
export interface Voting {
  readonly witnesses: readonly Witness[];
  /** What those that were asked for keep of the rewards, in percent. */
  readonly rates: ReadonlyMap<Address, bigint>;
}

/** What the gateway says of the chain and of those that an intent is about. */
export interface SystemFacts {
  readonly owner: AccountFacts;
  /** Who gets something, or is created. */
  readonly receiver?: (AccountFacts & { readonly party: Party }) | undefined;
  /** Absent where the chain has none at this address. */
  readonly contract?: DeployedContract | undefined;
  /** What votes have earned, in sun. */
  readonly reward?: Sun | undefined;
  /** Absent where the chain has none of this number. */
  readonly token?: Trc10Token | undefined;
  /** What the node has against it, in its own words. */
  readonly refusal?: ForeignText | undefined;
  /** Who signs here: for what changes who decides over an account. */
  readonly keysHere?: KeysHere | undefined;
  /** Absent where nobody votes. */
  readonly voting?: Voting | undefined;
  readonly parameters: ChainParameters;
  /** Symbol of the network's coin; absent where none is known. */
  readonly symbol?: string | undefined;
  /** Chain time of the newest block, ms. */
  readonly headTimestamp: number;
  /** A time as people of this place write it. */
  readonly timeOf: (ms: number) => string;
}

/** What a review says of an intent: first what moves, then what follows from it. */
export interface SystemWords {
  /** `Stake 100 coins for energy`. */
  readonly action: string;
  readonly lines: readonly string[];
  /** What the person has to see before everything else, as sentences. */
  readonly alarms?: readonly string[];
  /** What follows from it, in a few words. */
  readonly effect: string;
  /** Why the chain would refuse it, as sentences. */
  readonly doubts: readonly string[];
}

/** Who gets something, or is created. */
export function receiverText({ receiver }: SystemFacts): string {
  return receiver === undefined ? t`nobody` : partyText(receiver.party);
}
