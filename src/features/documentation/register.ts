import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { type RegisterCommand, registerAll } from "../../host/commands/commands.ts";

interface DocumentationServices {
  readonly registerCommand: RegisterCommand;
  readonly extensionUri: vscode.Uri;
}

/** Registers the documentation command. Pages are read on first use. */
export function registerDocumentation({ registerCommand, extensionUri }: DocumentationServices): vscode.Disposable {
  const documentation = lazy(async () => {
    const { createDocumentation } = await import("./commands.ts");
    return createDocumentation(vscode.Uri.joinPath(extensionUri, "docs"));
  });
  return registerAll(registerCommand, "documentation", documentation);
}
