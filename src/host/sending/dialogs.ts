import * as vscode from "vscode";
import type { ChainPlace } from "../../core/chain/chain-place.ts";
import { transactionLabel } from "../../core/life/describe-tracked.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import type { Duplicate } from "../../core/watch/look-before.ts";
import { askModal, showProgress } from "../prompts/notify.ts";
import { differencesText, duplicateText } from "./sending-words.ts";

/** Shows that something is going on, in the view and nowhere else. */
export function whileWorking<T>(title: string, work: () => Promise<T>): Promise<T> {
  const place = { location: { viewId: "finality.transactions" }, title };
  return showProgress(place, work);
}

/** Stops before a payment that may happen twice. The first button, and Escape, pay nothing. */
export async function confirmDuplicate(duplicate: Duplicate, place: ChainPlace, nameOf: NameOf): Promise<boolean> {
  const what = transactionLabel(duplicate.tracked, nameOf);
  const { title, detail } = duplicateText(what, duplicate, place);
  const [show, again] = ["Show the First One", "Pay a Second Time"];
  const chosen = await askModal("warning", { title, detail }, show, again);
  if (chosen === show)
    await vscode.commands.executeCommand("finality.showTransaction", { txId: duplicate.tracked.txId });
  return chosen === again;
}

/** Says what the gateway built instead. There is nothing to decide: nothing was signed. */
export async function showDifferences(
  differences: readonly { path: string; asked: string; built: string }[],
): Promise<void> {
  const title = "The gateway built something else than you asked. Nothing was signed.";
  await askModal("error", { title, detail: differencesText(differences) });
}

/** A time as people of this place write it. @param ms - Unix time */
export function localTime(ms: number): string {
  return new Date(ms).toLocaleString();
}
