import { isChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Masking } from "./masking.ts";

/** The log. Everything written is masked. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  /** Logs a failure with its causes. */
  error(message: string, cause?: unknown): void;
}

/** The log in the output panel. */
export class OutputLog implements Log, vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel("Finality", { log: true });
  readonly #masking: Masking;

  constructor(masking: Masking) {
    this.#masking = masking;
  }

  trace(message: string): void {
    this.#channel.trace(this.#masking.masked(message));
  }

  debug(message: string): void {
    this.#channel.debug(this.#masking.masked(message));
  }

  info(message: string): void {
    this.#channel.info(this.#masking.masked(message));
  }

  warn(message: string): void {
    this.#channel.warn(this.#masking.masked(message));
  }

  error(message: string, cause?: unknown): void {
    const text = cause === undefined ? message : `${message}\n${describeCauses(cause)}`;
    this.#channel.error(this.#masking.masked(text));
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

/** Returns the chain of causes, one per line. Errors with a code need no stack. */
function describeCauses(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const own = isChainError(thrown) ? `${thrown.code}: ${thrown.message}` : (thrown.stack ?? thrown.message);
  return thrown.cause === undefined ? own : t`${own}\ncaused by ${describeCauses(thrown.cause)}`;
}
