import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { readKeyFile } from "../../host/secrets/key-file.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { AccountResult } from "./account-label.ts";
import { addKeys, type NewKey, whereToKeep } from "./add-keys.ts";
import { askForKeys, askPassword, IMPORT_TITLE, keysOfWords, newKey } from "./ask-for-keys.ts";

type Argument = CommandArguments["finality.importSigningKey"];

const SOURCES = ["privateKey", "mnemonic", "keystore", "file"] as const;

/**
 * Stores signing keys that exist already: private keys, those of words, those in keystore files.
 *
 * @returns undefined when the person left
 * @throws {ChainError} what is wrong with the key, `COMMAND_ARGUMENT_MALFORMED`, `SECRETS_UNAVAILABLE`,
 *   `SECRETS_FORGOTTEN`
 */
export async function importSigningKey(keys: SigningKeys, argument: Argument): Promise<AccountResult | undefined> {
  const named = SOURCES.filter((it) => argument[it] !== undefined);
  if (named.length > 1) throw malformedArgument(named[1] ?? "file", t`say either ${named.join(t` or `)}`);
  const asks = named.length === 0;
  if (asks) refuseLoose(argument, ["passphrase", "path", "password"]);
  const keeping = await whereToKeep(keys, argument.sessionOnly, asks);
  if (keeping === undefined) return undefined;
  const found = asks ? await askForKeys(keys) : await keysOf(keys, argument);
  if (found === undefined) return undefined;
  return await addKeys(keys, found, { title: IMPORT_TITLE, keeping, label: argument.label, asks });
}

/** What an argument names; a password that it lacks is asked for. */
async function keysOf(keys: SigningKeys, argument: Argument): Promise<readonly NewKey[] | undefined> {
  const { privateKey, mnemonic, keystore, file } = argument;
  keys.mask(...[privateKey, mnemonic, argument.passphrase, argument.password].filter((it) => it !== undefined));
  if (privateKey !== undefined) return await ofPrivateKey(privateKey, argument);
  if (mnemonic !== undefined) return await ofMnemonic(mnemonic, argument);
  if (keystore !== undefined) return await ofKeystore(keys, keystore, argument);
  const content = await readKeyFile(vscode.Uri.file(file ?? ""));
  const { kindOfKeyText } = await import("../../host/secrets/lazy-keys.ts");
  switch (kindOfKeyText(content)) {
    case "private key":
      return await ofPrivateKey(content, argument);
    case "mnemonic":
      keys.mask(content);
      return await ofMnemonic(content, argument);
    case "keystore":
      return await ofKeystore(keys, content, argument);
  }
}

async function ofPrivateKey(text: string, argument: Argument): Promise<readonly NewKey[]> {
  refuseLoose(argument, ["passphrase", "path", "password"]);
  const parts = await import("../../host/secrets/lazy-keys.ts");
  return [newKey(parts, parts.parsePrivateKey(text))];
}

async function ofMnemonic(words: string, argument: Argument): Promise<readonly NewKey[]> {
  refuseLoose(argument, ["password"]);
  const parts = await import("../../host/secrets/lazy-keys.ts");
  const { passphrase = "", path = parts.FIRST_PATH } = argument;
  return await keysOfWords(parts, { words, passphrase, paths: [parts.parseKeyPath(path)] });
}

async function ofKeystore(
  keys: SigningKeys,
  content: string,
  argument: Argument,
): Promise<readonly NewKey[] | undefined> {
  refuseLoose(argument, ["passphrase", "path"]);
  const parts = await import("../../host/secrets/lazy-keys.ts");
  const keystore = parts.readKeystore(content);
  const open = (password: string) => parts.openKeystore(keystore, password);
  const key = argument.password === undefined ? await askPassword(keys, open) : await open(argument.password);
  return key && [newKey(parts, key)];
}

/** What would have no effect is refused. */
function refuseLoose(argument: Argument, names: readonly ("passphrase" | "path" | "password")[]): void {
  const loose = names.find((it) => argument[it] !== undefined);
  if (loose !== undefined) throw malformedArgument(loose, t`it has no part in a key of this kind`);
}
