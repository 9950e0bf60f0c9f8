import type * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { TransactionServices } from "./services.ts";

/** Registers the commands of transactions. */
export function registerTransactions(services: TransactionServices): vscode.Disposable {
  const part = lazy(async () => (await import("./commands.ts")).createTransactions(services));
  return registerAll(services.registerCommand, "transactions", part);
}
