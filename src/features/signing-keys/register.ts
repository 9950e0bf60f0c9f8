import type * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { SigningKeyServices } from "./commands.ts";

/** Registers the commands that add, export, restrict and remove accounts and their signing keys. */
export function registerSigningKeys(services: SigningKeyServices): vscode.Disposable {
  const part = lazy(async () => ({ commands: (await import("./commands.ts")).createSigningKeyCommands(services) }));
  return registerAll(services.registerCommand, "signingKeys", part);
}
