import type * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { ReplaceCode } from "../../sending/transaction-kind.ts";
import type { ContractServices } from "./services.ts";

/** Registers the commands of contracts and tokens. */
export function registerContracts(
  services: ContractServices,
): vscode.Disposable & { readonly replaceCode: ReplaceCode } {
  const contracts = lazy(async () => (await import("./commands.ts")).createContracts(services));
  const registered = registerAll(services.registerCommand, "contracts", contracts);
  const replaceCode: ReplaceCode = async (order) => (await contracts()).replaceCode(order);
  return Object.assign(registered, { replaceCode });
}
