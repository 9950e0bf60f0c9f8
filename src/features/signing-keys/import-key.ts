import { isChainError } from "@finality/tron/errors";
import { defined, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { showProgress } from "../../host/prompts/notify.ts";
import {
  type Ask,
  askSteps,
  inputBox,
  pickManyStep,
  quickPick,
  type StepPosition,
  textStep,
} from "../../host/prompts/quick-input.ts";
import { readKeyFile } from "../../host/secrets/key-file.ts";
import type { KeyPath, PrivateKey } from "../../host/secrets/lazy-keys.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import { type AccountResult, addKeys, chooseStorage, type NewKey } from "./add-keys.ts";
import { checkWords } from "./mnemonic.view.ts";

type Argument = CommandArguments["finality.importSigningKey"];

const SOURCES = ["privateKey", "mnemonic", "keystore", "file"] as const;

/**
 * Stores existing signing keys: private keys, mnemonics and keystore files. Returns undefined if the user cancels.
 *
 * @throws {ChainError} for a malformed key, `COMMAND_ARGUMENT_MALFORMED`, `SECRETS_UNAVAILABLE`, `SECRETS_FORGOTTEN`
 */
export async function importSigningKey(keys: SigningKeys, argument: Argument): Promise<AccountResult | undefined> {
  const named = SOURCES.filter((it) => argument[it] !== undefined);
  if (named.length > 1) throw malformedArgument(named[1] ?? "file", t`use either ${named.join(t` or `)}`);
  const canPrompt = named.length === 0;
  if (canPrompt) refuseLoose(argument, ["passphrase", "path", "password"]);
  const keeping = await chooseStorage(keys, argument.sessionOnly, canPrompt);
  if (keeping === undefined) return undefined;
  const found = canPrompt ? await askForKeys(keys) : await keysOf(keys, argument);
  if (found === undefined) return undefined;
  return await addKeys(keys, found, { title: IMPORT_TITLE, keeping, label: argument.label, asks: canPrompt });
}

/** Reads the keys of an argument, and prompts for a missing password. */
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

/** Refuses arguments that would have no effect. */
function refuseLoose(argument: Argument, names: readonly ("passphrase" | "path" | "password")[]): void {
  const loose = names.find((it) => argument[it] !== undefined);
  if (loose !== undefined) throw malformedArgument(loose, t`it does not apply to a key of this type`);
}

const IMPORT_TITLE = t`Import Signing Key`;
/** Number of accounts of a mnemonic to list. */
const LISTED = 10;

type Keys = typeof import("../../host/secrets/lazy-keys.ts");

/** Prompts for the source of the keys and reads them. Returns undefined if the user cancels. */
async function askForKeys(keys: SigningKeys): Promise<readonly NewKey[] | undefined> {
  const [key, words, file] = [t`$(key) Private Key`, t`$(list-ordered) Words (Mnemonic)`, t`$(file) From a File…`];
  const items = [
    { label: key, description: t`64 hex digits, pasted` },
    { label: words, description: t`12 to 24 words of BIP-39, with or without a passphrase` },
    { label: file, description: t`a keystore with a password, a private key, or words` },
  ];
  const placeholder = t`What to import?`;
  const chosen = (await quickPick(items, { title: IMPORT_TITLE, placeHolder: placeholder, ignoreFocusOut: true }))
    ?.label;
  if (chosen === undefined) return undefined;
  const parts = await import("../../host/secrets/lazy-keys.ts");
  if (chosen === words) return await askWords(keys, parts);
  return chosen === key ? await askPrivateKey(keys, parts) : await askFile(keys, parts);
}

/** Prompts for the password of a keystore until it opens. Returns undefined if the user cancels. */
async function askPassword(
  keys: SigningKeys,
  open: (password: string) => Promise<PrivateKey>,
): Promise<PrivateKey | undefined> {
  const plain = t`The password of the keystore file. Opening it takes some seconds.`;
  for (let prompt = plain; ; ) {
    const password = await inputBox({ title: IMPORT_TITLE, password: true, ignoreFocusOut: true, prompt });
    if (password === undefined) return undefined;
    keys.mask(password);
    try {
      const location = vscode.ProgressLocation.Notification;
      return await showProgress({ location, title: t`Opening the keystore` }, () => open(password));
    } catch (error) {
      if (!isChainError(error) || error.code !== "KEYSTORE_PASSWORD_WRONG") throw error;
      prompt = error.message;
    }
  }
}

async function askFile(keys: SigningKeys, parts: Keys): Promise<readonly NewKey[] | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ title: IMPORT_TITLE, openLabel: t`Import` })) ?? [];
  if (uri === undefined) return undefined;
  const content = await readKeyFile(uri);
  switch (parts.kindOfKeyText(content)) {
    case "mnemonic":
      return await askWords(keys, parts, content);
    case "private key":
      return [newKey(parts, parts.parsePrivateKey(content))];
    case "keystore": {
      const keystore = parts.readKeystore(content);
      const key = await askPassword(keys, (password) => parts.openKeystore(keystore, password));
      return key && [newKey(parts, key)];
    }
  }
}

/** Shows the address of the key while the user types, so that a wrong key is noticed. */
async function askPrivateKey(keys: SigningKeys, parts: Keys): Promise<readonly NewKey[] | undefined> {
  const typed = await inputBox({
    password: true,
    ignoreFocusOut: true,
    title: IMPORT_TITLE,
    prompt: t`The private key, 64 hex digits.`,
    validateInput: (text) => {
      if (text.trim() === "") return undefined;
      return validate(
        () => t`Signs for ${toBase58(newKey(parts, parts.parsePrivateKey(text)).address)}`,
        vscode.InputBoxValidationSeverity.Info,
      );
    },
  });
  if (typed === undefined) return undefined;
  keys.mask(typed);
  return [newKey(parts, parts.parsePrivateKey(typed))];
}

/** Validates the text of a box: shows its meaning, or the error. */
export function validate(
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

interface FromWords {
  readonly words?: string;
  readonly passphrase?: string;
  readonly path?: KeyPath;
  readonly found?: readonly NewKey[];
}

async function askWords(keys: SigningKeys, parts: Keys, words?: string): Promise<readonly NewKey[] | undefined> {
  if (words !== undefined) parts.readMnemonic(words);
  const initial = defined({ words });
  const firstSteps = words === undefined ? [typeWords(parts)] : [];
  const steps: readonly Ask<FromWords>[] = [
    ...firstSteps,
    typePassphrase,
    typePath(parts),
    chooseAccounts(keys, parts),
  ];
  return (await askSteps<FromWords>(IMPORT_TITLE, initial, steps))?.found;
}

function typeWords(parts: Keys): Ask<FromWords> {
  return async (soFar, place) => {
    const typed = await textStep(place, {
      prompt: t`The words, separated by spaces. They are used now and not stored.`,
      placeholder: t`12, 15, 18, 21 or 24 words`,
      secret: true,
      check: (text) => checkWords(text, parts.mnemonicFault),
    });
    return typed.kind === "value" ? { kind: "value", value: { ...soFar, words: typed.value } } : typed;
  };
}

async function typePassphrase(soFar: FromWords, step: StepPosition): ReturnType<Ask<FromWords>> {
  const typed = await textStep(step, {
    prompt: t`The passphrase, if these words have one. Leave it empty for none; a different one leads to different accounts.`,
    placeholder: t`none`,
    secret: true,
    check: (text) => ({ kind: "good", value: text }),
  });
  return typed.kind === "value" ? { kind: "value", value: { ...soFar, passphrase: typed.value } } : typed;
}

function typePath(parts: Keys): Ask<FromWords> {
  return async (soFar, place) => {
    const typed = await textStep<KeyPath>(place, {
      prompt: t`The path of the first account to list. Keep it unless your wallet shows another one.`,
      placeholder: parts.FIRST_PATH,
      value: soFar.path ?? parts.FIRST_PATH,
      check: (text) => {
        try {
          return { kind: "good", value: parts.parseKeyPath(text) };
        } catch (error) {
          if (!isChainError(error)) throw error;
          return { kind: "wrong", message: error.message };
        }
      },
    });
    return typed.kind === "value" ? { kind: "value", value: { ...soFar, path: typed.value } } : typed;
  };
}

function chooseAccounts(keys: SigningKeys, parts: Keys): Ask<FromWords> {
  return async (soFar, place) => {
    const { words = "", passphrase = "", path = parts.FIRST_PATH } = soFar;
    keys.mask(words, passphrase);
    const listed = await keysOfWords(parts, { words, passphrase, paths: parts.pathsFrom(path, LISTED) });
    const items = listed.map((it, index) => ({ ...itemOf(it, keys.nameOf(it.address)), picked: index === 0, it }));
    const placeholder = t`Which accounts? Compare the addresses with those of your wallet.`;
    const chosen = await pickManyStep(place, { placeholder, items, most: LISTED });
    const found = chosen.kind === "value" ? chosen.value.map(({ it }) => it) : [];
    for (const it of listed) if (!found.includes(it)) it.key.fill(0);
    return chosen.kind === "value" ? { kind: "value", value: { found } } : chosen;
  };
}

function itemOf({ address, path }: NewKey, label: string | undefined): vscode.QuickPickItem {
  const here = label === undefined ? [] : [t`already added as ${label}`];
  return { label: toBase58(address), description: [path, ...here].join(" · ") };
}

interface WordsOfKeys {
  readonly words: string;
  readonly passphrase: string;
  readonly paths: readonly KeyPath[];
}

/** Derives the keys of a mnemonic. @throws {ChainError} `MNEMONIC_REFUSED` */
export async function keysOfWords(parts: Keys, { words, passphrase, paths }: WordsOfKeys): Promise<readonly NewKey[]> {
  const seed = await parts.seedOf(parts.readMnemonic(words), passphrase);
  const found = paths.map((path) => ({ ...newKey(parts, parts.keyAt(seed, path)), path }));
  seed.fill(0);
  return found;
}

/** Key with its address. */
export function newKey(parts: Pick<Keys, "addressOfPrivateKey">, key: PrivateKey): NewKey {
  return { key, address: parts.addressOfPrivateKey(key) };
}
