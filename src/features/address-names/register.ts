import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { NamingServices } from "./commands.ts";

/** Registers the names of addresses: the command that sets them, and the checks of those in the settings. */
export function registerAddressNames(services: NamingServices): vscode.Disposable {
  const { registerCommand, knownNames, log } = services;
  const part = lazy(async () => (await import("./commands.ts")).createAddressNames(services));
  const refresh = (): void => {
    const isFine = knownNames.problems.length === 0 && knownNames.list().every(({ was }) => was === undefined);
    if (!isFine) part().then((it) => it.tellProblems(), failed);
  };
  const failed = (error: unknown): void => log.error("The names of addresses cannot be followed.", error);
  let workspace: vscode.Disposable | undefined;
  let isGone = false;
  // Reads no file during activation.
  setImmediate(() => {
    refresh();
    import("../../host/addresses/workspace-names.ts").then(({ followWorkspaceNames }) => {
      if (!isGone) workspace = followWorkspaceNames((names) => knownNames.setClaims(names), log);
    }, failed);
  });
  return vscode.Disposable.from(knownNames.onDidChange(refresh), registerAll(registerCommand, "addressNames", part), {
    dispose: () => {
      isGone = true;
      workspace?.dispose();
    },
  });
}
