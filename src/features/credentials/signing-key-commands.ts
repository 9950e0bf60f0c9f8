import * as vscode from "vscode";
import { isChainError } from "../../core/errors/chain-error.ts";
import { type Address, parseAddress, toBase58 } from "../../core/primitives/address.ts";
import { bytesToHex } from "../../core/primitives/bytes.ts";
import type { CommandArguments } from "../../host/command-shapes.ts";
import type { SigningKeys } from "../../host/signing-keys.ts";
import { nextLabel } from "./account.view.ts";
import { chooseAccount } from "./choose-account.ts";

/** What the commands of accounts give back: never a key. */
export interface AccountResult {
  readonly address: string;
  readonly hex: Address;
  readonly label: string;
}

/** Makes a new signing key. @returns undefined when the person left */
export async function generateSigningKey(
  keys: SigningKeys,
  told: CommandArguments["finality.generateSigningKey"],
  asks: boolean,
): Promise<AccountResult | undefined> {
  const label = await labelFor(keys, told.label, asks, vscode.l10n.t("Generate Signing Key"));
  if (label === undefined) return undefined;
  const { generatePrivateKey, addressOfPrivateKey } = await import("../../host/lazy/signing.ts");
  const key = generatePrivateKey();
  const address = addressOfPrivateKey(key);
  await keys.add({ address, label, watchOnly: false }, bytesToHex(key));
  key.fill(0);
  if (asks) void sayAdded(label, address);
  return resultOf(address, label);
}

/** Stores a signing key that exists already. @returns undefined when the person left */
export async function importSigningKey(
  keys: SigningKeys,
  told: CommandArguments["finality.importSigningKey"],
): Promise<AccountResult | undefined> {
  const { parsePrivateKey, addressOfPrivateKey } = await import("../../host/lazy/signing.ts");
  const addressOf = (text: string): Address => addressOfPrivateKey(parsePrivateKey(text));
  const typed = told.privateKey ?? (await askPrivateKey(addressOf));
  if (typed === undefined) return undefined;
  const address = addressOf(typed);
  const known = keys.find(address)?.label;
  const asks = told.privateKey === undefined;
  const label = await labelFor(keys, told.label ?? known, asks, vscode.l10n.t("Import Signing Key"));
  if (label === undefined) return undefined;
  await keys.add({ address, label, watchOnly: false }, bytesToHex(parsePrivateKey(typed)));
  if (asks) void sayAdded(label, address);
  return resultOf(address, label);
}

/** Watches an address without a key. @returns undefined when the person left */
export async function addWatchOnlyAddress(
  keys: SigningKeys,
  told: CommandArguments["finality.addWatchOnlyAddress"],
): Promise<AccountResult | undefined> {
  const title = vscode.l10n.t("Add Watch-Only Address");
  const text = told.address ?? (await askAddress(title));
  if (text === undefined) return undefined;
  const address = parseAddress(text);
  const known = keys.find(address);
  if (known !== undefined) return resultOf(address, known.label);
  const label = await labelFor(keys, told.label, told.address === undefined, title);
  if (label === undefined) return undefined;
  await keys.add({ address, label, watchOnly: true });
  return resultOf(address, label);
}

/** Forgets an account and deletes its key. @returns undefined when the person left */
export async function removeSigningKey(
  keys: SigningKeys,
  { address, confirmed = false }: CommandArguments["finality.removeSigningKey"],
): Promise<AccountResult | undefined> {
  const account = await chooseAccount(keys, address, vscode.l10n.t("Remove Account"));
  if (account === undefined) return undefined;
  if (!confirmed && !(await confirmRemoval(account))) return undefined;
  await keys.remove(account.address);
  return resultOf(account.address, account.label);
}

/** Puts the base58 form of an address on the clipboard. @returns undefined when the person left */
export async function copyAddress(
  keys: SigningKeys,
  { address }: CommandArguments["finality.copyAddress"],
): Promise<string | undefined> {
  const account = await chooseAccount(keys, address, vscode.l10n.t("Copy Address"));
  if (account === undefined) return undefined;
  const text = toBase58(account.address);
  await vscode.env.clipboard.writeText(text);
  return text;
}

function resultOf(hex: Address, label: string): AccountResult {
  return { address: toBase58(hex), hex, label };
}

/** The label that was told, or a free one when nobody is to be asked. */
async function labelFor(
  keys: SigningKeys,
  told: string | undefined,
  asks: boolean,
  title: string,
): Promise<string | undefined> {
  const taken = keys.list().map(({ label }) => label);
  if (!asks) return told?.trim() || nextLabel(taken);
  const label = await vscode.window.showInputBox({
    ...{ title, ignoreFocusOut: true, value: told ?? nextLabel(taken) },
    prompt: vscode.l10n.t("A name for the account"),
    validateInput: (text) => (text.trim() === "" ? vscode.l10n.t("An account needs a name.") : undefined),
  });
  return label?.trim();
}

/** The address that belongs to the key is shown while it is typed, so that a wrong key is noticed. */
function askPrivateKey(addressOf: (text: string) => Address): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...{ password: true, ignoreFocusOut: true, title: vscode.l10n.t("Import Signing Key") },
    prompt: vscode.l10n.t("The private key, 64 hex digits. It is kept in the secret storage of the editor."),
    validateInput: (text) => {
      if (text.trim() === "") return undefined;
      return validate(
        () => vscode.l10n.t("Signs for {0}", toBase58(addressOf(text))),
        vscode.InputBoxValidationSeverity.Info,
      );
    },
  });
}

function askAddress(title: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...{ title, ignoreFocusOut: true, prompt: vscode.l10n.t("The address, as T… or 41…") },
    validateInput: (text) => {
      if (text.trim() === "") return undefined;
      return validate(() => {
        const address = parseAddress(text);
        return `${toBase58(address)} = ${address}`;
      }, vscode.InputBoxValidationSeverity.Info);
    },
  });
}

function validate(
  describe: () => string,
  severity: vscode.InputBoxValidationSeverity,
): vscode.InputBoxValidationMessage {
  try {
    return { message: describe(), severity };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { message: error.message, severity: vscode.InputBoxValidationSeverity.Error };
  }
}

async function confirmRemoval({ label, address, watchOnly }: { label: string; address: Address; watchOnly: boolean }) {
  const detail = watchOnly
    ? vscode.l10n.t("It is only watched. Nothing on the chain changes.")
    : vscode.l10n.t(
        "Its signing key is deleted. Without a copy elsewhere, the coins of {0} can never be moved again.",
        toBase58(address),
      );
  const remove = vscode.l10n.t("Remove");
  const question = vscode.l10n.t("Remove the account {0}?", label);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}

async function sayAdded(label: string, address: Address): Promise<void> {
  const copy = vscode.l10n.t("Copy Address");
  const message = vscode.l10n.t("{0} signs for {1}.", label, toBase58(address));
  if ((await vscode.window.showInformationMessage(message, copy)) === copy) {
    await vscode.env.clipboard.writeText(toBase58(address));
  }
}
