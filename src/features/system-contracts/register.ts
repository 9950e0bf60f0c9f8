import type * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { SystemContractServices } from "./services.ts";

/** Registers the commands of system contracts. */
export function registerSystemContracts(services: SystemContractServices): vscode.Disposable {
  const part = lazy(async () => (await import("./commands.ts")).createSystemContracts(services));
  return registerAll(services.registerCommand, "systemContracts", part);
}
