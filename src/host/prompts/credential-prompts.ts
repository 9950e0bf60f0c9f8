import { isPlain, type JwtKeyRecord, type NetworkProfile, originOf, originsOf } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { StorageIssue } from "../secrets/storage-check.ts";
import { askModal, confirmModal, type ModalContent, notify } from "./notify.ts";

/**
 * Returns the origins that a new credential may be sent to: the base URL's, and those of the other URLs if the user
 * agrees.
 *
 * @param what - for example "API key"
 * @returns undefined if the user cancels
 */
export async function originsToBind(network: NetworkProfile, what: string): Promise<readonly string[] | undefined> {
  const own = originOf(network.baseUrl);
  if (isPlain(new URL(own))) throw new ChainError("CREDENTIALS_IN_CLEAR", { network: network.name, url: own, what });
  const others = originsOf(network).filter((it) => it !== own && !isPlain(new URL(it)));
  if (others.length === 0) return [own];
  const title = t`Send the ${what} of ${network.name} also to ${others.join(", ")}?`;
  const detail = t`${network.name} sends requests there too. The operator of that server can use it.`;
  const [only, too] = [t`Only to ${own}`, t`Send There Too`];
  const chosen = await askModal("warning", { title, detail }, only, too);
  if (chosen === undefined) return undefined;
  return chosen === too ? [own, ...others] : [own];
}

/** Returns whether this ID would replace another one. */
export function isOtherKeyId(record: JwtKeyRecord, keyId: string): boolean {
  return record.keyId !== undefined && record.keyId !== keyId;
}

/** Asks for confirmation before the ID of the key in use changes: with a wrong one the gateway drops every request. */
export async function confirmKeyIdChange(
  { name }: NetworkProfile,
  record: JwtKeyRecord,
  keyId: string,
): Promise<boolean> {
  const title = t`Change the ID (kid) of the JWT key “${record.name}” of ${name}?`;
  const detail = `${record.keyId ?? ""} → ${keyId}\n\n${t`It is in use: with a wrong ID the gateway drops every request.`}`;
  return await confirmModal({ title, detail }, t`Change`);
}

const HELP = "https://code.visualstudio.com/docs/configure/settings-sync#_troubleshooting-keychain-issues";

/** Shows that secrets are kept for this window only, and asks whether to retry. */
export async function askAboutSecretStorage(reason: string): Promise<"retry" | "keep-for-this-window"> {
  const [retry, help] = [t`Retry`, t`Help`];
  const message = t`Secret storage is not available (${reason}). Keys will be kept for this window only.`;
  const chosen = await notify("warning", message, retry, help);
  if (chosen === help) await vscode.env.openExternal(vscode.Uri.parse(HELP));
  return chosen === retry ? "retry" : "keep-for-this-window";
}

/** Storage of a new key. */
export type Keeping = "store" | "session";

/** True once the user stored a key although the browser's storage is unproven: this window does not ask again. */
let tookTheChance = false;

/**
 * Explains why a key may not last and asks where to store it. In a browser whose storage is unproven it asks once.
 *
 * @returns undefined if the user cancels
 */
export async function chooseKeyStorage(issue: StorageIssue): Promise<Keeping | undefined> {
  const isUnproven = issue.kind === "unproven";
  if (isUnproven && (tookTheChance || vscode.env.uiKind === vscode.UIKind.Desktop)) return "store";
  const [session, store, help] = [
    t`Keep for This Session`,
    issue.kind === "forgot" ? t`Store Anyway` : t`Store Key`,
    t`Help`,
  ];
  const buttons = { missing: [session, help], forgot: [session, store, help], unproven: [store, session] }[issue.kind];
  const chosen = await askModal("warning", storageWarning(issue), ...buttons);
  if (chosen === help) await vscode.env.openExternal(vscode.Uri.parse(HELP));
  if (chosen === store) {
    tookTheChance ||= isUnproven;
    return "store";
  }
  return chosen === session ? "session" : undefined;
}

function storageWarning(issue: StorageIssue): ModalContent {
  const alone = t`For this session, the key is only in the memory of this window and is lost when it closes: have a backup.`;
  switch (issue.kind) {
    case "missing":
      return {
        title: t`The editor cannot store a key: ${issue.reason}.`,
        detail: t`On Linux it needs a keyring, such as GNOME Keyring or KWallet. ${alone}`,
      };
    case "forgot":
      return {
        title: t`This editor lost what was stored before.`,
        detail: t`Its secret storage is empty. This happens on Linux without a keyring, in some browsers after each start, or when another editor stored the keys. A key stored now may be lost when the editor closes. ${alone}`,
      };
    case "unproven":
      return {
        title: t`This editor may not keep keys after it closes.`,
        detail: t`It runs in a browser, which may clear the secret storage with the page. Finality checks at the next start whether stored keys are still there; until then have a backup. ${alone}`,
      };
  }
}
