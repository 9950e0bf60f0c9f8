import * as vscode from "vscode";
import { systemClock } from "../system-clock.ts";
import { showProgress, showWork } from "./notify.ts";

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
