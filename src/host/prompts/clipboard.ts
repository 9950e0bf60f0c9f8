import * as vscode from "vscode";
import type { Clock } from "../../core/time/clock.ts";

/** How long a secret may be on the clipboard. */
const CLIPBOARD_MS = 60_000;

/**
 * Puts a secret on the clipboard and takes it away after a minute, unless something else is there by then. Programs that
 * keep what was on the clipboard keep it all the same.
 */
export async function copyForAWhile(clock: Pick<Clock, "sleep">, secret: string): Promise<void> {
  const { clipboard } = vscode.env;
  await clipboard.writeText(secret);
  void clock.sleep(CLIPBOARD_MS).then(async () => {
    if ((await clipboard.readText()) === secret) await clipboard.writeText("");
  });
}
