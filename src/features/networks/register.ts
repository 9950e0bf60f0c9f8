import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { registerAll, setContext } from "../../host/commands/commands.ts";
import { lazily } from "../../host/lazily.ts";
import type { NetworkServices } from "./services.ts";

/** Where transactions go: the networks of the settings, which one is active, and whether it answers. */
export function registerNetworks(services: NetworkServices): vscode.Disposable {
  const { registerCommand, networks } = services;
  const part = lazily(async () => (await import("./commands.ts")).createNetworks(services));
  const problems = new Set<string>();
  const follow = (): void => {
    setContext("finality.hasNetwork", networks.active !== undefined);
    setContext(
      "finality.hasOwnNetwork",
      networks.list().some(({ local }) => !local),
    );
    setContext(
      "finality.hasExplorer",
      networks.list().some(({ explorerUrl }) => explorerUrl !== undefined),
    );
    setContext(
      "finality.hasJwtNetwork",
      networks.list().some(({ local, jwt }) => !local || jwt),
    );
    setContext("finality.networkIsProduction", networks.active?.production === true);
    void sayProblems(
      networks.problems.map(({ message }) => message),
      problems,
    );
  };
  follow();
  return vscode.Disposable.from(networks.onDidChange(follow), registerAll(registerCommand, "networks", part), {
    dispose: () => part.ifLoaded((it) => it.dispose()),
  });
}

/** Each problem of the settings is said once, with the way to them. */
async function sayProblems(messages: readonly string[], said: Set<string>): Promise<void> {
  const [fresh] = messages.filter((it) => !said.has(it));
  if (fresh === undefined) return;
  said.add(fresh);
  const { notify } = await import("../../host/prompts/notify.ts");
  const chosen = await notify("warning", fresh, t`Open Settings`);
  if (chosen !== undefined) await vscode.commands.executeCommand("workbench.action.openSettingsJson");
}
