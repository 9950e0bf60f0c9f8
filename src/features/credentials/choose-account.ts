import * as vscode from "vscode";
import { ChainError } from "../../core/errors/chain-error.ts";
import { toBase58 } from "../../core/primitives/address.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import type { SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";

/**
 * The account of this address or label; without one, the person chooses.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `ACCOUNT_UNKNOWN`
 */
export async function chooseAccount(
  keys: SigningKeys,
  account: string | undefined,
  title: string,
): Promise<SigningAccount | undefined> {
  if (account !== undefined) {
    const address = keys.addressOf(account);
    const found = address === undefined ? undefined : keys.find(address);
    if (found === undefined) throw new ChainError("ACCOUNT_UNKNOWN", { account });
    return found;
  }
  const items = keys.list().map((it) => ({
    label: `$(${it.watchOnly ? "eye" : "key"}) ${it.label}`,
    description: toBase58(it.address),
    account: it,
  }));
  const placeHolder = items.length === 0 ? vscode.l10n.t("There are no accounts yet") : vscode.l10n.t("Which account?");
  const picked = await quickPick(items, { title, placeHolder, matchOnDescription: true });
  return picked?.account;
}
