import { decodeNodeMessage, type ExecutionReport, readExecution, resultNameOf } from "@finality/tron/node-messages";
import { defined, type Hex, isHexPairs, isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import type { BuiltTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type {
  BlockTransaction,
  EventLog,
  FoundTransaction,
  InternalTransaction,
  TransactionAnswer,
  TransactionInfo,
} from "../gateway.ts";
import * as read from "./answer.ts";

/** Placeholder for a contract type that the node could not print. */
const UNREADABLE_TYPE = "Unknown";

/** Parses the answer of a builder. `raw_data` is left to verification, because only the bytes count. */
export function parseBuiltTransaction(json: Json): BuiltTransaction {
  const object = read.asObject(json, t`the transaction`);
  return { txId: read.hashField(object, "txID"), rawDataHex: rawDataHex(object) };
}

/** `{}` is a transaction that this view does not have. */
export function parseFoundTransaction(json: Json): FoundTransaction | undefined {
  const object = read.asObject(json, t`the transaction`);
  if (isAbsent(object)) return undefined;
  return { ...parseBlockTransaction(object), rawDataHex: rawDataHex(object) };
}

/** Parses a transaction, keeping its JSON; `{}` means that this view does not have it. */
export function parseTransactionAnswer(json: Json): TransactionAnswer | undefined {
  return answerUnder("txID", json);
}

/** Parses transaction information, keeping its JSON; `{}` means that this view does not have it. */
export function parseInfoAnswer(json: Json): TransactionAnswer | undefined {
  return answerUnder("id", json);
}

function answerUnder(name: string, json: Json): TransactionAnswer | undefined {
  const object = read.asObject(json, t`the transaction`);
  return isAbsent(object) ? undefined : { txId: read.hashField(object, name), json: object };
}

/** Parses a transaction of a block. One with an unreadable contract still counts by its txID. */
export function parseBlockTransaction(json: Json): BlockTransaction {
  const object = read.asObject(json, t`a transaction`);
  const [contract] = read.listField(read.objectField(object, "raw_data"), "contract");
  const contractType = isJsonObject(contract) && read.textField(contract, "type");
  const [ret] = read.listField(object, "ret");
  const contractResult = isJsonObject(ret) ? resultNameOf(nameField(ret, "contractRet")) : undefined;
  return {
    txId: read.hashField(object, "txID"),
    contractType: contractType || UNREADABLE_TYPE,
    ...defined({ contractResult }),
    ...(typeof object.raw_data_hex === "string" && isHexPairs(object.raw_data_hex)
      ? { rawDataHex: object.raw_data_hex.toLowerCase() as Hex }
      : {}),
  };
}

/** `{}` is an info that this view does not have. Pending transactions never have one (protocol reference §14.1). */
export function parseTransactionInfo(json: Json): TransactionInfo | undefined {
  const object = read.asObject(json, t`the transaction info`);
  if (isAbsent(object)) return undefined;
  const [contractResult] = read.listField(object, "contractResult");
  const contractAddress = read.optionalAddressField(object, "contract_address");
  return {
    txId: read.hashField(object, "id"),
    blockNumber: read.numberField(object, "blockNumber"),
    blockTimestamp: read.numberField(object, "blockTimeStamp"),
    fee: read.sunField(object, "fee"),
    ...execution(object),
    ...costs(read.objectField(object, "receipt")),
    contractResult: read.hexField({ contractResult }, "contractResult"),
    message: decodeNodeMessage(read.textField(object, "resMessage")),
    ...defined({ contractAddress }),
    ...("log" in object ? { logs: read.listField(object, "log").map(parseLog) } : {}),
    ...("internal_transactions" in object ? { internal: parseInternal(object) } : {}),
  };
}

function parseInternal(info: JsonObject): readonly InternalTransaction[] {
  return read.listField(info, "internal_transactions").map((json) => {
    const object = read.asObject(json, t`an internal transaction`);
    const from = read.optionalAddressField(object, "caller_address");
    const to = read.optionalAddressField(object, "transferTo_address");
    const note = Buffer.from(read.hexField(object, "note"), "hex").toString("utf8");
    const values = read.listField(object, "callValueInfo").map(parseCallValue);
    return { from, to, note, rejected: object.rejected === true, values };
  });
}

/** `tokenId` is text for a token, and absent or "0" for coins. */
function parseCallValue(json: Json): { readonly amount: bigint; readonly tokenId?: string } {
  const object = read.asObject(json, t`a value`);
  const amount = read.integerField(object, "callValue");
  const { tokenId = "" } = object;
  const id = typeof tokenId === "string" ? tokenId : String(tokenId);
  return id === "" || id === "0" ? { amount } : { amount, tokenId: id };
}

/** Parses an event. The address has 20 bytes there (protocol reference §14.1). */
export function parseLog(json: Json): EventLog {
  const object = read.asObject(json, t`an event`);
  const topics = read.listField(object, "topics").map((topic) => read.hexField({ topic }, "topic"));
  const address = read.textField(object, "address").replace(/^(?=[\da-f]{40}$)/i, "41");
  return { address: read.addressField({ address }, "address"), topics, data: read.hexField(object, "data") };
}

/** Parses all infos of a block; `{}` and `[]` mean none (node behaviour 20). */
export function parseTransactionInfos(json: Json): readonly TransactionInfo[] {
  if (isJsonObject(json) && isAbsent(json)) return [];
  return read.listField({ infos: json }, "infos").map((it) => {
    const info = parseTransactionInfo(it);
    if (info === undefined) throw read.fault("infos", t`has an empty entry`);
    return info;
  });
}

/** `{}`: the node does not have the requested object. */
export function isAbsent(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

function execution(info: JsonObject): ExecutionReport {
  const receipt = read.objectField(info, "receipt");
  return readExecution(nameField(info, "result"), nameField(receipt, "result"));
}

/** Reads a name of the protocol or its number; none if it is missing. */
function nameField(parent: JsonObject, name: string): Json | undefined {
  const value = parent[name];
  return typeof value === "number" ? value : read.textField(parent, name);
}

function costs(object: JsonObject) {
  return {
    energyUsed: read.integerField(object, "energy_usage_total"),
    energyStaked: read.integerField(object, "energy_usage"),
    energyOfOwner: read.integerField(object, "origin_energy_usage"),
    energyFee: read.sunField(object, "energy_fee"),
    bandwidthUsed: read.integerField(object, "net_usage"),
    bandwidthFee: read.sunField(object, "net_fee"),
  };
}

function rawDataHex(object: JsonObject) {
  if (!isHexPairs(read.textField(object, "raw_data_hex"))) throw read.fault("raw_data_hex", t`is missing or not hex`);
  return read.hexField(object, "raw_data_hex");
}
