import * as vscode from "vscode";
import { parseTxId, type TxId } from "../../core/primitives/bytes.ts";
import { readTxId } from "../../host/commands/command-arguments.ts";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { inputBox } from "../../host/prompts/quick-input.ts";
import type { SentTransaction } from "../../host/sending/intent-sender.ts";
import type { TransactionServices } from "./services.ts";

/**
 * Follows a transaction by its txID, whoever signed it.
 *
 * @returns undefined when the person left
 */
export async function trackTransaction(
  { transactions, networks }: TransactionServices,
  argument: CommandArguments["finality.trackTransaction"],
): Promise<SentTransaction | undefined> {
  const named = argument.txId === undefined ? undefined : readTxId("txId", argument.txId);
  const { name } = networks.get(argument.network);
  const txId = named ?? (await askTxId(name));
  if (txId === undefined) return undefined;
  await transactions.ready();
  const tracked = await transactions.adopt(txId, name, argument.label);
  if (named === undefined) await vscode.commands.executeCommand("finality.showTransaction", { txId });
  return { txId, state: tracked.state };
}

/** Checks a pasted txID. */
function checkTxId(text: string): string | undefined {
  if (text.trim() === "" || parseTxId(text) !== undefined) return undefined;
  return `A txID has 64 hex digits; this has ${text.trim().length} characters.`;
}

async function askTxId(network: string): Promise<TxId | undefined> {
  const text = await inputBox({
    title: `Track Transaction on ${network}`,
    prompt: "The txID of any transaction, your own or somebody else's",
    placeHolder: "64 hex digits",
    ignoreFocusOut: true,
    validateInput: checkTxId,
  });
  return text === undefined ? undefined : parseTxId(text);
}
