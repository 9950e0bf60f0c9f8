import * as vscode from "vscode";
import type { DecoderServices } from "./services.ts";

/** The decoder: its commands, and its page when the window had it open. Nothing of it is loaded before. */
export function registerDecoder(services: DecoderServices): vscode.Disposable {
  const { registerCommand } = services;
  const load = async () => (await import("./decoder.ts")).createDecoder(services);
  let loaded: ReturnType<typeof load> | undefined;
  const decoder = () => {
    loaded ??= load();
    return loaded;
  };
  return vscode.Disposable.from(
    registerCommand("finality.decode", async (argument) => (await decoder()).decode(argument)),
    registerCommand("finality.decodeClipboard", async (argument) => (await decoder()).decodeClipboard(argument)),
    registerCommand("finality.openDecoder", async () => (await decoder()).open()),
    vscode.window.registerWebviewPanelSerializer("finality.decoder", {
      deserializeWebviewPanel: async (panel) => (await decoder()).revive(panel),
    }),
    { dispose: () => void loaded?.then((it) => it.dispose()) },
  );
}
