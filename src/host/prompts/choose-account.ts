import { accountIcon } from "@finality/client/labels";
import { ChainError } from "@finality/tron/errors";
import { toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { type NextStep, notifyWithSteps } from "../commands/show-error.ts";
import type { SigningAccount, SigningKeys } from "../secrets/signing-keys.ts";
import { quickPick } from "./quick-input.ts";

/**
 * Finds an account by address or label, or prompts for one. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `ACCOUNT_UNKNOWN`
 */
export async function chooseAccount(
  keys: SigningKeys,
  account: string | undefined,
  title: string,
  fits: (account: SigningAccount) => boolean = () => true,
): Promise<SigningAccount | undefined> {
  if (account !== undefined) {
    const address = keys.addressOf(account);
    const found = address === undefined ? undefined : keys.find(address);
    if (found === undefined) throw new ChainError("ACCOUNT_UNKNOWN", { account });
    return found;
  }
  const fitting = keys.list().filter(fits);
  if (fitting.length === 0) return await reportNoAccount(title, keys.list().length);
  const items = fitting.map((it) => ({
    label: `$(${accountIcon(it)}) ${it.label}`,
    description: toBase58(it.address),
    account: it,
  }));
  const placeholder = t`Which account?`;
  const picked = await quickPick(items, { title, placeHolder: placeholder, matchOnDescription: true });
  return picked?.account;
}

/** Buttons of notices that need an account where there is none. */
export const ADD_ACCOUNT_STEPS: readonly NextStep[] = [
  { title: t`Generate Signing Key…`, command: "finality.generateSigningKey" },
  { title: t`Import Signing Key…`, command: "finality.importSigningKey" },
];

async function reportNoAccount(title: string, others: number): Promise<undefined> {
  const why =
    others === 0 ? t`there is no account yet` : t`it needs an account with a key of your own here, and none has one`;
  void notifyWithSteps("information", `${title}: ${why}.`, ADD_ACCOUNT_STEPS);
  return undefined;
}
