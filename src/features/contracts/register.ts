import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { ReplaceCode } from "../../sending/transaction-kind.ts";
import type { ContractServices } from "./services.ts";

/** Registers the commands of contracts and tokens, and the forms that the window had open. */
export function registerContracts(
  services: ContractServices,
): vscode.Disposable & { readonly replaceCode: ReplaceCode } {
  const contracts = lazy(async () => (await import("./commands.ts")).createContracts(services));
  const registered = vscode.Disposable.from(
    registerAll(services.registerCommand, "contracts", contracts),
    vscode.window.registerWebviewPanelSerializer("finality.arguments", {
      deserializeWebviewPanel: async (panel, state) => (await contracts()).panels.revive(panel, state),
    }),
    { dispose: () => contracts.ifLoaded((it) => it.panels.dispose()) },
  );
  const replaceCode: ReplaceCode = async (order) => (await contracts()).replaceCode(order);
  return Object.assign(registered, { replaceCode });
}
