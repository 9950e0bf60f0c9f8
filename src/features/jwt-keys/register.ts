import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { JwtKeyServices } from "./jwt-keys.ts";

/** Registers the commands of the JWT keys and API keys that authenticate requests. */
export function registerJwtKeys(services: JwtKeyServices): vscode.Disposable {
  const part = lazy(async () => (await import("./commands.ts")).createJwtKeyCommands(services));
  return vscode.Disposable.from(
    registerAll(services.registerCommand, "jwtKeys", part),
    tokenDocuments(async (uri) => (await part()).tokenText(uri)),
  );
}

/** Read-only documents that show inspected tokens. They are never written to disk. */
function tokenDocuments(textOf: (uri: string) => Promise<string>): vscode.Disposable {
  const provideTextDocumentContent = (uri: vscode.Uri) => textOf(uri.toString());
  return vscode.workspace.registerTextDocumentContentProvider("finality-token", { provideTextDocumentContent });
}
