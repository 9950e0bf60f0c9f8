import { parseAddress, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { confirmModal, type Question } from "../../host/prompts/notify.ts";
import { inputBox } from "../../host/prompts/quick-input.ts";
import type { SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import { type AccountResult, labelFor, passAccount, resultOf } from "./account-label.ts";
import { validate } from "./ask-for-keys.ts";
import { chooseAccount } from "./show-balance.ts";

/** Watches an address without a key. @returns undefined when the person left */
export async function addWatchOnlyAddress(
  keys: SigningKeys,
  argument: CommandArguments["finality.addWatchOnlyAddress"],
): Promise<AccountResult | undefined> {
  const title = t`Add Watch-Only Address`;
  const text = argument.address ?? (await askAddress(title));
  if (text === undefined) return undefined;
  const address = parseAddress(text);
  const known = keys.find(address);
  if (known !== undefined) return resultOf(address, known.label);
  const label = await labelFor(keys, { argument: argument.label }, argument.address === undefined, title);
  if (label === undefined || !(await passAccount(keys, address, label, t`It is only watched.`))) return undefined;
  await keys.add({ address, label, watchOnly: true });
  return resultOf(address, label);
}

/**
 * Forgets an account and deletes its key. `confirmed` counts for the accounts of a local chain alone: any other key may be
 * the only one to its coins, and a name that is free again can come to mean another address.
 *
 * @returns undefined when the person left
 */
export async function removeSigningKey(
  keys: SigningKeys,
  { address, confirmed = false }: CommandArguments["finality.removeSigningKey"],
): Promise<AccountResult | undefined> {
  const account = await chooseAccount(keys, address, t`Remove Account`);
  if (account === undefined) return undefined;
  if (!(account.chain !== undefined && confirmed) && !(await confirmModal(removalOf(account), t`Remove`)))
    return undefined;
  await keys.remove(account.address);
  return resultOf(account.address, account.label);
}

/** Puts the base58 form of an address on the clipboard. @returns undefined when the person left */
export async function copyAddress(
  keys: SigningKeys,
  { address }: CommandArguments["finality.copyAddress"],
): Promise<string | undefined> {
  const account = await chooseAccount(keys, address, t`Copy Address`);
  if (account === undefined) return undefined;
  const text = toBase58(account.address);
  await vscode.env.clipboard.writeText(text);
  return text;
}

function askAddress(title: string): Thenable<string | undefined> {
  return inputBox({
    title,
    ignoreFocusOut: true,
    prompt: t`The address, as T… or 41…`,
    validateInput: (text) => {
      if (text.trim() === "") return undefined;
      return validate(() => {
        const address = parseAddress(text);
        return `${toBase58(address)} = ${address}`;
      }, vscode.InputBoxValidationSeverity.Info);
    },
  });
}

function removalOf(account: SigningAccount): Question {
  return { title: t`Remove the account ${account.label}?`, detail: removedText(account) };
}

function removedText({ address, watchOnly, signer }: SigningAccount): string {
  if (watchOnly) return t`It is only watched. Nothing on the chain changes.`;
  if (signer === "outside") return t`Its key stays in the wallet. Nothing on the chain changes.`;
  return t`Its signing key is deleted. Without a copy elsewhere, the coins of ${toBase58(address)} can never be moved again.`;
}
