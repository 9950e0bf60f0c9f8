import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { NamingServices } from "./commands.ts";

/** Names for addresses: the command that gives them, and what is wrong with those of the settings. */
export function registerAddressNames(services: NamingServices): vscode.Disposable {
  const { registerCommand, knownNames, log } = services;
  const part = lazy(async () => (await import("./commands.ts")).createAddressNames(services));
  const look = (): void => {
    const isFine = knownNames.problems.length === 0 && knownNames.list().every(({ was }) => was === undefined);
    if (!isFine) part().then((it) => it.tellProblems(), failed);
  };
  const failed = (error: unknown): void => log.error("The names of addresses cannot be followed.", error);
  let workspace: vscode.Disposable | undefined;
  let isGone = false;
  // No file is read while the extension starts.
  setImmediate(() => {
    look();
    import("../../host/addresses/workspace-names.ts").then(({ followWorkspaceNames }) => {
      if (!isGone) workspace = followWorkspaceNames((names) => knownNames.setClaims(names), log);
    }, failed);
  });
  return vscode.Disposable.from(knownNames.onDidChange(look), registerAll(registerCommand, "addressNames", part), {
    dispose: () => {
      isGone = true;
      workspace?.dispose();
    },
  });
}
