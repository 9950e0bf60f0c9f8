import * as vscode from "vscode";
import { registerAll } from "../../host/commands/commands.ts";
import { lazily } from "../../host/lazily.ts";
import type { SharedFileServices } from "./services.ts";
import { FILE_PATTERN, TransactionLenses } from "./transaction-lenses.ts";

/** Transactions as files: exported, signed by several, taken back. */
export function registerSharedFiles(services: SharedFileServices): vscode.Disposable {
  const part = lazily(async () => (await import("./commands.ts")).createSharedFiles(services));
  const lenses = new TransactionLenses(services);
  return vscode.Disposable.from(
    lenses,
    vscode.languages.registerCodeLensProvider({ pattern: FILE_PATTERN }, lenses),
    registerAll(services.registerCommand, "sharedFiles", part),
  );
}
