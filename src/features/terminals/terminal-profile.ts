import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Networks } from "../../host/networks/networks.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import { chainEnvironment, terminalMessage } from "./terminal-environment.view.ts";

export interface TerminalServices {
  readonly networks: Pick<Networks, "active" | "isLocalStopped">;
  readonly keys: Pick<SigningKeys, "listActive">;
}

/** Returns a terminal for the active network. Later changes of the network do not change its variables. */
export function terminalProfile({ networks, keys }: TerminalServices): vscode.TerminalProfile {
  const { active } = networks;
  const icon = { name: "Finality", iconPath: new vscode.ThemeIcon("link") };
  if (active === undefined) {
    const message = t`No network is active, so there are no variables. Start the local chain or choose a network, and open a new terminal.`;
    return new vscode.TerminalProfile({ ...icon, message });
  }
  const env = chainEnvironment(active, keys.listActive(networks));
  return new vscode.TerminalProfile({ ...icon, env, message: terminalMessage(env) });
}
