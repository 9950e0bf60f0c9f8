import * as vscode from "vscode";
import { chooseNetwork } from "../../host/choose-network.ts";
import type { CommandArguments } from "../../host/command-shapes.ts";
import { isEditable } from "./edit-network.ts";
import type { NetworkServices } from "./services.ts";

/**
 * Forgets a network with its API key and JWT key.
 *
 * @returns its name; undefined when the person left
 */
export async function removeNetwork(
  { networks, secrets, liveTransactions }: NetworkServices,
  { network: name, confirmed = false }: CommandArguments["finality.removeNetwork"],
): Promise<{ readonly network: string } | undefined> {
  const network = await chooseNetwork(networks, name, { title: vscode.l10n.t("Remove Network"), fits: isEditable });
  if (network === undefined) return undefined;
  if (!confirmed && !(await confirmRemoval(network.name, await liveTransactions(network.name)))) return undefined;
  await networks.remove(network.name);
  await secrets.delete("apiKey", network.name);
  await secrets.delete("jwtKey", network.name);
  return { network: network.name };
}

async function confirmRemoval(network: string, live: number): Promise<boolean> {
  const keys = vscode.l10n.t("Its API key and JWT key are deleted too. Signing keys stay.");
  const open = vscode.l10n.t(
    "{0} of its transactions are not final: they stay in the list but cannot be followed.",
    live,
  );
  const detail = live === 0 ? keys : `${keys}\n\n${open}`;
  const remove = vscode.l10n.t("Remove");
  const question = vscode.l10n.t("Remove the network {0}?", network);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}
