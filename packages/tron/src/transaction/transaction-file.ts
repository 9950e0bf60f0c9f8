import { t } from "@vscode/l10n";
import { ChainError, isChainError } from "../errors/chain-error.ts";
import type { Address } from "../primitives/address.ts";
import {
  bytesToHex,
  equalBytes,
  type Hex,
  hex,
  isHexPairs,
  stripHexPrefix,
  type TxId,
  transactionId,
} from "../primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, parseJson, printJson, quoteJson } from "../primitives/json.ts";
import { jsonDepth, repeatedName } from "../primitives/json-checks.ts";
import type { BuiltTransaction, SignedTransaction } from "./built-transaction.ts";
import { deployedContractAddress } from "./contract-types.ts";
import type { Raw } from "./gen/transaction_pb.js";
import type { Intent } from "./intent.ts";
import { intentFromRawData } from "./intent-contract.ts";
import { decodeRawData, decodeTransaction, encodeRawData, encodeTransaction } from "./raw-data-codec.ts";
import { recoverAddress } from "./signature.ts";
import { rawDataFromJson, rawDataToJson, unknownNameIn } from "./transaction-json.ts";
import { fieldsOf, type VerifiedField } from "./verify-against-intent.ts";

/** Transaction of a file or the clipboard, whose bytes, JSON and txID agree. */
export interface SharedTransaction extends SignedTransaction {
  /** Signers in the order of their signatures, without duplicates. */
  readonly signers: readonly Address[];
  readonly intent: Intent;
  /** Chain time, ms. */
  readonly expiration: number;
  /** All fields of the bytes, for display. */
  readonly fields: readonly VerifiedField[];
}

/** Maximum size of a transaction file: a node accepts 500 kB of bytes, and JSON repeats them in hex. */
export const LONGEST_FILE = 3_000_000;
const DEEPEST = 32;
/** Maximum number of keys of a permission. */
const MOST_SIGNATURES = 5;
const SIGNATURE = /^[0-9a-f]{130}$/;

/**
 * Parses a foreign transaction: TronWeb's JSON, or the hex of a transaction or of its `raw_data`. Only the bytes count,
 * and other fields must agree with them.
 *
 * @throws {ChainError} `TRANSACTION_FILE_REFUSED`, `TRANSACTION_MALFORMED`, `TRANSACTION_JSON_MALFORMED`,
 *   `SIGNATURE_MALFORMED`
 */
export function readTransactionFile(content: string): SharedTransaction {
  if (content.length > LONGEST_FILE) throw refused(t`it is too long: ${content.length} characters`);
  const text = content.replace(/^\uFEFF/, "").trim();
  return text.startsWith("{") ? fromJson(text) : fromHex(text);
}

/** Like `readTransactionFile`; undefined for a text that is no transaction. */
export function transactionFileIn(content: string): SharedTransaction | undefined {
  try {
    return readTransactionFile(content);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

function fromHex(text: string): SharedTransaction {
  const digits = stripHexPrefix(text);
  if (!isHexPairs(digits)) throw refused(t`it is neither a transaction in JSON nor hex`);
  const bytes = Uint8Array.from(Buffer.from(digits, "hex"));
  const whole = wholeTransaction(bytes);
  return whole === undefined ? shared(bytes, []) : shared(encodeRawData(whole.raw), whole.signatures);
}

interface Whole {
  readonly raw: Raw;
  readonly signatures: readonly Hex[];
}

/** Undefined if the bytes are no transaction: then they may be `raw_data` alone. */
function wholeTransaction(bytes: Uint8Array): Whole | undefined {
  try {
    const { rawData: raw, signature } = decodeTransaction(bytes);
    if (raw === undefined || !equalBytes(encodeTransaction(raw, signature), bytes)) return undefined;
    return { raw, signatures: signature.map(bytesToHex) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

const NAMES = ["visible", "txID", "raw_data", "raw_data_hex", "signature", "contract_address"];

function fromJson(text: string): SharedTransaction {
  const json = transactionIn(objectIn(text));
  const stranger = Object.keys(json).find((it) => !NAMES.includes(it));
  if (stranger !== undefined) throw refused(t`it has a field ${quoteJson(stranger)}, which no transaction has`);
  const { visible = false, txID, raw_data, raw_data_hex, signature = [] } = json;
  if (typeof visible !== "boolean") throw refused(t`its field visible is neither true nor false`);
  if (typeof raw_data_hex !== "string" || !isHexPairs(stripHexPrefix(raw_data_hex))) {
    throw refused(t`its raw_data_hex is not hex`);
  }
  const bytes = Uint8Array.from(Buffer.from(hex(raw_data_hex), "hex"));
  const strange = unknownNameIn(raw_data);
  if (strange !== undefined) throw refused(t`it has a field ${quoteJson(strange)}, which is not in the protocol`);
  if (!equalBytes(encodeRawData(rawDataFromJson(raw_data, visible)), bytes)) {
    throw refused(t`its raw_data does not match its bytes in raw_data_hex`);
  }
  const found = shared(bytes, signaturesIn(signature));
  if (typeof txID !== "string" || stripHexPrefix(txID).toLowerCase() !== found.txId) {
    throw refused(t`its txID does not match its bytes`);
  }
  requireContract(json, found);
  return found;
}

/** Fields beside the transaction in answers of triggersmartcontract, getsignweight and getapprovedlist. */
const ANSWER_NAMES = ["result", "transaction", "txid", "permission", "approved_list", "current_weight"];
/** Only answers to calls that run and are not sent. */
const CONSTANT_NAMES = ["constant_result", "energy_used"];
/** Fields of wrapped transactions: the result of JSON-RPC, its transaction, and the one in answers about signatures. */
const MOST_WRAPPERS = 3;

/**
 * Returns the transaction in a whole answer of a node, or the object itself.
 *
 * @throws {ChainError} `TRANSACTION_FILE_REFUSED`
 */
function transactionIn(json: JsonObject, depth = 0): JsonObject {
  if (depth > MOST_WRAPPERS) throw refused(t`it is nested deeper than any transaction`);
  const { jsonrpc, id: _, result, ...rest } = json;
  if (jsonrpc !== undefined && isJsonObject(result) && Object.keys(rest).length === 0)
    return transactionIn(result, depth + 1);
  if (json.raw_data !== undefined || (json.transaction === undefined && !isJsonObject(result))) return json;
  if (CONSTANT_NAMES.some((it) => json[it] !== undefined))
    throw refused(t`it is the answer to a constant call, whose transaction must not be sent`);
  if (!isJsonObject(json.transaction)) throw refused(t`it is an answer of a node without a transaction`);
  const stranger = Object.keys(json).find((it) => !ANSWER_NAMES.includes(it));
  if (stranger !== undefined) throw refused(t`it has a field ${quoteJson(stranger)}, which no transaction has`);
  return transactionIn(json.transaction, depth + 1);
}

/** @throws {ChainError} `TRANSACTION_FILE_REFUSED` */
function objectIn(text: string): JsonObject {
  if (jsonDepth(text) > DEEPEST) throw refused(t`it is nested deeper than any transaction`);
  let json: Json;
  try {
    json = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refused(t`it is not JSON`);
  }
  if (!isJsonObject(json)) throw refused(t`it is not a JSON object`);
  const twice = repeatedName(text);
  if (twice !== undefined) throw refused(t`it contains ${quoteJson(twice)} twice`);
  return json;
}

function signaturesIn(json: Json): readonly Hex[] {
  if (!Array.isArray(json)) throw refused(t`its signatures are not a list`);
  return (json as readonly Json[]).map((it) => {
    const digits = typeof it === "string" ? stripHexPrefix(it).toLowerCase() : "";
    if (!SIGNATURE.test(digits)) throw refused(t`one of its signatures is not 65 bytes of hex`);
    return digits as Hex;
  });
}

/** Builders of a deployment report the contract's address, and users copy it from there. */
function requireContract({ contract_address: message }: JsonObject, { txId, intent }: SharedTransaction): void {
  if (message === undefined) return;
  const isTrue = typeof message === "string" && message.toLowerCase() === deployedContractAddress(txId, intent.owner);
  if (!isTrue) throw refused(t`its contract_address is not the address that the contract will have`);
}

function shared(bytes: Uint8Array, all: readonly Hex[]): SharedTransaction {
  const decoded = decodeRawData(bytes);
  const { raw } = decoded;
  if (!decoded.canonical) throw refused(t`its bytes are not in the encoding that nodes use`);
  const hidden = raw.contract.some((it) => it.provider.length > 0 || it.ContractName.length > 0);
  if (hidden) throw refused(t`its bytes have fields that JSON does not show`);
  if (raw.expiration <= 0n || raw.expiration > BigInt(Number.MAX_SAFE_INTEGER)) throw refused(t`it has no expiration`);
  const txId = transactionId(bytes);
  const unique = oneOfEach(txId, all);
  if (unique.size > MOST_SIGNATURES) throw refused(t`it has ${unique.size} signatures, but a permission has 5 keys`);
  return {
    txId,
    rawDataHex: bytesToHex(bytes),
    signatures: [...unique.values()],
    signers: [...unique.keys()],
    intent: intentFromRawData(decoded),
    expiration: Number(raw.expiration),
    fields: [...fieldsOf(raw), { path: "txID", value: txId }],
  };
}

/**
 * Returns the signatures by signer, the first of each: a node refuses two of one key.
 *
 * @throws {ChainError} `SIGNATURE_MALFORMED`
 */
export function oneOfEach(txId: TxId, signatures: readonly Hex[]): ReadonlyMap<Address, Hex> {
  const found = new Map<Address, Hex>();
  for (const it of signatures) {
    const signer = recoverAddress(txId, it);
    if (!found.has(signer)) found.set(signer, it);
  }
  return found;
}

/** Returns the transaction in TronWeb's format, addresses in hex. */
export function printTransactionFile({ txId, rawDataHex, signatures }: SignedTransaction): string {
  return `${printJson(transactionJson({ txId, rawDataHex, signatures }), 2)}\n`;
}

function transactionJson({ signatures, ...bytes }: SignedTransaction): JsonObject {
  return { ...unsignedJson(bytes), signature: [...signatures] };
}

function unsignedJson({ txId, rawDataHex }: BuiltTransaction): JsonObject {
  const { raw } = decodeRawData(Uint8Array.from(Buffer.from(rawDataHex, "hex")));
  return { visible: false, txID: txId, raw_data: rawDataToJson(raw, false), raw_data_hex: rawDataHex };
}

/**
 * Returns the transaction for a signing wallet: without any signature, so that it cannot be sent as it is.
 *
 * @returns undefined if it has an integer that JSON in JavaScript would round
 */
export function printForWallet(bytes: BuiltTransaction): string | undefined {
  const text = printJson(unsignedJson(bytes));
  return JSON.stringify(JSON.parse(text)) === text ? text : undefined;
}

function refused(reason: string): ChainError {
  return new ChainError("TRANSACTION_FILE_REFUSED", { reason });
}
