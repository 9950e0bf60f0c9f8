import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { SharedFileServices } from "./services.ts";

/** Registers transaction files: export, signatures of several people, import. */
export function registerSharedFiles(services: SharedFileServices): vscode.Disposable {
  const part = lazy(async () => (await import("./commands.ts")).createSharedFiles(services));
  const lenses = lazy(async () => new (await import("./transaction-lenses.ts")).TransactionLenses(services));
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    { dispose: () => lenses.ifLoaded((it) => it.dispose()) },
    vscode.languages.registerCodeLensProvider(
      { pattern: "**/*.tron.json" },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: async (document) => (await lenses()).lensesOf(document, () => changed.fire()),
      },
    ),
    registerAll(services.registerCommand, "sharedFiles", part),
  );
}
