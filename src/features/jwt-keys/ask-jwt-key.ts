import type { JwtKey } from "@finality/client/gateway";
import { isChainError } from "@finality/tron/errors";
import { textOfBytes } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import { withPemLines } from "./pem.ts";

/** PEM text from a program. */
interface PemArgument {
  readonly privateKeyPem?: string;
  readonly password?: string;
}

/** Maximum size of a key file, bytes. */
const MOST_BYTES = 100_000;

/**
 * Returns the private key of a JWT key record: from the argument, from a file, or pasted into a box. Prompts for the
 * password of an encrypted key and does not store it. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `JWT_KEY_MALFORMED`, `JWT_KEY_TOO_SHORT`
 */
export async function askJwtKey(title: string, argument: PemArgument): Promise<JwtKey | undefined> {
  const { parseJwtKey, isEncryptedPem } = await import("../../host/networks/lazy-gateway.ts");
  /** Parses an encrypted key once its password is known. */
  const check = (text: string) => {
    const pem = withPemLines(text);
    if (!isEncryptedPem(pem)) parseJwtKey(pem);
  };
  const text = argument.privateKeyPem ?? (await askPem(title, check));
  if (text === undefined) return undefined;
  const pem = withPemLines(text);
  if (!isEncryptedPem(pem) || argument.privateKeyPem !== undefined) return parseJwtKey(pem, argument.password);
  const password = await askPassword(title, (typed) => void parseJwtKey(pem, typed));
  return password === undefined ? undefined : parseJwtKey(pem, password);
}

async function askPem(title: string, check: (text: string) => void): Promise<string | undefined> {
  const [file, paste] = [t`$(file) From a PEM file…`, t`$(clippy) Paste it`];
  const picked = await quickPick([{ label: file }, { label: paste }], { title });
  if (picked === undefined) return undefined;
  return picked.label === file ? readPemFile() : pastePem(title, check);
}

async function readPemFile(): Promise<string | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ openLabel: t`Import` })) ?? [];
  if (uri === undefined) return undefined;
  const { size } = await vscode.workspace.fs.stat(uri);
  return size > MOST_BYTES ? "" : textOfBytes(await vscode.workspace.fs.readFile(uri));
}

function pastePem(title: string, check: (text: string) => void): Thenable<string | undefined> {
  return inputBox({
    title,
    password: true,
    ignoreFocusOut: true,
    placeHolder: "-----BEGIN PRIVATE KEY-----",
    prompt: t`The private key (RSA, PEM). It is stored in the secret storage of the editor.`,
    validateInput: (text) => faultOf(text, check),
  });
}

/** The prompt accepts Enter only when the password opens the key. */
function askPassword(title: string, check: (password: string) => void): Thenable<string | undefined> {
  return inputBox({
    title,
    password: true,
    ignoreFocusOut: true,
    placeHolder: t`Password of the PEM`,
    prompt: t`The PEM is encrypted. Its password is used to open it and is not stored.`,
    validateInput: (text) => faultOf(text, check),
  });
}

function faultOf(text: string, check: (text: string) => void): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    check(text);
    return undefined;
  } catch (error) {
    if (!isChainError(error)) throw error;
    return error.message;
  }
}
