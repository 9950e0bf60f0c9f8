import { type Hex, hexToBytes } from "../../primitives/bytes.ts";
import { type TxId, transactionId } from "../../primitives/hash.ts";
import { isJsonObject, type Json, type JsonObject } from "../../primitives/json.ts";
import { bytesField, numberField } from "../../primitives/wire-format.ts";
import { contractResultNumber } from "../../transaction/contract-result.ts";
import * as read from "./fields.ts";

/** Field numbers of a transaction and of its result (protocol reference §4.2). */
const TRANSACTION = { rawData: 1, signature: 2, ret: 5 } as const;
const RESULT = { fee: 1, ret: 2, contractRet: 3 } as const;
const RESULT_FIELDS = new Set(Object.keys(RESULT));
/** By their spelling in the protocol. */
const CODES = ["SUCESS", "FAILED"];

/** A transaction with its signatures and its result, byte by byte as a block holds it. */
export interface PackedTransaction {
  /** Computed from the bytes, whatever the answer calls it. */
  readonly txId: TxId;
  readonly bytes: Uint8Array;
}

/**
 * Packs a transaction of a block's JSON as the node packs it; undefined when a part of it is missing or unknown here.
 */
export function packTransaction(object: JsonObject): PackedTransaction | undefined {
  const rawData = bytesOf(object.raw_data_hex);
  const signatures = read.listField(object, "signature").map(bytesOf);
  const results = read.listField(object, "ret").map(packResult);
  const lists = [...signatures, ...results];
  if (rawData === undefined || !lists.every((it) => it !== undefined)) return undefined;
  const bytes = Buffer.concat([
    bytesField(TRANSACTION.rawData, rawData, true),
    ...signatures.map((it) => bytesField(TRANSACTION.signature, it ?? rawData, true)),
    ...results.map((it) => bytesField(TRANSACTION.ret, it ?? rawData, true)),
  ]);
  return { txId: transactionId(rawData), bytes };
}

/** `ret`; a field or a name that nobody here knows cannot be packed. */
function packResult(json: Json): Uint8Array | undefined {
  if (!isJsonObject(json) || !Object.keys(json).every((it) => RESULT_FIELDS.has(it))) return undefined;
  const [code, result] = [numberOf(json.ret, codeNumber), numberOf(json.contractRet, contractResultNumber)];
  const fee = read.numberField(json, "fee");
  if (code === undefined || result === undefined) return undefined;
  return Buffer.concat([
    numberField(RESULT.fee, fee),
    numberField(RESULT.ret, code),
    numberField(RESULT.contractRet, result),
  ]);
}

/** The number of a name; 0 when it is left out. */
function numberOf(name: Json | undefined, known: (name: string) => number | undefined): number | undefined {
  if (name === undefined) return 0;
  return typeof name === "string" ? known(name) : undefined;
}

function codeNumber(name: string): number | undefined {
  const index = CODES.indexOf(name);
  return index < 0 ? undefined : index;
}

function bytesOf(json: Json | undefined): Uint8Array | undefined {
  return typeof json === "string" && /^(?:[0-9a-f]{2})+$/.test(json) ? hexToBytes(json as Hex) : undefined;
}
