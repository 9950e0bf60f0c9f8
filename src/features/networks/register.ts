import * as vscode from "vscode";
import { setContext } from "../../host/commands/commands.ts";
import type { NetworkServices } from "./services.ts";

/** What the commands do, loaded with the first of them. */
const commands = () => import("./commands.ts");

/** Where transactions go: the networks of the settings, which one is active, and whether it answers. */
export function registerNetworks(services: NetworkServices): vscode.Disposable {
  const { registerCommand, networks } = services;
  const problems = new Set<string>();
  const follow = (): void => {
    setContext("finality.hasNetwork", networks.active !== undefined);
    setContext("finality.networkIsProduction", networks.active?.production === true);
    void sayProblems(
      networks.problems.map(({ message }) => message),
      problems,
    );
  };
  follow();
  return vscode.Disposable.from(
    networks.onDidChange(follow),
    registerCommand("finality.addNetwork", async (told) => (await commands()).addNetwork(services, told)),
    registerCommand("finality.editNetwork", async (told) => (await commands()).editNetwork(services, told)),
    registerCommand("finality.switchNetwork", async ({ network }) =>
      (await commands()).switchNetwork(networks, network),
    ),
    registerCommand("finality.removeNetwork", async (told) => (await commands()).removeNetwork(services, told)),
    registerCommand("finality.testConnection", async ({ network }, given) =>
      (await commands()).testConnection(services, network, given),
    ),
  );
}

/** Each problem of the settings is said once, with the way to them. */
async function sayProblems(messages: readonly string[], said: Set<string>): Promise<void> {
  const [fresh] = messages.filter((it) => !said.has(it));
  if (fresh === undefined) return;
  said.add(fresh);
  const { notify } = await import("../../host/prompts/notify.ts");
  const chosen = await notify("warning", fresh, vscode.l10n.t("Open Settings"));
  if (chosen !== undefined) await vscode.commands.executeCommand("workbench.action.openSettingsJson");
}
