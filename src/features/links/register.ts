import * as vscode from "vscode";
import type { LinkServices } from "./open-link.ts";

/** Registers the handler of `vscode://finality.finality/…`. Links only open pages. */
export function registerLinks(services: LinkServices): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: async ({ path, query }) => (await import("./open-link.ts")).openLink(services, { path, query }),
  });
}
