import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { DecoderServices } from "./commands.ts";

/** The decoder: its commands, and its page when the window had it open. Nothing of it is loaded before. */
export function registerDecoder(services: DecoderServices): vscode.Disposable {
  const decoder = lazy(async () => (await import("./commands.ts")).createDecoder(services));
  return vscode.Disposable.from(
    registerAll(services.registerCommand, "decoder", decoder),
    vscode.window.registerWebviewPanelSerializer("finality.decoder", {
      deserializeWebviewPanel: async (panel) => (await decoder()).revive(panel),
    }),
    { dispose: () => decoder.ifLoaded((it) => it.dispose()) },
  );
}
