import * as vscode from "vscode";
import { ChainError, isChainError } from "../../core/errors/chain-error.ts";
import { type Address, parseAddress, toBase58 } from "../../core/primitives/address.ts";
import { bytesToHex } from "../../core/primitives/bytes.ts";
import { cleanLabel, freeLabel, labelFault } from "../../core/primitives/label.ts";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { confirmModal, notify, type Question } from "../../host/prompts/notify.ts";
import { inputBox } from "../../host/prompts/quick-input.ts";
import type { SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import { nextLabel } from "./account.view.ts";
import type { CredentialServices } from "./services.ts";
import { chooseAccount } from "./show-balance.ts";

/** What the commands of accounts give back: never a key. */
export interface AccountResult {
  readonly address: string;
  readonly hex: Address;
  readonly label: string;
}

/** Makes a new signing key. @returns undefined when the person left */
export async function generateSigningKey(
  keys: SigningKeys,
  argument: CommandArguments["finality.generateSigningKey"],
  asks: boolean,
): Promise<AccountResult | undefined> {
  const label = await labelFor(keys, { argument: argument.label }, asks, vscode.l10n.t("Generate Signing Key"));
  if (label === undefined) return undefined;
  const { generatePrivateKey, addressOfPrivateKey } = await import("../../host/secrets/lazy-signing.ts");
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
  argument: CommandArguments["finality.importSigningKey"],
): Promise<AccountResult | undefined> {
  const { parsePrivateKey, addressOfPrivateKey } = await import("../../host/secrets/lazy-signing.ts");
  const addressOf = (text: string): Address => addressOfPrivateKey(parsePrivateKey(text));
  const typed = argument.privateKey ?? (await askPrivateKey(addressOf));
  if (typed === undefined) return undefined;
  const address = addressOf(typed);
  const known = keys.find(address)?.label;
  const asks = argument.privateKey === undefined;
  const title = vscode.l10n.t("Import Signing Key");
  const label = await labelFor(keys, { argument: argument.label ?? known, named: address }, asks, title);
  if (label === undefined) return undefined;
  const privateKeyHex = bytesToHex(parsePrivateKey(typed));
  if ((await keys.hasAnotherKey(address, privateKeyHex)) && !(await mayReplace(address))) return undefined;
  await keys.add({ address, label, watchOnly: false }, privateKeyHex);
  if (asks) void sayAdded(label, address);
  return resultOf(address, label);
}

/** Watches an address without a key. @returns undefined when the person left */
export async function addWatchOnlyAddress(
  keys: SigningKeys,
  argument: CommandArguments["finality.addWatchOnlyAddress"],
): Promise<AccountResult | undefined> {
  const title = vscode.l10n.t("Add Watch-Only Address");
  const text = argument.address ?? (await askAddress(title));
  if (text === undefined) return undefined;
  const address = parseAddress(text);
  const known = keys.find(address);
  if (known !== undefined) return resultOf(address, known.label);
  const label = await labelFor(keys, { argument: argument.label }, argument.address === undefined, title);
  if (label === undefined) return undefined;
  await keys.add({ address, label, watchOnly: true });
  return resultOf(address, label);
}

/**
 * Adds the account of a wallet in the browser, whose key stays there. An account that is watched only becomes one that
 * signs; one whose key is here stays as it is.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `OUTSIDE_SIGNATURE_MISSING` the wallet did not tell its account
 */
export async function connectBrowserWallet(
  { keys, wallet }: Pick<CredentialServices, "keys" | "wallet">,
  argument: CommandArguments["finality.connectBrowserWallet"],
): Promise<AccountResult | undefined> {
  const asks = argument.address === undefined;
  const address = argument.address === undefined ? await wallet.connect() : parseAddress(argument.address);
  if (address === undefined) return undefined;
  const known = keys.find(address);
  const hasKey = known !== undefined && !known.watchOnly;
  if (hasKey && asks)
    void notify("information", vscode.l10n.t("{0} signs here already. Nothing changed.", known.label));
  if (hasKey) return resultOf(address, known.label);
  const title = vscode.l10n.t("Connect Browser Wallet: {0}", toBase58(address));
  const label = await labelFor(keys, { argument: argument.label ?? known?.label, named: address }, asks, title);
  if (label === undefined) return undefined;
  await keys.add({ address, label, watchOnly: false, signer: "outside" });
  return resultOf(address, label);
}

/**
 * Forgets an account and deletes its key. `confirmed` counts for accounts without a key and for those of a local chain:
 * any other key may be the only one to its coins, so the person is asked whoever calls.
 *
 * @returns undefined when the person left
 */
export async function removeSigningKey(
  keys: SigningKeys,
  { address, confirmed = false }: CommandArguments["finality.removeSigningKey"],
): Promise<AccountResult | undefined> {
  const account = await chooseAccount(keys, address, vscode.l10n.t("Remove Account"));
  if (account === undefined) return undefined;
  const isHarmless = account.watchOnly || account.signer === "outside" || account.chain !== undefined;
  if (!(isHarmless && confirmed) && !(await confirmModal(removalOf(account), vscode.l10n.t("Remove"))))
    return undefined;
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

/**
 * The label that was told, with a number where it is taken, or a free one when nobody is to be asked.
 *
 * @param named - the account that has it already, whose own label is free for it
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
async function labelFor(
  keys: SigningKeys,
  { argument, named }: { readonly argument: string | undefined; readonly named?: Address },
  asks: boolean,
  title: string,
): Promise<string | undefined> {
  const others = keys.list().filter(({ address }) => address !== named);
  const taken = others.map(({ label }) => label);
  const proposed = argument === undefined || labelFault(argument, []) === "empty" ? nextLabel(taken) : argument;
  if (!asks) {
    if (labelFault(proposed, []) === undefined) return freeLabel(proposed, taken);
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", {
      argument: "label",
      reason: "it has characters that cannot be seen",
    });
  }
  const label = await inputBox({
    title,
    ignoreFocusOut: true,
    value: proposed,
    prompt: vscode.l10n.t("A name for the account"),
    validateInput: (text) => whyNoLabel(text, taken),
  });
  return label === undefined ? undefined : cleanLabel(label);
}

function whyNoLabel(text: string, taken: readonly string[]): string | undefined {
  switch (labelFault(text, taken)) {
    case "empty":
      return vscode.l10n.t("An account needs a name.");
    case "unseen":
      return vscode.l10n.t("It has characters that cannot be seen. Type the name anew.");
    case "taken":
      return vscode.l10n.t("Another account has this name, or one that looks like it.");
    case undefined:
      return undefined;
  }
}

/** The address that belongs to the key is shown while it is typed, so that a wrong key is noticed. */
function askPrivateKey(addressOf: (text: string) => Address): Thenable<string | undefined> {
  return inputBox({
    password: true,
    ignoreFocusOut: true,
    title: vscode.l10n.t("Import Signing Key"),
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
  return inputBox({
    title,
    ignoreFocusOut: true,
    prompt: vscode.l10n.t("The address, as T… or 41…"),
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

function removalOf(account: SigningAccount): Question {
  return { title: vscode.l10n.t("Remove the account {0}?", account.label), detail: removedText(account) };
}

function removedText({ address, watchOnly, signer }: SigningAccount): string {
  if (watchOnly) return vscode.l10n.t("It is only watched. Nothing on the chain changes.");
  if (signer === "outside") return vscode.l10n.t("Its key stays in the wallet. Nothing on the chain changes.");
  return vscode.l10n.t(
    "Its signing key is deleted. Without a copy elsewhere, the coins of {0} can never be moved again.",
    toBase58(address),
  );
}

/** Only a damaged store has another key under this address; it may be of use all the same. */
async function mayReplace(address: Address): Promise<boolean> {
  const title = vscode.l10n.t("There is another key for {0} already. Replace it?", toBase58(address));
  const detail = vscode.l10n.t("The old key is deleted. Without a copy elsewhere, what it signs for is out of reach.");
  return await confirmModal({ title, detail }, vscode.l10n.t("Replace"));
}

async function sayAdded(label: string, address: Address): Promise<void> {
  const copy = vscode.l10n.t("Copy Address");
  const message = vscode.l10n.t("{0} signs for {1}.", label, toBase58(address));
  if ((await notify("information", message, copy)) === copy) {
    await vscode.env.clipboard.writeText(toBase58(address));
  }
}
