import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { RunsPart } from "./commands.ts";
import type { RunServices } from "./services.ts";

interface Runs extends vscode.Disposable {
  /** Ends all work. Resolves when the answers of what was sent are stored. */
  close(): Promise<void>;
}

/** Registers the commands of runs, and the pages of stored runs after a restart. */
export function registerRuns(services: RunServices): Runs {
  let runs: RunsPart | undefined;
  const part = lazy(async () => {
    runs = (await import("./commands.ts")).createRuns(services);
    return runs;
  });
  const pages = vscode.window.registerWebviewPanelSerializer("finality.run", {
    deserializeWebviewPanel: async (panel, state) => (await part()).revive(panel, state),
  });
  const registered = vscode.Disposable.from(registerAll(services.registerCommand, "runs", part), pages);
  return Object.assign(registered, { close: async () => runs?.close() });
}
