import type * as vscode from "vscode";
import { lazily } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { SystemContractServices } from "./services.ts";

/** What accounts do each day besides payments and calls: stakes, rewards, tokens, names, settings of contracts. */
export function registerSystemContracts(services: SystemContractServices): vscode.Disposable {
  const part = lazily(async () => (await import("./commands.ts")).createSystemContracts(services));
  return registerAll(services.registerCommand, "systemContracts", part);
}
