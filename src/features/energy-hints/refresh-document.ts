import type { CallSite } from "@finality/client/call-sites";
import { WINDOW_BLOCKS } from "@finality/client/estimates";
import { counted } from "@finality/tron/format";
import { BLOCK_INTERVAL_MS } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { setContext } from "../../host/commands/commands.ts";
import { showProgress } from "../../host/prompts/notify.ts";
import { rangeIn } from "../../host/text-ranges.ts";
import { callsIn, SELECTOR } from "./documents.ts";
import type { HintState } from "./hint.view.ts";
import type { Hints } from "./hints.ts";

/** Call with its current estimate. */
export interface Refreshed {
  readonly callSite: CallSite;
  readonly state: HintState;
}

/** Result of one refresh of several calls. */
export interface Round {
  readonly refreshed: readonly Refreshed[];
  /** Number of calls to estimate. */
  readonly calls: number;
  readonly isCancelled: boolean;
}

/**
 * Estimates every call of a document, with progress. Keeps finished estimates if the user cancels or closes the
 * document.
 */
export async function refreshDocument(hints: Hints, document: vscode.TextDocument): Promise<Round> {
  const round = await whileOpen(document, (signal) => refreshCalls(hints, callsIn(document), signal));
  return round ?? { refreshed: [], calls: 0, isCancelled: true };
}

/** Estimates calls, with cancellable progress. */
export async function refreshCalls(hints: Hints, calls: readonly CallSite[], closed?: AbortSignal): Promise<Round> {
  if (calls.length === 0) return { refreshed: [], calls: 0, isCancelled: false };
  const title = t`Estimating ${counted(calls.length, t`call`, t`calls`)}`;
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return await showProgress(options, async (progress, token) => {
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort(new vscode.CancellationError()));
    const signal = AbortSignal.any([cancelled.signal, ...(closed === undefined ? [] : [closed])]);
    let done = 0;
    const estimate = async (callSite: CallSite): Promise<Refreshed | undefined> => {
      const state = await hints.estimate(callSite, { refresh: true, signal }).catch(unlessAborted(signal));
      done += 1;
      progress.report({ increment: 100 / calls.length, message: t`${done} of ${calls.length}` });
      return state && { callSite: callSite, state };
    };
    const refreshed = (await Promise.all(calls.map(estimate))).filter((it) => it !== undefined);
    return { refreshed, calls: calls.length, isCancelled: signal.aborted };
  });
}

function unlessAborted(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
    return undefined;
  };
}

/**
 * Runs work for a document while it is open. After its last tab closes the result is not needed, although VS Code may
 * keep the document for minutes.
 *
 * @returns `undefined` if it was closed
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

/** Delay after typing or scrolling before calls are estimated, ms. */
const QUIET_MS = 1_500;

/** Age after which estimates expire, ms. */
const WINDOW_MS = WINDOW_BLOCKS * BLOCK_INTERVAL_MS + QUIET_MS;

/** Estimates visible calls automatically. Off by default, and in Restricted Mode. */
export class AutoRefresh implements vscode.Disposable {
  readonly #hints: Hints;
  readonly #isOn: () => boolean;
  readonly #subscriptions: vscode.Disposable;
  /** Debounce timer. */
  #quiet: NodeJS.Timeout | undefined;
  /** Timer for the expiration of visible estimates. */
  #window: NodeJS.Timeout | undefined;
  #asking = new AbortController();

  constructor(hints: Hints, isOn: () => boolean) {
    this.#hints = hints;
    this.#isOn = isOn;
    const later = (): void => this.#later();
    const { window, workspace } = vscode;
    // Log documents change all the time.
    const typed = ({ document }: vscode.TextDocumentChangeEvent): void => {
      if (mayHoldCalls(document)) this.#later();
    };
    // Changes of the network, accounts or contracts can come with every block, so they are not debounced.
    const renewed = (): void => {
      if (this.#quiet === undefined) this.#later();
    };
    this.#subscriptions = vscode.Disposable.from(
      ...[window.onDidChangeVisibleTextEditors(later), window.onDidChangeTextEditorVisibleRanges(later)],
      ...[workspace.onDidChangeTextDocument(typed), workspace.onDidChangeConfiguration(later)],
      workspace.onDidGrantWorkspaceTrust(later),
      hints.onDidRenew(renewed),
    );
    later();
  }

  dispose(): void {
    this.#stop();
    this.#asking.abort();
    this.#subscriptions.dispose();
  }

  #later(): void {
    this.#stop();
    if (this.#isOn() && vscode.workspace.isTrusted) this.#quiet = setTimeout(() => this.#askSeen(), QUIET_MS);
    else this.#asking.abort();
  }

  #stop(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#window);
    this.#quiet = undefined;
  }

  #askSeen(): void {
    this.#stop();
    const before = this.#asking;
    this.#asking = new AbortController();
    // A repeated request waits for the same answer, so only requests for calls that are no longer visible end.
    setImmediate(() => before.abort());
    // Refreshes estimates that expire while nothing else changes.
    this.#window = setTimeout(() => this.#askSeen(), WINDOW_MS);
    const { signal } = this.#asking;
    for (const { document, visibleRanges } of vscode.window.visibleTextEditors) {
      if (!mayHoldCalls(document)) continue;
      const seen = callsIn(document).filter((callSite) => {
        const range = rangeIn(document, callSite.range);
        return visibleRanges.some((one) => one.intersection(range) !== undefined);
      });
      // If a call cannot be estimated, the reason is shown at its location.
      for (const callSite of seen) this.#hints.estimate(callSite, { signal }).catch(() => undefined);
    }
  }
}

/** Sets the context key of the refresh icon in the title of an editor with calls. */
export function followActiveEditor(): vscode.Disposable {
  const { window, workspace } = vscode;
  const follow = (): void => {
    const document = window.activeTextEditor?.document;
    const hasCalls = document !== undefined && mayHoldCalls(document) && callsIn(document).length > 0;
    setContext("finality.editorHasCalls", hasCalls);
  };
  follow();
  return vscode.Disposable.from(window.onDidChangeActiveTextEditor(follow), workspace.onDidSaveTextDocument(follow));
}

function mayHoldCalls(document: vscode.TextDocument): boolean {
  return vscode.languages.match(SELECTOR, document) > 0;
}
