import { coinsText, counted, grouped, type NameOf, percent, shortAddress } from "@finality/tron/format";
import { type Address, type ForeignText, nameText, visibleLine } from "@finality/tron/primitives";
import type { Intent, StakePurpose } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";

const NAME = 32;

/** Functions of token standards by selector. A selector identifies them without an ABI. */
const TOKEN_FUNCTIONS: { readonly [selector: string]: string } = {
  a9059cbb: "transfer",
  "095ea7b3": "approve",
  "23b872dd": "transferFrom",
  "39509351": "increaseAllowance",
  a457c2d7: "decreaseAllowance",
  "42842e0e": "safeTransferFrom",
  b88d4fde: "safeTransferFrom",
  a22cb465: "setApprovalForAll",
};
const SELECTOR_DIGITS = 8;

/** Returns the name of a stake's purpose. */
export function purposeText(purpose: StakePurpose): string {
  switch (purpose) {
    case "BANDWIDTH":
      return t`bandwidth`;
    case "ENERGY":
      return t`energy`;
    case "TRON_POWER":
      return t`votes`;
  }
}

/** Name of a called function from an ABI. */
export interface FunctionName {
  readonly name: ForeignText;
  /** True if nothing ties the ABI to this contract: another function may have the same selector. */
  readonly isClaim: boolean;
}

/**
 * Describes an intent: the amount first, then the receiver.
 *
 * @example "1.5 coins → Bob"
 * @param symbol - of the network's coin: `coinSymbolOf`
 * @param called - Function of a contract call. The name of a claim is quoted.
 */
export function describeIntent(intent: Intent, nameOf?: NameOf, symbol?: string, called?: FunctionName): string {
  const to = (address: Address): string => shortAddress(address, nameOf);
  switch (intent.kind) {
    case "transfer":
      return `${coinsText(intent.amount, symbol)} → ${to(intent.to)}`;
    case "token-transfer":
      return t`${String(intent.amount)} of token ${intent.tokenId} → ${to(intent.to)}`;
    case "contract-call":
      return callText(intent.data, to(intent.contract), called);
    case "contract-creation":
      return intent.name === "" ? t`Deploy a contract` : t`Deploy ${intent.name}`;
    case "stake":
      return t`Stake ${coinsText(intent.amount, symbol)} for ${purposeText(intent.resource)}`;
    case "unstake":
      return t`Unstake ${coinsText(intent.amount, symbol)} from ${purposeText(intent.resource)}`;
    case "withdraw":
      return t`Withdraw unstaked coins`;
    case "delegate":
      return t`Delegate ${coinsText(intent.amount, symbol)} as ${purposeText(intent.resource)} → ${to(intent.receiver)}`;
    case "undelegate":
      return t`Take back ${coinsText(intent.amount, symbol)} of ${purposeText(intent.resource)} from ${to(intent.receiver)}`;
    case "permission-update":
      return t`Change permissions`;
    case "vote":
      return t`Vote for ${counted(intent.votes.length, t`witness`, t`witnesses`)}`;
    case "cancel-unstakes":
      return t`Cancel all unstakes`;
    case "claim-reward":
      return t`Withdraw reward`;
    case "account-creation":
      return t`Create account ${to(intent.account)}`;
    case "account-name":
      return t`Name the account ${visibleLine(intent.name, NAME)}`;
    case "contract-share":
      return t`Let callers of ${to(intent.contract)} pay ${percent(intent.userPercent)}`;
    case "contract-limit":
      return t`Pay up to ${grouped(intent.originEnergyLimit)} energy for calls of ${to(intent.contract)}`;
    case "contract-abi-removal":
      return t`Remove the ABI of ${to(intent.contract)}`;
    case "other":
      return visibleLine(intent.type, NAME);
  }
}

/** Returns whether a call is one of a token standard, which its selector names. */
export function isStandardCall(data: string): boolean {
  return Object.hasOwn(TOKEN_FUNCTIONS, data.slice(0, SELECTOR_DIGITS));
}

function callText(data: string, contract: string, called: FunctionName | undefined): string {
  const name = TOKEN_FUNCTIONS[data.slice(0, SELECTOR_DIGITS)] ?? (called && functionText(called));
  return name === undefined ? t`Call ${contract}` : t`Call ${name} on ${contract}`;
}

function functionText({ name, isClaim }: FunctionName): string {
  const shown = nameText(name);
  return isClaim ? `“${shown}”` : shown;
}
