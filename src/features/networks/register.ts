import * as vscode from "vscode";
import { setContext } from "../../host/commands.ts";
import { addNetwork } from "./add-network.ts";
import { editNetwork } from "./edit-network.ts";
import { removeNetwork } from "./remove-network.ts";
import type { NetworkServices } from "./services.ts";
import { switchNetwork } from "./switch-network.ts";
import { testConnection } from "./test-connection.ts";

/** Where transactions go: the networks of the settings, which one is active, and whether it answers. */
export function registerNetworks(services: NetworkServices): vscode.Disposable {
  const { registerCommand, networks } = services;
  const problems = new Set<string>();
  const follow = (): void => {
    setContext("finality.hasNetwork", networks.active !== undefined);
    setContext("finality.networkIsProduction", networks.active?.production === true);
    sayProblems(
      networks.problems.map(({ message }) => message),
      problems,
    );
  };
  follow();
  return vscode.Disposable.from(
    networks.onDidChange(follow),
    registerCommand("finality.addNetwork", (told) => addNetwork(services, told)),
    registerCommand("finality.editNetwork", (told) => editNetwork(networks, told)),
    registerCommand("finality.switchNetwork", ({ network }) => switchNetwork(networks, network)),
    registerCommand("finality.removeNetwork", (told) => removeNetwork(services, told)),
    registerCommand("finality.testConnection", ({ network }, given) => testConnection(services, network, given)),
  );
}

/** Each problem of the settings is said once, with the way to them. */
function sayProblems(messages: readonly string[], said: Set<string>): void {
  const [fresh] = messages.filter((it) => !said.has(it));
  if (fresh === undefined) return;
  said.add(fresh);
  const open = vscode.l10n.t("Open Settings");
  vscode.window.showWarningMessage(fresh, open).then((chosen) => {
    if (chosen === open) void vscode.commands.executeCommand("workbench.action.openSettingsJson");
  });
}
