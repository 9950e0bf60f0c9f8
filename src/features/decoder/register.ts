import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { DecoderServices } from "./commands.ts";

/** Registers the decoder: its commands, and its page if the window had it open. Loads its code on first use. */
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
