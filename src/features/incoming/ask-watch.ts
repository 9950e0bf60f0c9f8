import type { PaidToken } from "@finality/client/incoming";
import { isChainError } from "@finality/tron/errors";
import type { Checked } from "@finality/tron/format";
import type { Address } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import {
  type Ask,
  askSteps,
  pickParty,
  pickValue,
  textStep,
  typedAddress,
  type ValueItem,
} from "../../host/prompts/quick-input.ts";
import type { KnownParty } from "../../host/secrets/signing-keys.ts";
import { checkExpected, readToken } from "./watch-fields.view.ts";

/** What is known of a watch before it begins. */
export interface WatchAnswers {
  readonly address?: Address;
  readonly token?: PaidToken;
  /** "all": whatever comes. */
  readonly expected?: bigint | "all";
}

/** Asks for whom, in what and how much is waited. @returns undefined when the person left */
export async function askWatch(
  known: WatchAnswers,
  accounts: readonly KnownParty[],
  copied: string,
): Promise<Required<WatchAnswers> | undefined> {
  const steps: readonly Ask<WatchAnswers>[] = [
    ...(known.address === undefined ? [askAddress(accounts, copied)] : []),
    ...(known.token === undefined ? [askToken] : []),
    ...(known.expected === undefined ? [askExpected] : []),
  ];
  return (await askSteps(t`Watch Incoming`, known, () => steps)) as Required<WatchAnswers> | undefined;
}

/** One's own accounts first, then what is on the clipboard if that is an address. */
function askAddress(accounts: readonly KnownParty[], copied: string): Ask<WatchAnswers> {
  const inClipboard = typedAddress(copied)?.value;
  const isKnown = accounts.some(({ address }) => address === inClipboard);
  const others =
    inClipboard === undefined || isKnown ? [] : [{ address: inClipboard, label: t`On the clipboard`, watchOnly: true }];
  return async (soFar, where) => {
    const placeholder = t`Payments to whom? Choose an account or paste an address`;
    const none = t`No account is here, and no address has a name yet. Paste an address above.`;
    const picked = await pickParty(where, { placeholder, accounts: [...accounts, ...others], none });
    return picked.kind === "value" ? { kind: "value", value: { ...soFar, address: picked.value } } : picked;
  };
}

const COINS: ValueItem<PaidToken> = {
  label: t`$(circle-large-filled) Coins`,
  description: t`the native coin`,
  value: { kind: "coins" },
};
const HOW_TO_TYPE: ValueItem<PaidToken> = {
  label: t`$(edit) A token`,
  description: t`type the number of a TRC-10 token, or the address of a TRC-20 token`,
};

const askToken: Ask<WatchAnswers> = async (soFar, where) => {
  const placeholder = t`Paid in what? Coins, or type a token`;
  const typed = (text: string): ValueItem<PaidToken> | undefined => {
    const token = tokenTyped(text);
    if (token === undefined) return undefined;
    return { label: t`$(arrow-right) This token`, description: text.trim(), value: token, alwaysShow: true };
  };
  const picked = await pickValue(where, { placeholder, items: [COINS, HOW_TO_TYPE], typed });
  return picked.kind === "value" ? { kind: "value", value: { ...soFar, token: picked.value } } : picked;
};

function tokenTyped(text: string): PaidToken | undefined {
  try {
    return readToken(text);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

const askExpected: Ask<WatchAnswers> = async (soFar, where) => {
  const { token = { kind: "coins" } } = soFar;
  const prompt =
    token.kind === "coins"
      ? t`How many coins in all? Leave it empty for whatever comes.`
      : t`How many of the token's smallest units in all? Leave it empty for whatever comes.`;
  const check = (text: string): Checked<bigint | "all"> => checkExpected(text, token);
  const typed = await textStep(where, { prompt, placeholder: t`whatever comes`, check });
  return typed.kind === "value" ? { kind: "value", value: { ...soFar, expected: typed.value } } : typed;
};
