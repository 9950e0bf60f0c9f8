import * as vscode from "vscode";
import { isAlive } from "../../core/life/is-alive.ts";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { chooseNetwork } from "../../host/networks/choose-network.ts";
import { confirmModal, type Question } from "../../host/prompts/notify.ts";
import { wordsFor } from "../../host/secrets/network-secrets.ts";
import { isEditable } from "./edit-network.ts";
import type { NetworkServices } from "./services.ts";

/**
 * Forgets a network with its API key and JWT key. `confirmed` counts only where neither keys nor unfinished
 * transactions go with it.
 *
 * @returns its name; undefined when the person left
 */
export async function removeNetwork(
  { networks, credentials, transactions }: NetworkServices,
  { network: name, confirmed = false }: CommandArguments["finality.removeNetwork"],
): Promise<{ readonly network: string } | undefined> {
  const network = await chooseNetwork(networks, name, { title: vscode.l10n.t("Remove Network"), fits: isEditable });
  if (network === undefined) return undefined;
  const keys = wordsFor(await credentials.of(network));
  const live = await liveOn(transactions, network.name);
  const isHarmless = keys === undefined && live === 0;
  const [question, remove] = [questionOf(network.name, keys, live), vscode.l10n.t("Remove")];
  if (!(isHarmless && confirmed) && !(await confirmModal(question, remove))) return undefined;
  await networks.remove(network.name);
  await credentials.delete("apiKey", network.name);
  await credentials.delete("jwtKey", network.name);
  return { network: network.name };
}

/** How many transactions of a network may still be executed. */
async function liveOn(transactions: NetworkServices["transactions"], network: string): Promise<number> {
  await transactions.ready();
  return transactions.list().filter((it) => transactions.networkOf(it) === network && isAlive(it)).length;
}

function questionOf(network: string, keys: string | undefined, live: number): Question {
  const deleted =
    keys === undefined
      ? vscode.l10n.t("It has no API key and no JWT key. Signing keys stay.")
      : vscode.l10n.t("Its {0} is deleted too. Signing keys stay.", keys);
  const open = vscode.l10n.t(
    "{0} of its transactions are not final: they stay in the list but cannot be followed.",
    live,
  );
  const title = vscode.l10n.t("Remove the network {0}?", network);
  return { title, detail: live === 0 ? deleted : `${deleted}\n\n${open}` };
}
