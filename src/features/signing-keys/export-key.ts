import { hasStoredKey } from "@finality/client/labels";
import { ChainError } from "@finality/tron/errors";
import { bytesToHex, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { chooseAccount } from "../../host/prompts/choose-account.ts";
import { copyForAWhile } from "../../host/prompts/clipboard.ts";
import { notify, showProgress } from "../../host/prompts/notify.ts";
import { inputBox } from "../../host/prompts/quick-input.ts";
import { writeKeyFile } from "../../host/secrets/key-file.ts";
import type { SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import { revealKey } from "../../sending/reveal-key.ts";
import { type AccountResult, resultOf } from "./add-keys.ts";
import type { GenerateServices } from "./generate-key.ts";

type Key = Parameters<Parameters<typeof revealKey>[3]>[0];

const TITLE = t`Export Signing Key`;
const SHORTEST_PASSWORD = 8;

/**
 * Writes a key to a keystore file, or copies it for one minute. Always needs a confirmation and a typed word. Returns
 * undefined if the user cancels.
 *
 * @throws {ChainError} `ACCOUNT_UNKNOWN`, `SIGNING_KEY_MISSING`, `KEY_FILE_REFUSED`, `SECRETS_UNAVAILABLE`
 */
export async function exportSigningKey(
  { keys, clock }: GenerateServices,
  { address }: CommandArguments["finality.exportSigningKey"],
): Promise<AccountResult | undefined> {
  const account = await chooseAccount(keys, address, TITLE, hasStoredKey);
  if (account === undefined) return undefined;
  const [file, clipboard] = [t`Keystore File…`, t`Private Key to Clipboard`];
  return await revealKey(keys, account, [file, clipboard], async (key, way) => {
    if (way === file) return await toFile(keys, account, key);
    await copyForAWhile(clock, bytesToHex(key));
    const message = t`The private key of ${account.label} is on the clipboard for one minute, or until this window closes. Clipboard managers may store it.`;
    void notify("warning", message);
    return resultOf(account.address, account.label);
  });
}

async function toFile(keys: SigningKeys, account: SigningAccount, key: Key): Promise<AccountResult | undefined> {
  const password = await askNewPassword();
  if (password === undefined) return undefined;
  keys.mask(password);
  const saveLabel = t`Export`;
  const uri = await vscode.window.showSaveDialog({ title: TITLE, saveLabel, filters: { Keystore: ["json"] } });
  if (uri === undefined) return undefined;
  const { openKeystore, printKeystore, readKeystore } = await import("../../host/secrets/lazy-keys.ts");
  const location = vscode.ProgressLocation.Notification;
  await showProgress({ location, title: t`Writing the keystore` }, async () => {
    const text = await printKeystore(key, password);
    // Checks that the backup can be opened.
    const again = await openKeystore(readKeystore(text), password);
    const isSame = bytesToHex(again) === bytesToHex(key);
    again.fill(0);
    if (!isSame) throw new ChainError("KEYSTORE_REFUSED", { reason: t`the written file cannot be opened` });
    await writeKeyFile(uri, text);
  });
  const message = t`${uri.fsPath} contains the encrypted key of ${toBase58(account.address)}. It cannot be opened without the password.`;
  void notify("information", message);
  return resultOf(account.address, account.label);
}

/** Prompts for a new password, twice. Returns undefined if the user cancels. */
async function askNewPassword(): Promise<string | undefined> {
  const box = { title: TITLE, password: true, ignoreFocusOut: true };
  const first = await inputBox({
    ...box,
    prompt: t`A password for the keystore file. Anyone who has both has the key.`,
    validateInput: (text) =>
      text.length === 0 || text.length >= SHORTEST_PASSWORD
        ? undefined
        : t`At least ${SHORTEST_PASSWORD} characters: others can try passwords on a file for years.`,
  });
  if (first === undefined || first.length < SHORTEST_PASSWORD) return undefined;
  const second = await inputBox({
    ...box,
    prompt: t`Repeat the password`,
    validateInput: (text) => (text === "" || text === first ? undefined : t`The passwords do not match.`),
  });
  return second === first ? first : undefined;
}
