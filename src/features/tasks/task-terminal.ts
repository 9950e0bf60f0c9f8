import { visibleLine } from "@finality/tron/primitives";
import * as vscode from "vscode";

/** Prints a line. Control characters of its text are not passed on. */
export type Print = (line: string) => void;

const LONGEST_LINE = 2_000;

/** Terminal of a task that runs in the extension host. Closing it aborts the work. */
export class TaskTerminal implements vscode.Pseudoterminal {
  readonly #written = new vscode.EventEmitter<string>();
  readonly #closed = new vscode.EventEmitter<number>();
  readonly #closing = new AbortController();
  readonly #work: (print: Print, signal: AbortSignal) => Promise<number>;

  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#closed.event;

  /** @param work - returns the exit code of the task */
  constructor(work: (print: Print, signal: AbortSignal) => Promise<number>) {
    this.#work = work;
  }

  open(): void {
    const print: Print = (line) => this.#written.fire(`${visibleLine(line, LONGEST_LINE)}\r\n`);
    void this.#work(print, this.#closing.signal)
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) print(error instanceof Error ? error.message : String(error));
        return 1;
      })
      .then((code) => this.#closed.fire(code));
  }

  close(): void {
    this.#closing.abort(new vscode.CancellationError());
  }
}
