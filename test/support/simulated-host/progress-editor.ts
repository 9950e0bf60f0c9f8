import { readFile } from "node:fs/promises";
import type { Clock } from "../../../packages/client/src/gateway/clock.ts";
import * as simulated from "./simulated-editor.ts";

/** Replaces `vscode` as the simulated editor does. Each notification with Cancel can be cancelled by a test. */
export * from "./simulated-editor.ts";

/** A cancellable notification that is shown. */
export interface GoingOn {
  readonly title: string;
  cancel(): void;
}

const goingOn = new Set<GoingOn>();

/** Returns the newest cancellable notification. */
export function newestGoingOn(): GoingOn | undefined {
  return [...goingOn].at(-1);
}

interface ProgressOptions {
  readonly title?: string;
  readonly location: unknown;
  readonly cancellable?: boolean;
}

async function withProgress(
  { title = "", location, cancellable = false }: ProgressOptions,
  work: (progress: unknown, token: unknown) => PromiseLike<unknown>,
): Promise<unknown> {
  const cancelled = new simulated.EventEmitter<void>();
  const it: GoingOn = { title, cancel: () => cancelled.fire() };
  if (cancellable && location === simulated.ProgressLocation.Notification) goingOn.add(it);
  try {
    return await work({ report: () => undefined }, { onCancellationRequested: cancelled.event });
  } finally {
    goingOn.delete(it);
  }
}

export const window = new Proxy(simulated.window, {
  get: (target, key): unknown => (key === "withProgress" ? withProgress : Reflect.get(target, key)),
});

const fs = { readFile: ({ fsPath }: simulated.Uri): Promise<Uint8Array> => readFile(fsPath) };

export const workspace = new Proxy(simulated.workspace, {
  get: (target, key): unknown => (key === "fs" ? fs : Reflect.get(target, key)),
});

/** Pages are in the language of the sources. */
export const l10n = { bundle: undefined, uri: undefined };

/** Replaces the clock that delays progress notifications: they are shown at once. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async () => undefined,
};
