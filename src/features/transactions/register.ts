import type * as vscode from "vscode";
import { lazily } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { TransactionServices } from "./services.ts";

/** What a person can do with transactions: send, follow, send again, check, copy, remove. */
export function registerTransactions(services: TransactionServices): vscode.Disposable {
  const part = lazily(async () => (await import("./commands.ts")).createTransactions(services));
  return registerAll(services.registerCommand, "transactions", part);
}
