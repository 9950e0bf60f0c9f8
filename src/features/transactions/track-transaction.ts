import * as vscode from "vscode";
import { ChainError } from "../../core/errors/chain-error.ts";
import { shorten } from "../../core/primitives/bytes.ts";
import { parseTxId, type TxId } from "../../core/primitives/hash.ts";
import { isJsonObject } from "../../core/primitives/json.ts";
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
  argument: unknown,
): Promise<SentTransaction | undefined> {
  const told = readTrackArguments(argument);
  const { name } = networks.get(told.network);
  const txId = told.txId ?? (await askTxId(name));
  if (txId === undefined) return undefined;
  await transactions.ready();
  const tracked = await transactions.adopt(txId, name, told.label);
  if (told.txId === undefined) await vscode.commands.executeCommand("finality.showTransaction", { txId });
  return { txId, state: tracked.state };
}

/** Checks a pasted txID. */
function checkTxId(text: string): string | undefined {
  if (text.trim() === "" || parseTxId(text) !== undefined) return undefined;
  return `A txID has 64 hex digits; this has ${text.trim().length} characters.`;
}

interface TrackArguments {
  readonly txId?: TxId;
  readonly network?: string;
  readonly label?: string;
}

function readTrackArguments(argument: unknown): TrackArguments {
  if (!isJsonObject(argument)) return {};
  const { txId, network, label } = argument;
  return {
    ...(txId === undefined ? {} : { txId: readTxId(txId) }),
    ...(typeof network === "string" ? { network } : {}),
    ...(typeof label === "string" ? { label } : {}),
  };
}

function readTxId(value: unknown): TxId {
  const txId = typeof value === "string" ? parseTxId(value) : undefined;
  if (txId !== undefined) return txId;
  const reason = `${shorten(String(value))} is not a txID (64 hex digits)`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "txId", reason });
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
