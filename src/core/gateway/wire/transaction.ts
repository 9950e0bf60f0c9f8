import { decodeNodeMessage } from "../../node-messages/node-message.ts";
import { isHexPairs } from "../../primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../primitives/json.ts";
import type { BuiltTransaction } from "../../transaction/built-transaction.ts";
import type { BlockTransaction, EventLog, FoundTransaction, TransactionAnswer, TransactionInfo } from "../gateway.ts";
import * as read from "./answer.ts";

/** What stands for a contract type that the node could not print. */
const UNREADABLE_TYPE = "Unknown";

/** The answer of a builder. `raw_data` is left to verification: only the bytes count. */
export function parseBuiltTransaction(json: Json): BuiltTransaction {
  const object = read.asObject(json, "the transaction");
  return { txId: read.hashField(object, "txID"), rawDataHex: rawDataHex(object) };
}

/** `{}` is a transaction that this view does not have. */
export function parseFoundTransaction(json: Json): FoundTransaction | undefined {
  const object = read.asObject(json, "the transaction");
  if (isAbsent(object)) return undefined;
  return { ...parseBlockTransaction(object), rawDataHex: rawDataHex(object) };
}

/** A transaction as it was told; `{}` is one that this view does not have. */
export function parseTransactionAnswer(json: Json): TransactionAnswer | undefined {
  return answerUnder("txID", json);
}

/** The information of a transaction as it was told; `{}` is one that this view does not have. */
export function parseInfoAnswer(json: Json): TransactionAnswer | undefined {
  return answerUnder("id", json);
}

function answerUnder(name: string, json: Json): TransactionAnswer | undefined {
  const object = read.asObject(json, "the transaction");
  return isAbsent(object) ? undefined : { txId: read.hashField(object, name), json: object };
}

/** A transaction of a block. One whose contract cannot be read still counts by its txID. */
export function parseBlockTransaction(json: Json): BlockTransaction {
  const object = read.asObject(json, "a transaction");
  const [contract] = read.listField(read.objectField(object, "raw_data"), "contract");
  const contractType = isJsonObject(contract) && read.textField(contract, "type");
  const [ret] = read.listField(object, "ret");
  const contractResult = isJsonObject(ret) ? read.textField(ret, "contractRet") : "";
  return {
    txId: read.hashField(object, "txID"),
    contractType: contractType || UNREADABLE_TYPE,
    ...(contractResult === "" ? {} : { contractResult }),
  };
}

/** `{}` is an info that this view does not have. Pending transactions never have one (protocol reference §14.1). */
export function parseTransactionInfo(json: Json): TransactionInfo | undefined {
  const object = read.asObject(json, "the transaction info");
  if (isAbsent(object)) return undefined;
  const [contractResult] = read.listField(object, "contractResult");
  const contractAddress = read.optionalAddressField(object, "contract_address");
  return {
    txId: read.hashField(object, "id"),
    blockNumber: read.numberField(object, "blockNumber"),
    blockTimestamp: read.numberField(object, "blockTimeStamp"),
    fee: read.sunField(object, "fee"),
    failed: read.textField(object, "result") === "FAILED",
    ...receipt(read.objectField(object, "receipt")),
    contractResult: read.hexField({ contractResult }, "contractResult"),
    message: decodeNodeMessage(read.textField(object, "resMessage")),
    ...(contractAddress === undefined ? {} : { contractAddress }),
    ...("log" in object ? { logs: read.listField(object, "log").map(parseLog) } : {}),
  };
}

/** The address has its 20 bytes only (protocol reference §14.1). */
function parseLog(json: Json): EventLog {
  const object = read.asObject(json, "an event");
  const topics = read.listField(object, "topics").map((topic) => read.hexField({ topic }, "topic"));
  const address = read.textField(object, "address").replace(/^(?=[\da-f]{40}$)/i, "41");
  return { address: read.addressField({ address }, "address"), topics, data: read.hexField(object, "data") };
}

/** Every info of a block, `{}` and `[]` for none (node behaviour 20). */
export function parseTransactionInfos(json: Json): readonly TransactionInfo[] {
  if (isJsonObject(json) && isAbsent(json)) return [];
  return read.listField({ infos: json }, "infos").map((it) => {
    const info = parseTransactionInfo(it);
    if (info === undefined) throw read.fault("infos", "has an empty entry");
    return info;
  });
}

/** `{}`: the node does not have what it was asked for. */
export function isAbsent(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

function receipt(object: JsonObject) {
  const result = read.textField(object, "result");
  return {
    ...(result === "" ? {} : { receiptResult: result }),
    energyUsed: read.integerField(object, "energy_usage_total"),
    energyStaked: read.integerField(object, "energy_usage"),
    energyOfOwner: read.integerField(object, "origin_energy_usage"),
    energyFee: read.sunField(object, "energy_fee"),
    bandwidthUsed: read.integerField(object, "net_usage"),
    bandwidthFee: read.sunField(object, "net_fee"),
  };
}

function rawDataHex(object: JsonObject) {
  if (!isHexPairs(read.textField(object, "raw_data_hex"))) throw read.fault("raw_data_hex", "is missing or not hex");
  return read.hexField(object, "raw_data_hex");
}
