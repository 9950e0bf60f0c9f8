import * as vscode from "vscode";
import { type RegisterCommand, setContext } from "../../host/commands/commands.ts";

interface WalkthroughServices {
  readonly registerCommand: RegisterCommand;
  /** ID of the extension. */
  readonly id: string;
}

/**
 * Registers the command of the walkthrough, and completes its steps by earlier work, whatever opened it.
 *
 * VS Code completes a step when its context key changes while walkthroughs are loaded, and loads them with the first
 * Welcome page or walkthrough. The second key of each step changes after that.
 */
export function registerWalkthrough({ registerCommand, id }: WalkthroughServices): vscode.Disposable {
  const completeSteps = (): void => {
    for (const isOpen of [true, false]) setContext("finality.walkthroughOpened", isOpen);
  };
  return vscode.Disposable.from(
    registerCommand("finality.openWalkthrough", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${id}#firstSteps`, false).then(completeSteps),
    ),
    // The Welcome page is a tab without an input. Its label changes with its content.
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      if (opened.concat(changed).some(({ input }) => !input)) completeSteps();
    }),
  );
}
