import type { HttpGateway, NetworkProfile, TransactionAnswers } from "@finality/client/gateway";
import { ChainError, isChainError } from "@finality/tron/errors";
import {
  type Address,
  hexToBytes,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonInteger,
  parseAddress,
  parseTxId,
  printJson,
  type TxId,
} from "@finality/tron/primitives";
import { callInBytes } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { NamesOnDemand } from "../../host/artifacts/artifacts.ts";
import type { ContractRef } from "../../host/artifacts/selector-names.ts";
import { type CommandArguments, readTxId } from "../../host/commands/command-arguments.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { chooseNetwork, inputBox } from "../../host/prompts/quick-input.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Services that a query of a transaction needs. */
export interface TransactionLookupServices {
  readonly transactions: TransactionService;
  readonly networks: Networks;
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly names: NamesOnDemand;
}

/** Formats a node's answer about a transaction for the decoder, with the contract whose names apply. */
export interface AnswerText {
  readonly text: string;
  readonly place: ContractRef;
}

/**
 * Queries a node for a transaction, on the user's request only. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `TRANSACTION_NOT_FOUND`, and errors of the gateway
 */
export async function lookUpTransaction(
  services: TransactionLookupServices,
  argument: CommandArguments["finality.decodeTransaction"],
): Promise<AnswerText | undefined> {
  const txId = argument.txId === undefined ? await askTxId() : readTxId("txId", argument.txId);
  if (txId === undefined) return undefined;
  const network = await networkOf(txId, services, argument.network);
  if (network === undefined) return undefined;
  return await whileWorking(t`Requesting the transaction…`, (signal) => ask(txId, network, services, signal));
}

/** Chooses the network: that of a tracked transaction, else the one that the user picks. */
async function networkOf(
  txId: TxId,
  { transactions, networks }: TransactionLookupServices,
  name: string | undefined,
): Promise<NetworkProfile | undefined> {
  await transactions.ready();
  const tracked = transactions.get(txId);
  const own = tracked === undefined ? undefined : transactions.networkOf(tracked);
  return await chooseNetwork(networks, name ?? own, { title: t`Decode This Transaction` });
}

/** Confirms the txID at the cursor before it is sent: 64 hex digits may be a private key. */
async function askTxId(): Promise<TxId | undefined> {
  const here = wordAtCursor();
  const text = await inputBox({
    title: t`Decode This Transaction`,
    prompt: t`The txID of any transaction. Finality requests it from a node of the network.`,
    placeHolder: t`64 hex digits`,
    ignoreFocusOut: true,
    ...(parseTxId(here) === undefined ? {} : { value: here }),
    validateInput: (typed) =>
      typed.trim() === "" || parseTxId(typed) !== undefined ? undefined : t`A txID has 64 hex digits.`,
  });
  return text === undefined ? undefined : parseTxId(text);
}

function wordAtCursor(): string {
  const editor = vscode.window.activeTextEditor;
  const range = editor?.document.getWordRangeAtPosition(editor.selection.active, /(?:0x)?[0-9a-fA-F]+/);
  return range === undefined ? "" : (editor?.document.getText(range) ?? "");
}

async function ask(
  txId: TxId,
  network: NetworkProfile,
  services: TransactionLookupServices,
  signal: AbortSignal,
): Promise<AnswerText> {
  const gateway = await services.gateways.for(network);
  const solid = await gateway.transactionAnswers(txId, "solid", signal);
  const isSolid = solid.transaction !== undefined;
  const { endpoint, transaction, info } = isSolid ? solid : await gateway.transactionAnswers(txId, "head", signal);
  if (transaction === undefined) throw new ChainError("TRANSACTION_NOT_FOUND", { txId, network: network.name });
  const contract = contractOf(transaction, info);
  if (contract !== undefined) await learnNames(contract, network, { gateway, names: services.names, signal });
  const answer = {
    network: network.name,
    endpoint,
    view: isSolid ? "solid" : "head",
    transaction,
    info: info ?? null,
    simulation: await simulate(txId, { gateway, transaction, info, signal }),
  };
  return { text: printJson(answer, 2), place: { network: network.name, contract } };
}

/** Gateway to query, and the signal that ends the query. */
interface QueryContext {
  readonly gateway: HttpGateway;
  readonly signal: AbortSignal;
}

/**
 * Repeats a call that ran out of energy, on the newest state and without a trace, because only that shows how much
 * energy it needs.
 */
async function simulate(
  txId: TxId,
  { gateway, transaction, info, signal }: Omit<TransactionAnswers, "endpoint"> & QueryContext,
): Promise<JsonObject | null> {
  if (inside(info?.receipt, "result") !== "OUT_OF_ENERGY") return null;
  try {
    const call = callInBytes(txId, hexToBytes(String(transaction?.raw_data_hex)));
    if (call === undefined) return null;
    const { tokenId, tokenValue, feeLimit: _feeLimit, ...run } = call;
    const whole = tokenId === 0n ? run : { ...run, tokenId, tokenValue };
    const { reverted, energyUsed } = await gateway.constantCall(whole, signal);
    return { reverted, energy_used: jsonInteger(energyUsed) };
  } catch (error) {
    if (isChainError(error)) return null;
    throw error;
  }
}

/** Returns the contract that the transaction called or created, as the node reports it. Used for names only. */
function contractOf(transaction: JsonObject, info: JsonObject | undefined): Address | undefined {
  const contract = inside(inside(transaction.raw_data, "contract"), "0");
  const called = inside(inside(inside(contract, "parameter"), "value"), "contract_address");
  for (const text of [called, info?.contract_address]) {
    const address = typeof text === "string" ? addressOf(text) : undefined;
    if (address !== undefined) return address;
  }
  return undefined;
}

function inside(json: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(json)) return (json as readonly Json[])[Number(name)];
  return isJsonObject(json) ? json[name] : undefined;
}

function addressOf(text: string): Address | undefined {
  try {
    return parseAddress(text);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

/** Returns the ABI stored on the chain, if any. Otherwise names come from the workspace and the dictionary. */
async function learnNames(
  contract: Address,
  network: NetworkProfile,
  { gateway, names, signal }: QueryContext & { readonly names: NamesOnDemand },
): Promise<void> {
  try {
    const deployed = await gateway.deployedContract(contract, signal);
    if (deployed !== undefined) await (await names()).keep(network.name, contract, deployed.abi);
  } catch (error) {
    if (!isChainError(error)) throw error;
  }
}
