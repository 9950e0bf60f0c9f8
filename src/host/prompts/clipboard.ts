import type { Clock } from "@finality/client/gateway";
import * as vscode from "vscode";

/** Time that a secret stays on the clipboard; ms. */
const CLIPBOARD_MS = 60_000;

let copied: string | undefined;

/**
 * Puts a secret on the clipboard and removes it after a minute, unless the clipboard has changed by then. Clipboard
 * managers can still store it.
 */
export async function copyForAWhile(clock: Clock, secret: string): Promise<void> {
  copied = secret;
  await vscode.env.clipboard.writeText(secret);
  void clock.sleep(CLIPBOARD_MS).then(() => remove(secret));
}

/** Removes a copied secret early, because the window closes. */
export async function removeCopiedSecret(): Promise<void> {
  if (copied !== undefined) await remove(copied);
}

async function remove(secret: string): Promise<void> {
  if (copied === secret) copied = undefined;
  const { clipboard } = vscode.env;
  if ((await clipboard.readText()) === secret) await clipboard.writeText("");
}
