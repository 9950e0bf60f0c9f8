import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { ReplaceCode } from "../../sending/transaction-kind.ts";
import { CodeReports } from "./code-reports.ts";
import type { ContractNode } from "./contracts-tree.ts";
import type { ContractsView } from "./contracts-view.ts";
import type { ContractServices } from "./services.ts";

/**
 * Registers the view of contracts, the names of deployed contracts, the commands of contracts and tokens, and the forms
 * that the window had open.
 */
export function registerContracts(
  services: ContractServices,
): vscode.Disposable & { readonly replaceCode: ReplaceCode } {
  const { networks, transactions, log } = services;
  const changed = new vscode.EventEmitter<ContractNode | ContractNode[] | undefined>();
  let view: ContractsView | undefined;
  /** Loaded when the view is first visible. */
  const open = lazy(async (): Promise<ContractsView> => {
    const { ContractsView } = await import("./contracts-view.ts");
    view = new ContractsView(services, { isVisible: () => shown.visible, changed: (nodes) => changed.fire(nodes) });
    return await view.load();
  });
  const reports = new CodeReports(services.drafts);
  const contracts = lazy(async () => (await import("./commands.ts")).createContracts(services, open, reports));
  const shown: vscode.TreeView<ContractNode> = vscode.window.createTreeView<ContractNode>("finality.contracts", {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (node) => (await open()).tree.getChildren(node),
      getTreeItem: (node) => view?.tree.getTreeItem(node) ?? new vscode.TreeItem(""),
    },
  });
  const nameDeployments = async (): Promise<void> => {
    await transactions.ready();
    const { deployedNames } = await import("./deployed-names.ts");
    services.knownNames.setContracts(deployedNames(transactions.list()));
  };
  const lensesChanged = new vscode.EventEmitter<void>();
  const failed = (error: unknown): void => log.error("Deployed contracts have no names.", error);
  const registered = vscode.Disposable.from(
    registerAll(services.registerCommand, "contracts", contracts),
    reports,
    changed,
    shown,
    lensesChanged,
    networks.onDidChange(() => lensesChanged.fire()),
    vscode.languages.registerCodeLensProvider([{ language: "solidity" }, { pattern: "**/*.sol" }], {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: async (document) =>
        await (await import("./solidity-lenses.ts")).solidityLensesOf(services, document),
    }),
    vscode.window.registerWebviewPanelSerializer("finality.arguments", {
      deserializeWebviewPanel: async (panel, state) => (await contracts()).panels.revive(panel, state),
    }),
    { dispose: () => contracts.ifLoaded((it) => it.dispose()) },
    shown.onDidExpandElement(({ element }) => view?.opened(element)),
    shown.onDidCollapseElement(({ element }) => view?.closed(element)),
    shown.onDidChangeVisibility(() => view?.look()),
    transactions.onDidChange((txIds) => {
      const isDeployment = txIds.some((it) => transactions.get(it)?.signed?.intent.kind === "contract-creation");
      if (!isDeployment) return;
      lensesChanged.fire();
      void nameDeployments().catch(failed);
    }),
    { dispose: () => open.ifLoaded((it) => it.dispose()) },
  );
  const replaceCode: ReplaceCode = async (order) => (await contracts()).replaceCode(order);
  return Object.assign(registered, { replaceCode });
}
