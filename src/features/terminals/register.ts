import * as vscode from "vscode";
import type { TerminalServices } from "./terminal-profile.ts";

/** Registers the terminal profile with the URL and the addresses of the active network. */
export function registerTerminals(services: TerminalServices): vscode.Disposable {
  return vscode.window.registerTerminalProfileProvider("finality.terminal", {
    provideTerminalProfile: async () => (await import("./terminal-profile.ts")).terminalProfile(services),
  });
}
