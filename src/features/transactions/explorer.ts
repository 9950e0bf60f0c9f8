import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { chooseTransaction, type NamedTransaction } from "../../sending/dialogs.ts";
import { explorerPage } from "./explorer.view.ts";
import { namesOf, type TransactionServices } from "./services.ts";

/**
 * Opens a transaction at the block explorer of its network. Returns undefined if the user cancels.
 *
 * @returns the address of the page; undefined when the person left
 * @throws {ChainError} `EXPLORER_MISSING`
 */
export async function openInExplorer(
  services: TransactionServices,
  argument: NamedTransaction,
): Promise<string | undefined> {
  const { transactions, networks } = services;
  const tracked = await chooseTransaction(transactions, argument, {
    title: t`Open in Explorer`,
    fits: (it) => networks.find(transactions.networkOf(it))?.explorerUrl !== undefined,
    forWhat: t`transactions of a network with a block explorer`,
    nameOf: namesOf(services),
  });
  if (tracked === undefined) return undefined;
  const { name, explorerUrl } = networks.get(transactions.networkOf(tracked));
  if (explorerUrl === undefined) throw new ChainError("EXPLORER_MISSING", { network: name });
  const page = explorerPage(explorerUrl, tracked.txId);
  await vscode.env.openExternal(vscode.Uri.parse(page, true));
  return page;
}
