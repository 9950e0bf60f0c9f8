import * as vscode from "vscode";
import { lazily } from "../../host/async.ts";
import { type RegisterCommand, registerAll } from "../../host/commands/commands.ts";

interface DocumentationServices {
  readonly registerCommand: RegisterCommand;
  readonly extensionUri: vscode.Uri;
}

/** The documentation of the package. Nothing of it is read before somebody asks for it. */
export function registerDocumentation({ registerCommand, extensionUri }: DocumentationServices): vscode.Disposable {
  const documentation = lazily(async () => {
    const { createDocumentation } = await import("./commands.ts");
    return createDocumentation(vscode.Uri.joinPath(extensionUri, "docs"));
  });
  return registerAll(registerCommand, "documentation", documentation);
}
