import * as vscode from "vscode";

/** The command that each terminal ran last, where its shell tells it. */
export class LastCommands implements vscode.Disposable {
  readonly #commands = new WeakMap<vscode.Terminal, string>();
  readonly #subscription = vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
    this.#commands.set(terminal, execution.commandLine.value);
  });

  /** Empty when it is not known. */
  of(terminal: vscode.Terminal): string {
    return this.#commands.get(terminal) ?? "";
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
