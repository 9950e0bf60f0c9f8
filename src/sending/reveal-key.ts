import { ChainError } from "@finality/tron/errors";
import { toBase58 } from "@finality/tron/primitives";
import type { PrivateKey } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { askModal } from "../host/prompts/notify.ts";
import { inputBox } from "../host/prompts/quick-input.ts";
import type { SigningAccount, SigningKeys } from "../host/secrets/signing-keys.ts";

/** Word that confirms an export. */
const WORD = "export";

/**
 * Exports a key after a dialog and a typed word, for every caller. Nothing else reveals a key. Returns undefined if the
 * user cancels.
 *
 * @param ways - Buttons of the dialog, one for each format.
 * @param use - Receives the key, which is erased from memory afterwards.
 * @throws {ChainError} `SIGNING_KEY_MISSING`, `SIGNING_KEY_FOREIGN`, `SECRETS_UNAVAILABLE`
 */
export async function revealKey<W extends string, T>(
  keys: Pick<SigningKeys, "withPrivateKey">,
  { address, label, watchOnly, signer }: SigningAccount,
  ways: readonly W[],
  use: (key: PrivateKey, way: W) => Promise<T>,
): Promise<T | undefined> {
  if (watchOnly || signer !== undefined) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(address) });
  const title = t`Export the signing key of ${label}?`;
  const detail = t`Anyone with this key can move all coins and tokens of ${toBase58(address)}. A transfer cannot be undone. No support, page or person ever needs it: if someone told you to do this, press Escape.`;
  const way = await askModal("warning", { title, detail }, ...ways);
  if (way === undefined || !(await typesTheWord(label))) return undefined;
  return await keys.withPrivateKey(address, (key) => use(key, way));
}

async function typesTheWord(label: string): Promise<boolean> {
  const typed = await inputBox({
    title: t`Export the Signing Key of ${label}`,
    prompt: t`Type ${WORD} to continue.`,
    ignoreFocusOut: true,
    validateInput: (text) => (text === "" || text === WORD ? undefined : t`This is not ${WORD} yet.`),
  });
  return typed === WORD;
}
