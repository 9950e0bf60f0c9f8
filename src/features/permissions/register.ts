import type * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { PermissionServices } from "./services.ts";

/** Registers the commands of permissions. */
export function registerPermissions(services: PermissionServices): vscode.Disposable {
  const part = lazy(async () => (await import("./commands.ts")).createPermissions(services));
  return registerAll(services.registerCommand, "permissions", part);
}
