import * as vscode from "vscode";
import type { WantedCall } from "../../core/call-sites/wanted-call.ts";
import { callsIn } from "./documents.ts";
import type { HintState } from "./hint-state.ts";
import type { Hints } from "./hints.ts";

/** A call and what is known of it now. */
export interface Refreshed {
  readonly wanted: WantedCall;
  readonly state: HintState;
}

/** Asks for every call of a document, with progress; what is done when a person cancels stays. */
export async function refreshDocument(
  hints: Hints,
  document: vscode.TextDocument,
  closed: AbortSignal,
): Promise<readonly Refreshed[]> {
  const calls = callsIn(document);
  const title = `Estimating ${calls.length} ${calls.length === 1 ? "call" : "calls"}`;
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return await vscode.window.withProgress(options, async (progress, token) => {
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort(new vscode.CancellationError()));
    const signal = AbortSignal.any([closed, cancelled.signal]);
    let done = 0;
    const estimate = async (wanted: WantedCall): Promise<Refreshed | undefined> => {
      const state = await hints.estimate(wanted, { anew: true, signal }).catch(unlessAborted(signal));
      done += 1;
      progress.report({ increment: 100 / calls.length, message: `${done} of ${calls.length}` });
      return state && { wanted, state };
    };
    return (await Promise.all(calls.map(estimate))).filter((it) => it !== undefined);
  });
}

function unlessAborted(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
    return undefined;
  };
}
