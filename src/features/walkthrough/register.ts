import * as vscode from "vscode";
import { type RegisterCommand, setContext } from "../../host/commands/commands.ts";

interface WalkthroughServices {
  readonly registerCommand: RegisterCommand;
  /** ID of the extension. */
  readonly id: string;
}

/** Registers the command of the walkthrough, and completes its steps by earlier work, whatever opened it. */
export function registerWalkthrough({ registerCommand, id }: WalkthroughServices): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand("finality.openWalkthrough", async () => {
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${id}#firstSteps`, false);
      completeSteps();
    }),
    // The Welcome page, which shows walkthroughs too, is a tab without an input. Its label changes with its content.
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      if ([...opened, ...changed].some(({ input }) => input === undefined)) completeSteps();
    }),
  );
}

/**
 * VS Code completes a step when its context key changes while walkthroughs are loaded, and loads them with the first
 * Welcome page or walkthrough. The second key of each step changes after that, so that earlier work counts.
 */
function completeSteps(): void {
  setContext("finality.walkthroughOpened", true);
  setContext("finality.walkthroughOpened", false);
}
