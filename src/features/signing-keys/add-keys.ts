import { nextLabel } from "@finality/client/labels";
import { ChainError } from "@finality/tron/errors";
import {
  type Address,
  bytesToHex,
  cleanLabel,
  defined,
  freeLabel,
  labelFault,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { chooseKeyStorage, type Keeping } from "../../host/prompts/credential-prompts.ts";
import { confirmForProgram, confirmModal, notify } from "../../host/prompts/notify.ts";
import { inputBox } from "../../host/prompts/quick-input.ts";
import type { KeyPath, PrivateKey } from "../../host/secrets/lazy-keys.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";

/** Key that is added, with its source. It is erased from memory afterwards. */
export interface NewKey {
  readonly key: PrivateKey;
  readonly address: Address;
  /** Derivation path, if the key comes from a mnemonic. */
  readonly path?: KeyPath;
}

interface Adding {
  readonly title: string;
  readonly keeping: Keeping;
  readonly label: string | undefined;
  /** True if the command prompts for missing values. */
  readonly asks: boolean;
}

/**
 * Chooses where to store new keys, and reports problems of the secret storage before anything is stored. Returns
 * undefined if the user cancels.
 *
 * @throws {ChainError} `SECRETS_UNAVAILABLE`, `SECRETS_FORGOTTEN` if the command may not prompt
 */
export async function chooseStorage(
  keys: SigningKeys,
  sessionOnly: boolean | undefined,
  canPrompt: boolean,
): Promise<Keeping | undefined> {
  if (sessionOnly === true) return "session";
  const issue = await keys.storageIssue();
  if (issue === undefined) return "store";
  if (canPrompt) return await chooseKeyStorage(issue);
  if (issue.kind === "missing") throw new ChainError("SECRETS_UNAVAILABLE", { reason: issue.reason });
  if (issue.kind === "forgot") throw new ChainError("SECRETS_FORGOTTEN", {});
  return "store";
}

/**
 * Names and stores keys, then erases each from memory. A stored account keeps its name. Returns the first account, or
 * undefined if the user cancels.
 */
export async function addKeys(
  keys: SigningKeys,
  found: readonly NewKey[],
  { title, keeping, label, asks }: Adding,
): Promise<AccountResult | undefined> {
  try {
    const [first] = found;
    if (first === undefined) return undefined;
    const known = keys.find(first.address)?.label;
    const newLabel = await labelFor(
      keys,
      { argument: asks ? (label ?? known) : (known ?? label), named: first.address },
      asks,
      title,
    );
    if (newLabel === undefined) return undefined;
    const added: AccountResult[] = [];
    for (const it of found) {
      const other = it === first ? newLabel : (keys.find(it.address)?.label ?? newLabel);
      const name = freeLabel(other, keys.takenNames(it.address));
      if (!(await passAccount(keys, it.address, name, t`Its signing key is stored here.`))) continue;
      if (await addKey(keys, it, name, keeping)) added.push(resultOf(it.address, name));
    }
    if (asks) void sayAdded(added, found);
    return added[0];
  } finally {
    for (const { key } of found) key.fill(0);
  }
}

/** @returns false if another key of its address stays */
async function addKey(keys: SigningKeys, it: NewKey, label: string, keeping: Keeping): Promise<boolean> {
  const { address, key, path } = it;
  const privateKeyHex = bytesToHex(key);
  const stores = keeping === "store";
  if (stores && (await keys.hasAnotherKey(address, privateKeyHex)) && !(await mayReplace(address))) return false;
  const from = defined({ path });
  await keys.add(
    { address, label, watchOnly: false, ...from, ...(stores ? {} : { sessionOnly: true }) },
    privateKeyHex,
  );
  return true;
}

/** Only a damaged store has another key for this address, and that key may still be useful. */
async function mayReplace(address: Address): Promise<boolean> {
  const title = t`There is another key for ${toBase58(address)} already. Replace it?`;
  const detail = t`The old key is deleted. Without a copy elsewhere, you lose access to its accounts.`;
  return await confirmModal({ title, detail }, t`Replace`);
}

async function sayAdded(added: readonly AccountResult[], found: readonly NewKey[]): Promise<void> {
  const [first] = added;
  if (first === undefined) return;
  const copy = t`Copy Address`;
  const message = added.map(({ label, address }) => t`${label} signs for ${address}.`).join(" ");
  const isFromWords = found.some(({ path }) => path !== undefined);
  const letGo = isFromWords ? ` ${t`The words were not stored.`}` : "";
  if ((await notify("information", message + letGo, copy)) === copy) {
    await vscode.env.clipboard.writeText(first.address);
  }
}

/** Result of the account commands. It never contains a key. */
export interface AccountResult {
  readonly address: string;
  readonly hex: Address;
  readonly label: string;
}

export function resultOf(hex: Address, label: string): AccountResult {
  return { address: toBase58(hex), hex, label };
}

/**
 * Returns the given label, made unique, or prompts for one.
 *
 * @param named - Account that has the label already, so that it counts as free.
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export async function labelFor(
  keys: SigningKeys,
  { argument, named }: { readonly argument: string | undefined; readonly named?: Address },
  canPrompt: boolean,
  title: string,
): Promise<string | undefined> {
  const taken = keys.takenNames(named);
  const proposed = argument === undefined || labelFault(argument, []) === "empty" ? nextLabel(taken) : argument;
  if (!canPrompt) {
    if (labelFault(proposed, []) === undefined) return freeLabel(proposed, taken);
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", {
      argument: "label",
      reason: t`it has characters that cannot be seen`,
    });
  }
  const label = await inputBox({
    title,
    ignoreFocusOut: true,
    value: proposed,
    prompt: t`A name for the account`,
    validateInput: (text) => whyNoLabel(text, taken),
  });
  return label === undefined ? undefined : cleanLabel(label);
}

/**
 * Confirms an account that a program adds, with its full address, because the name refers to this address from then on.
 *
 * @param what - Description of the account, as a sentence.
 */
export async function passAccount(keys: SigningKeys, address: Address, label: string, what: string): Promise<boolean> {
  const [name, meant] = [visibleLine(label, 60), keys.meaningOf(label)];
  const lines = [
    what,
    t`Commands and scripts that pay “${name}” pay this address from then on.`,
    ...(meant === undefined || meant === address ? [] : [t`“${name}” meant ${toBase58(meant)} before.`]),
  ];
  return await confirmForProgram(
    { title: t`Add ${toBase58(address)} as “${name}”?`, detail: lines.join("\n\n") },
    t`Add`,
  );
}

function whyNoLabel(text: string, taken: readonly string[]): string | undefined {
  switch (labelFault(text, taken)) {
    case "empty":
      return t`An account needs a name.`;
    case "unseen":
      return t`It has characters that cannot be seen. Type the name again.`;
    case "taken":
      return t`Another account or address has this name, or one that looks like it.`;
    case undefined:
      return undefined;
  }
}
