import type * as vscode from "vscode";
import { registerAll } from "../../host/commands/commands.ts";
import { lazily } from "../../host/lazily.ts";
import type { StakeServices } from "./services.ts";

/** Staking, lending and what comes back of it. */
export function registerStakes(services: StakeServices): vscode.Disposable {
  const part = lazily(async () => (await import("./commands.ts")).createStakes(services));
  return registerAll(services.registerCommand, "stakes", part);
}
