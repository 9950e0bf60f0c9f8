import { systemClock } from "@finality/node/system-clock";
import { labelText, noticeText, visibleLine, visibleText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram, isCallOfProgram, mayBeProgram } from "../caller.ts";

export type Severity = "information" | "warning" | "error";

/** A button: its title, or an object that is returned when the button is chosen. */
export type Button = string | { readonly title: string };

/** Content of a modal dialog. */
export interface ModalContent {
  /** One line. */
  readonly title: string;
  /** May have several lines; foreign text in it has to be a single line already. */
  readonly detail?: string | undefined;
  /** The first button changes nothing. */
  readonly isFirstSafe?: boolean;
}

/** Longer texts are cut by VS Code. */
const LONG = 1_000;
const DETAIL = 20_000;
/** VS Code cuts a notification without buttons after its first line, which has about this many characters. */
const ONE_LINE = 55;

/**
 * Shows a notification. All notifications and dialogs use this module: VS Code turns some texts into links, and
 * `command:` links run what a stranger wrote. Every text is shown literally, in one line.
 *
 * @returns the chosen button; undefined if closed
 */
export async function notify<B extends Button>(
  severity: Severity,
  message: string,
  ...buttons: readonly B[]
): Promise<B | undefined> {
  const text = noticeText(message, LONG);
  const copy = buttons.length === 0 && text.length > ONE_LINE ? [COPY] : [];
  const chosen = await messages[severity](text, {}, ...itemsOf(buttons), ...copy);
  if (chosen === COPY) await vscode.env.clipboard.writeText(text);
  return chosen && buttons[chosen.index];
}

/** First button of a dialog that a program may have caused; Enter selects it. */
const DO_NOTHING = t`Do Nothing`;

/**
 * Shows a modal dialog. Enter selects the first button, which changes nothing if a program may have called. Escape
 * selects none. No button is a close affordance: VS Code would put it last, and Enter would select another button.
 *
 * @returns the chosen button; undefined if the user cancels
 */
export async function askModal<B extends Button>(
  severity: Severity,
  { title, detail = "", isFirstSafe = false }: ModalContent,
  ...buttons: readonly B[]
): Promise<B | undefined> {
  const options = { modal: true, detail: visibleText(detail, DETAIL) };
  const safe = mayBeProgram() && !isFirstSafe && buttons.length > 0 ? [SAFE] : [];
  const chosen = await messages[severity](visibleLine(title, LONG), options, ...safe, ...itemsOf(buttons));
  return chosen && buttons[chosen.index];
}

/** Returns the last sentence of a dialog that a program may have caused. */
export const programNote = (): string => t`If you did not request this, cancel: a program may have.`;

/** Asks for confirmation. */
export async function confirmModal(question: ModalContent, yes: string): Promise<boolean> {
  return (await askModal("warning", question, yes)) === yes;
}

/** Asks for confirmation if a program called. A person who called is not asked. */
export async function confirmForProgram({ title, detail = "" }: ModalContent, yes: string): Promise<boolean> {
  if (!calledByProgram()) return true;
  return await confirmModal({ title, detail: `${detail}${detail === "" ? "" : "\n\n"}${programNote()}` }, yes);
}

export type Progress = vscode.Progress<{ readonly message?: string; readonly increment?: number }>;

/** Shows progress until the work is done. */
export async function showProgress<T>(
  options: vscode.ProgressOptions,
  work: (progress: Progress, cancellation: vscode.CancellationToken) => PromiseLike<T>,
): Promise<T> {
  const { title = "", ...where } = options;
  return await vscode.window.withProgress({ ...where, title: noticeText(title) }, (progress, cancellation) => {
    const report: Progress["report"] = ({ message, ...rest }) =>
      progress.report({ ...rest, ...(message === undefined ? {} : { message: noticeText(message) }) });
    return work({ report }, cancellation);
  });
}

/**
 * Shows progress in a view, and in the status bar in case the side bar is closed.
 *
 * @param viewId - the related view
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

/** Shows a message in the status bar. @param icon - the name of a codicon */
export function showStatusMessage(icon: string, text: string, ms: number): void {
  vscode.window.setStatusBarMessage(`$(${icon}) ${labelText(text)}`, ms);
}

/** Duration of a status bar message; ms. */
const DONE_MS = 3_000;

/** Confirms in the status bar that an action is done, if nothing else shows it. */
export function confirmInStatusBar(text: string): void {
  showStatusMessage("check", text, DONE_MS);
}

interface Item extends vscode.MessageItem {
  readonly index: number;
}

/** No caller's button has this index. */
const SAFE: Item = { title: DO_NOTHING, index: -1 };
/** Shows a long text in full, because VS Code expands notifications with a button. */
const COPY: Item = { title: t`Copy Text`, index: -1 };

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

/** Work that takes longer can be cancelled; ms. */
const LONG_MS = 1_000;

/**
 * Shows work that precedes signing. If it takes longer, a notification with Cancel appears, which aborts its requests.
 * Never used for sending: sent bytes cannot be recalled.
 *
 * @param viewId - the related view
 * @throws {vscode.CancellationError} the user cancelled
 */
export async function whileWorking<T>(
  title: string,
  work: (cancelled: AbortSignal) => Promise<T>,
  viewId = "finality.transactions",
): Promise<T> {
  const cancelling = new AbortController();
  const done = showWork(viewId, title, () => work(cancelling.signal));
  if (!(await isLong(done))) return await done;
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return await showProgress(options, (_, cancellation) => {
    const cancelled = new Promise<never>((_resolve, reject) => {
      cancellation.onCancellationRequested(() => {
        cancelling.abort(new vscode.CancellationError());
        reject(cancelling.signal.reason);
      });
    });
    return Promise.race([done, cancelled]);
  });
}

/** Shows that bytes are stored or sent. The notification cannot be cancelled. */
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
  if (result !== undefined && !isCallOfProgram(raw)) confirmInStatusBar(message(result));
  return result;
}
