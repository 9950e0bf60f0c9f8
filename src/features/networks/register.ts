import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll, setContext } from "../../host/commands/commands.ts";
import { lazyTree } from "../../host/lazy-tree.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { NetworkServices } from "./edit-networks.ts";

/** Registers the settings of networks, the active network and the connection test. */
export function registerNetworks(services: NetworkServices): vscode.Disposable {
  const { registerCommand, networks } = services;
  const part = lazy(async () => (await import("./commands.ts")).createNetworks(services));
  const problems = new Set<string>();
  const follow = (): void => {
    setNetworkContextKeys(networks);
    void reportProblems(
      networks.problems.map(({ message }) => message),
      problems,
    );
  };
  follow();
  const tree = lazyTree(lazy(async () => new (await import("./networks-tree.ts")).NetworksTree(networks)));
  return vscode.Disposable.from(
    networks.onDidChange(follow),
    tree,
    vscode.window.createTreeView("finality.networks", { treeDataProvider: tree }),
    registerAll(registerCommand, "networks", part),
    { dispose: () => part.ifLoaded((it) => it.dispose()) },
  );
}

/** Sets the context keys of the commands that need a network. */
function setNetworkContextKeys(networks: Networks): void {
  const all = networks.list();
  const own = all.filter(({ local }) => !local);
  // Without an active network, a command prompts for one.
  setContext("finality.hasNetwork", all.length > 0);
  setContext("finality.networkIsProduction", networks.active?.production === true);
  setContext("finality.hasOwnNetwork", own.length > 0);
  setContext(
    "finality.hasHttpsNetwork",
    own.some(({ baseUrl }) => baseUrl.startsWith("https:")),
  );
  setContext(
    "finality.hasExplorer",
    all.some(({ explorerUrl }) => explorerUrl !== undefined),
  );
  setContext("finality.activeHasExplorer", networks.active?.explorerUrl !== undefined);
  // The ID of a key stays in the settings while tokens are disabled.
  setContext(
    "finality.hasJwtNetwork",
    all.some(({ jwt, keyId }) => jwt || keyId !== undefined),
  );
}

/** Reports each problem of the settings once. */
async function reportProblems(messages: readonly string[], reported: Set<string>): Promise<void> {
  const [fresh] = messages.filter((it) => !reported.has(it));
  if (fresh === undefined) return;
  reported.add(fresh);
  const { notify } = await import("../../host/prompts/notify.ts");
  const chosen = await notify("warning", fresh, t`Open Settings`);
  if (chosen !== undefined) await vscode.commands.executeCommand("workbench.action.openSettingsJson");
}
