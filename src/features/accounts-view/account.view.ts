import type { Account, AccountResources, Delegation, Trc10Token } from "@finality/client/gateway";
import { accountIcon } from "@finality/client/labels";
import { coinsText, shortAddress } from "@finality/tron/format";
import { type Address, type Sun, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Account in the view. */
export interface NamedAccount {
  readonly address: Address;
  readonly label: string;
  readonly watchOnly: boolean;
  /** True if an external wallet holds its key. */
  readonly signer?: "outside";
  /** Derivation path, if the key comes from a mnemonic. */
  readonly path?: string;
  readonly policy?: unknown;
  readonly sessionOnly?: true;
  /** ID of the local chain that created it. */
  readonly chain?: string;
}

/** Balance of an account on the active network. */
export type Balance =
  | { readonly kind: "unknown" }
  | {
      readonly kind: "known";
      readonly account: Account;
      readonly details?: AccountDetails;
      /** Symbol of the network's coin; undefined if unknown. */
      readonly symbol?: string | undefined;
    }
  /** The account does not exist on the chain yet. */
  | { readonly kind: "not-activated" }
  | { readonly kind: "failed" };

/** Row of the tree: text and icons. */
interface AccountRow {
  readonly label: string;
  readonly description: string;
  /** A codicon. */
  readonly icon: string;
  /** `account`, with a suffix for each available action. */
  readonly contextValue: string;
  /** For screen readers. */
  readonly spoken: string;
}

export function describeAccount(account: NamedAccount, balance: Balance): AccountRow {
  const { address, label, watchOnly, signer, sessionOnly, chain } = account;
  const [text, words] = balanceText(balance);
  const marks = [
    ...(watchOnly ? ["watch-only"] : []),
    ...(signer === "outside" ? [t`signs in the browser`] : []),
    ...(sessionOnly === true ? [t`this session only`] : []),
  ];
  const own = chain === undefined && signer === undefined ? "+own" : "";
  return {
    label,
    description: [...text, ...marks, shortAddress(address)].join(" · "),
    icon: accountIcon(account),
    contextValue: watchOnly ? "account+watchOnly" : `account+signs${own}`,
    spoken: [label, ...marks, ...words, toBase58(address)].join(", "),
  };
}

/** Describes the balance for the row and for screen readers. */
function balanceText(balance: Balance): readonly [shown: readonly string[], spoken: readonly string[]] {
  switch (balance.kind) {
    case "unknown":
      return [[], []];
    case "known":
      return knownText(balance);
    case "not-activated":
      return [[t`not activated`], [t`not activated`]];
    case "failed":
      return [[t`balance unknown`], [t`balance unknown`]];
  }
}

function knownText({
  account: { balance },
  symbol,
}: Extract<Balance, { kind: "known" }>): ReturnType<typeof balanceText> {
  if (balance === undefined) return [[NOT_AVAILABLE], [NOT_AVAILABLE]];
  const text = coinsText(balance, symbol);
  return [[text], [text]];
}

/** The account exists, but the gateway does not report its balance. Never shown as 0. */
const NOT_AVAILABLE = t`balance not available`;

/** One line of a tooltip. */
export interface TooltipLine {
  readonly name: string;
  readonly value: string;
}

/** Details of an account whose row is expanded. A field is undefined if the gateway does not report it. */
export interface AccountDetails {
  /** Chain time of the newest block, ms. */
  readonly headTimestamp: number | undefined;
  readonly resources: AccountResources | undefined;
  readonly reward: Sun | undefined;
  readonly delegations: readonly Delegation[];
  /** Number of further delegation partners that were not queried. */
  readonly unreportedDelegations: number;
  /** Descriptions of its tokens by their number. */
  readonly tokens: ReadonlyMap<string, Trc10Token>;
}

/** Row below an account: text and icons. */
export interface DetailRow {
  /** Unique among the rows of its account. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A codicon. */
  readonly icon: string;
  /** Text for screen readers, without icons. */
  readonly spoken: string;
  /** Lines that explain how the value is computed. */
  readonly tooltip: readonly TooltipLine[];
  /** Kind of row for its menu, such as `votes`. */
  readonly menu?: string;
  /** Values that the commands of the menu read. */
  readonly argument?: DetailArgument;
  readonly children?: readonly DetailRow[];
}

/** Values of a row for the commands of its menu. Addresses are base58. */
export interface DetailArgument {
  readonly resource?: "energy" | "bandwidth" | "votes";
  /** Partner of a delegation. */
  readonly to?: string;
  /** Address in the row: a partner or a witness. */
  readonly address?: string;
  readonly tokenId?: string;
}
