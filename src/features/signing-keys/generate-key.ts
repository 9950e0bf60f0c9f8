import type { Clock } from "@finality/client/gateway";
import { t } from "@vscode/l10n";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { copyForAWhile } from "../../host/prompts/clipboard.ts";
import { askModal } from "../../host/prompts/notify.ts";
import { inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import { type AccountResult, addKeys, chooseStorage, type NewKey } from "./add-keys.ts";
import { keysOfWords, newKey } from "./import-key.ts";
import { numberedWords } from "./mnemonic.view.ts";

const TITLE = t`Generate Signing Key`;
/** Number of words that the user types again. */
const CONFIRMED_WORDS = 3;

export interface GenerateServices {
  readonly keys: SigningKeys;
  readonly clock: Clock;
}

/**
 * Generates a signing key: from a new mnemonic, which is shown once and checked, or without a backup. Returns
 * undefined if the user cancels.
 *
 * @throws {ChainError} `SECRETS_UNAVAILABLE`, `SECRETS_FORGOTTEN`, `COMMAND_ARGUMENT_MALFORMED`
 */
export async function generateSigningKey(
  services: GenerateServices,
  { label, sessionOnly }: CommandArguments["finality.generateSigningKey"],
  canPrompt: boolean,
): Promise<AccountResult | undefined> {
  const { keys } = services;
  const withWords = canPrompt ? await askForBackup() : false;
  if (withWords === undefined) return undefined;
  const keeping = await chooseStorage(keys, sessionOnly, canPrompt);
  if (keeping === undefined) return undefined;
  const found = withWords ? await newKeyOfWords(services) : await newKeyAlone();
  return found && (await addKeys(keys, found, { title: TITLE, keeping, label, asks: canPrompt }));
}

async function newKeyAlone(): Promise<readonly NewKey[]> {
  const { addressOfPrivateKey, generatePrivateKey } = await import("../../host/secrets/lazy-signing.ts");
  return [newKey({ addressOfPrivateKey }, generatePrivateKey())];
}

/** Returns whether to create a mnemonic, or undefined if the user cancels. */
async function askForBackup(): Promise<boolean | undefined> {
  const words = {
    label: t`$(list-ordered) Twelve Words to Write Down`,
    detail: t`They are shown once, and you confirm three of them. They restore the key anywhere.`,
  };
  const alone = {
    label: t`$(key) No Recovery Phrase`,
    detail: t`The key is stored only in the secret storage of the editor. Export Signing Key… creates a backup later.`,
  };
  const placeholder = t`Backup of the new key?`;
  const picked = await quickPick([words, alone], { title: TITLE, placeHolder: placeholder, ignoreFocusOut: true });
  return picked && picked === words;
}

/** Creates a key from a new mnemonic, after the user has proven to have written it down. */
async function newKeyOfWords({ keys, clock }: GenerateServices): Promise<readonly NewKey[] | undefined> {
  const parts = await import("../../host/secrets/lazy-keys.ts");
  const words = parts.newMnemonic();
  keys.mask(words.join(" "), numberedWords(words));
  do {
    if (!(await showWords(words, clock))) return undefined;
  } while (!(await confirmWords(words, parts.positionsToConfirm(words.length, CONFIRMED_WORDS))));
  return await keysOfWords(parts, { words: words.join(" "), passphrase: "", paths: [parts.FIRST_PATH] });
}

/** Shows the mnemonic. Returns false if the user cancels; nothing is stored then. */
async function showWords(words: readonly string[], clock: Clock): Promise<boolean> {
  const [written, copy] = [t`I Wrote Them Down`, t`Copy for One Minute`];
  const title = t`Write down these ${words.length} words, in this order`;
  const rule = t`They are the only backup of the key. Anyone who reads them can move everything. They are shown now and not stored: no page, support or person ever needs them.`;
  for (let note = ""; ; ) {
    const detail = [numberedWords(words), rule, ...(note === "" ? [] : [note])].join("\n\n");
    const chosen = await askModal("warning", { title, detail }, written, copy);
    if (chosen !== copy) return chosen === written;
    await copyForAWhile(clock, words.join(" "));
    note = t`They are on the clipboard for one minute, or until this window closes. Clipboard managers may store them.`;
  }
}

/** Returns false if the user asks to see the mnemonic again. */
async function confirmWords(words: readonly string[], places: readonly number[]): Promise<boolean> {
  for (const place of places) {
    const word = words[place - 1];
    const typed = await inputBox({
      title: TITLE,
      ignoreFocusOut: true,
      prompt: t`Word ${place} of ${words.length}, as you wrote it down. Press Escape to see them again.`,
      validateInput: (text) =>
        text.trim() === "" || text.trim().toLowerCase() === word ? undefined : t`This is not word ${place}.`,
    });
    if (typed?.trim().toLowerCase() !== word) return false;
  }
  return true;
}
