import { labelText, noticeText, visibleLine, visibleText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram, isCallOfProgram, mayBeProgram } from "../caller.ts";
import { systemClock } from "../system-clock.ts";

export type Severity = "information" | "warning" | "error";

/** A button, by its title alone or with what the caller wants to know again when it was chosen. */
export type Button = string | { readonly title: string };

/** A question that stops everything else until it is answered. */
export interface Question {
  /** One line. */
  readonly title: string;
  /** May have lines of its own; a text of somebody else in it has to be one line before. */
  readonly detail?: string | undefined;
  /** The first button changes nothing. */
  readonly isFirstSafe?: boolean;
}

/** More is cut by the editor. */
const LONG = 1_000;
const DETAIL = 20_000;

/**
 * Shows a notification. This file is the one way to notifications and dialogs, because the editor makes links of some
 * texts, and
 * `command:` links run what a stranger wrote: whatever comes here is shown as text, in one line.
 *
 * @returns the button that was chosen; undefined when it was closed
 */
export async function notify<B extends Button>(
  severity: Severity,
  message: string,
  ...buttons: readonly B[]
): Promise<B | undefined> {
  const chosen = await messages[severity](noticeText(message, LONG), {}, ...itemsOf(buttons));
  return chosen && buttons[chosen.index];
}

/** The first button of a dialog that a program may have caused: Enter takes it. */
export const DO_NOTHING = t`Do Nothing`;

/**
 * Asks a person and waits. Enter takes the first button, which changes nothing where a program may have called; Escape
 * takes none.
 *
 * @returns the button that was chosen; undefined when the person left
 */
export async function askModal<B extends Button>(
  severity: Severity,
  { title, detail = "", isFirstSafe = false }: Question,
  ...buttons: readonly B[]
): Promise<B | undefined> {
  const options = { modal: true, detail: visibleText(detail, DETAIL) };
  const safe = mayBeProgram() && !isFirstSafe && buttons.length > 0 ? [SAFE] : [];
  const chosen = await messages[severity](visibleLine(title, LONG), options, ...safe, ...itemsOf(buttons));
  return chosen && buttons[chosen.index];
}

/** Ends the details of a question that a program may have caused. */
export const programNote = (): string => t`If you did not ask for this, cancel: a program may have.`;

/** Asks for one yes. */
export async function confirmModal(question: Question, yes: string): Promise<boolean> {
  return (await askModal("warning", question, yes)) === yes;
}

/** Asks for one yes where a program called. A person who called is not asked. */
export async function passProgram({ title, detail = "" }: Question, yes: string): Promise<boolean> {
  if (!calledByProgram()) return true;
  return await confirmModal({ title, detail: `${detail}${detail === "" ? "" : "\n\n"}${programNote()}` }, yes);
}

export type Progress = vscode.Progress<{ readonly message?: string; readonly increment?: number }>;

/** Shows that something is going on until the work is done. */
export async function showProgress<T>(
  place: vscode.ProgressOptions,
  work: (progress: Progress, cancellation: vscode.CancellationToken) => PromiseLike<T>,
): Promise<T> {
  const { title = "", ...where } = place;
  return await vscode.window.withProgress({ ...where, title: noticeText(title) }, (progress, cancellation) => {
    const report: Progress["report"] = ({ message, ...rest }) =>
      progress.report({ ...rest, ...(message === undefined ? {} : { message: noticeText(message) }) });
    return work({ report }, cancellation);
  });
}

/**
 * Shows that something is going on in a view, and in the status bar for whoever has the side bar closed.
 *
 * @param viewId - the view that it is about
 */
export async function showWork<T>(viewId: string, title: string, work: () => PromiseLike<T>): Promise<T> {
  const done = Promise.resolve(work());
  const ended = done.then(
    () => undefined,
    () => undefined,
  );
  void showProgress({ location: { viewId }, title }, () => ended);
  void showProgress({ location: vscode.ProgressLocation.Window, title }, () => ended);
  return await done;
}

/** Says something in the status bar for some time. @param icon - the name of a codicon */
export function sayInStatusBar(icon: string, text: string, ms: number): void {
  vscode.window.setStatusBarMessage(`$(${icon}) ${labelText(text)}`, ms);
}

/** How long the status bar says that something was done; ms. */
const DONE_MS = 3_000;

/** Says to a person that what they asked for was done, where they would see nothing of it. */
export function sayDone(text: string): void {
  sayInStatusBar("check", text, DONE_MS);
}

interface Item extends vscode.MessageItem {
  readonly index: number;
}

/** No button of a caller has this index. */
const SAFE: Item = { title: DO_NOTHING, index: -1 };

type Show = (message: string, options: vscode.MessageOptions, ...items: readonly Item[]) => Thenable<Item | undefined>;

const messages: Readonly<Record<Severity, Show>> = {
  information: (message, options, ...items) => vscode.window.showInformationMessage(message, options, ...items),
  warning: (message, options, ...items) => vscode.window.showWarningMessage(message, options, ...items),
  error: (message, options, ...items) => vscode.window.showErrorMessage(message, options, ...items),
};

function itemsOf(buttons: readonly Button[]): readonly Item[] {
  return buttons.map((button, index) => ({
    title: labelText(typeof button === "string" ? button : button.title, LONG),
    index,
  }));
}

/** What lasts longer can be cancelled; ms. */
const LONG_MS = 1_000;

/** Has a person see that work goes on, and ends its requests when they cancel. Questions stand outside of it. */
export type During = <T>(work: (cancelled: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Shows that something is read or built before anything is signed. What takes longer than a moment has a notice with
 * Cancel, which ends the work and, by the signal, its requests. Bytes that are sent are no such work: nobody can call
 * them back.
 *
 * @param viewId - the view that it is about
 * @throws {vscode.CancellationError} the person cancelled
 */
export async function whileWorking<T>(
  title: string,
  work: (cancelled: AbortSignal) => Promise<T>,
  viewId = "finality.transactions",
): Promise<T> {
  const cancelling = new AbortController();
  const done = showWork(viewId, title, () => work(cancelling.signal));
  if (!(await isLong(done))) return await done;
  const place = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return await showProgress(place, (_, cancellation) => {
    const cancelled = new Promise<never>((_resolve, reject) => {
      cancellation.onCancellationRequested(() => {
        cancelling.abort(new vscode.CancellationError());
        reject(cancelling.signal.reason);
      });
    });
    return Promise.race([done, cancelled]);
  });
}

/** Shows that bytes are stored or sent. What takes longer than a moment has a notice too, which cannot be cancelled. */
export async function whileSending<T>(title: string, work: () => Promise<T>): Promise<T> {
  const done = showWork("finality.transactions", title, work);
  if (!(await isLong(done))) return await done;
  return await showProgress({ location: vscode.ProgressLocation.Notification, title }, () => done);
}

async function isLong(work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const ended = work.then(
    () => false,
    () => false,
  );
  const late = systemClock.sleep(LONG_MS, over.signal).then(
    () => true,
    () => false,
  );
  const first = await Promise.race([ended, late]);
  over.abort();
  return first;
}

/** Reports the result of a command in the status bar, unless a program called it or the user cancelled. */
export function reportDone<T>(raw: unknown, result: T | undefined, message: (result: T) => string): T | undefined {
  if (result !== undefined && !isCallOfProgram(raw)) sayDone(message(result));
  return result;
}
