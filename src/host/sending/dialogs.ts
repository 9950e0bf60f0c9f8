import * as vscode from "vscode";
import { transactionLabel } from "../../core/tracking/describe-tracked.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import { differencesText, twinText } from "./sending-words.ts";

/** Shows that something is going on, in the view and nowhere else. */
export function whileWorking<T>(title: string, work: () => Promise<T>): Promise<T> {
  const place = { location: { viewId: "finality.transactions" }, title };
  return Promise.resolve(vscode.window.withProgress(place, work));
}

/** Stops before a payment that may happen twice. The first button, and Escape, pay nothing. */
export async function confirmTwin(twin: TrackedTransaction, nameOf: NameOf): Promise<boolean> {
  const what = transactionLabel(twin, nameOf);
  const { title, detail } = twinText(what, twin.txId, twin.state.kind);
  const [show, again] = ["Show the First One", "Pay a Second Time"];
  const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, show, again);
  if (chosen === show) await vscode.commands.executeCommand("finality.showTransaction", { txId: twin.txId });
  return chosen === again;
}

/** Says what the gateway built instead. There is nothing to decide: nothing was signed. */
export async function showDifferences(
  differences: readonly { path: string; asked: string; built: string }[],
): Promise<void> {
  const title = "The gateway built something else than you asked. Nothing was signed.";
  await vscode.window.showErrorMessage(title, { modal: true, detail: differencesText(differences) });
}
