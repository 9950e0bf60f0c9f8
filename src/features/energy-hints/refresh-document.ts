import * as vscode from "vscode";
import type { WantedCall } from "../../core/call-sites/call-site.ts";
import { showProgress } from "../../host/prompts/notify.ts";
import { callsIn } from "./documents.ts";
import type { HintState } from "./hint.view.ts";
import type { Hints } from "./hints.ts";

/** A call and what is known of it now. */
export interface Refreshed {
  readonly wanted: WantedCall;
  readonly state: HintState;
}

/** What became of a round of questions. */
export interface Round {
  readonly refreshed: readonly Refreshed[];
  readonly isCancelled: boolean;
}

/**
 * Asks for every call of a document, with progress; what is done when a person cancels, or the document is closed,
 * stays.
 */
export async function refreshDocument(hints: Hints, document: vscode.TextDocument): Promise<readonly Refreshed[]> {
  const round = await whileOpen(document, (signal) => refreshCalls(hints, callsIn(document), signal));
  return round?.refreshed ?? [];
}

/** Asks for calls, with progress that a person can cancel. */
export async function refreshCalls(hints: Hints, calls: readonly WantedCall[], closed?: AbortSignal): Promise<Round> {
  const title = `Estimating ${calls.length} ${calls.length === 1 ? "call" : "calls"}`;
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return await showProgress(options, async (progress, token) => {
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort(new vscode.CancellationError()));
    const signal = AbortSignal.any([cancelled.signal, ...(closed === undefined ? [] : [closed])]);
    let done = 0;
    const estimate = async (wanted: WantedCall): Promise<Refreshed | undefined> => {
      const state = await hints.estimate(wanted, { refresh: true, signal }).catch(unlessAborted(signal));
      done += 1;
      progress.report({ increment: 100 / calls.length, message: `${done} of ${calls.length}` });
      return state && { wanted, state };
    };
    const refreshed = (await Promise.all(calls.map(estimate))).filter((it) => it !== undefined);
    return { refreshed, isCancelled: signal.aborted };
  });
}

function unlessAborted(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
    return undefined;
  };
}

/**
 * Works for a document as long as it is open: with its last tab nobody waits any more, though the editor may keep the
 * document for minutes after it.
 *
 * @returns `undefined` when it was closed
 */
export async function whileOpen<T>(
  { uri }: vscode.TextDocument,
  work: (closed: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const controller = new AbortController();
  const { signal } = controller;
  const close = (isClosed: boolean): void => {
    if (isClosed) controller.abort(new vscode.CancellationError());
  };
  const { tabGroups } = vscode.window;
  const isOurs = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
  const isShown = (): boolean => tabGroups.all.some(({ tabs }) => tabs.some(isOurs));
  const watching = vscode.Disposable.from(
    vscode.workspace.onDidCloseTextDocument((closed) => close(closed.uri.toString() === uri.toString())),
    tabGroups.onDidChangeTabs(({ closed }) => close(closed.some(isOurs) && !isShown())),
  );
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  } finally {
    watching.dispose();
  }
}
