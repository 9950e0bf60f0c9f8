import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Networks } from "../../host/networks/networks.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import { type MenuItem, menuItems } from "./status-menu.view.ts";

/** Services that the menu reads. */
export interface StatusMenuServices {
  readonly networks: Networks;
  readonly keys: SigningKeys;
}

type Item = vscode.QuickPickItem & { readonly chosen?: MenuItem };

/** Shows the menu of the status bar item and runs the chosen command, as if the user had chosen it in the palette. */
export async function showStatusMenu({ networks, keys }: StatusMenuServices): Promise<void> {
  const { active } = networks;
  const canSign = active !== undefined && keys.listOn(active).some(({ watchOnly }) => !watchOnly);
  const items = menuItems({
    network: active?.name,
    hasNetwork: networks.list().length > 0,
    isLocalChainRunning: networks.local !== undefined,
    isLocalStopped: networks.isLocalStopped,
    isLocalDisconnected: networks.isLocalDisconnected,
    canSend: canSign && vscode.workspace.isTrusted,
  });
  const chosen = (await quickPick(items.map(itemOf), { title: "Finality", placeHolder: t`What to do?` }))?.chosen;
  if (chosen?.kind !== "action") return;
  const { command, argument } = chosen;
  await vscode.commands.executeCommand(command, ...(argument === undefined ? [] : [argument]));
}

function itemOf(item: MenuItem): Item {
  if (item.kind === "group") return { label: item.label, kind: vscode.QuickPickItemKind.Separator };
  return { label: `$(${item.icon}) ${item.label}`, chosen: item };
}
