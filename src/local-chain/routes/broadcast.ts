import { create } from "@bufbuild/protobuf";
import { bytesToHex, hexToBytes, isHexPairs } from "../../core/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, jsonInteger } from "../../core/primitives/json.ts";
import { contractTypeName } from "../../core/transaction/contract-types.ts";
import {
  AuthoritySchema,
  type Contract,
  ContractSchema,
  ParameterSchema,
  PermissionSchema,
  type Raw,
  RawSchema,
  type Transaction,
} from "../../core/transaction/gen/transaction_pb.js";
import { decodeTransaction, encodeRawData } from "../../core/transaction/raw-data-codec.ts";
import {
  contractFromJson,
  messageFromJson,
  messageToJson,
  rawDataFromJson,
} from "../../core/transaction/transaction-json.ts";
import { broadcastMessage, Refusal } from "../chain/refusal.ts";
import {
  approvals,
  type PermissionWords,
  requiredPermission,
  SignatureRefusal,
  signerOf,
} from "../chain/signatures.ts";
import { type ChainTransaction, chainTransaction, ownerOf } from "../chain/transaction.ts";
import { parseBody } from "../http/fastjson.ts";
import { JavaError, nullPointerException } from "../http/java-error.ts";
import { compact, printSpaced, type Reply } from "../http/message.ts";
import { looseHex, printAddress, printMessage, printTransaction, textValue } from "./print.ts";
import {
  accountIn,
  checkBodySize,
  isVisible,
  presentBody,
  type Route,
  type ServletRequest,
  type View,
} from "./route.ts";

export const broadcastRoutes: readonly Route[] = [
  {
    name: "broadcasttransaction",
    servlet: "BroadcastServlet",
    solidity: false,
    post: broadcastTransaction,
    get: "refused",
  },
  { name: "broadcasthex", servlet: "BroadcastHexServlet", solidity: false, post: broadcastHex, get: "refused" },
];

/** Success has no `code`, failure no `result`: both would be defaults. */
function broadcastTransaction({ body }: ServletRequest, view: View): Reply {
  const { transaction, visible } = packTransaction(body);
  const refusal = submit(view, transaction);
  if (refusal === undefined) return compact({ result: true, txid: transaction.id });
  const message = printMessage(broadcastMessage(refusal), visible);
  return compact({ code: refusal.code, txid: transaction.id, message });
}

/** Prints every field, and the transaction as a text of JSON. */
function broadcastHex({ body }: ServletRequest, view: View): Reply {
  checkBodySize(body);
  const transaction = unpackHex(String(parseBody(body)?.transaction ?? ""));
  const refusal = submit(view, transaction);
  return compact({
    result: refusal === undefined,
    code: refusal?.code ?? "SUCCESS",
    txid: transaction.id,
    message: refusal === undefined ? "" : broadcastMessage(refusal),
    transaction: printSpaced(plainTransaction(transaction)),
  });
}

function submit(view: View, transaction: ChainTransaction): Refusal | undefined {
  try {
    view.submit(transaction);
    return undefined;
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal;
    throw refusal;
  }
}

/** The message itself, with the contract's bytes as hex: the one place where the node does not unfold them. */
function plainTransaction({ raw, signatures }: ChainTransaction): Json {
  if (encodeRawData(raw).length === 0) return {};
  return {
    raw_data: {
      ref_block_bytes: hexUnlessEmpty(raw.refBlockBytes),
      ref_block_num: integerUnlessZero(raw.refBlockNum),
      ref_block_hash: hexUnlessEmpty(raw.refBlockHash),
      expiration: integerUnlessZero(raw.expiration),
      auths: raw.auths.length === 0 ? undefined : raw.auths.map((it) => messageToJson(AuthoritySchema, it, true)),
      data: hexUnlessEmpty(raw.data),
      contract: raw.contract.length === 0 ? undefined : raw.contract.map(plainContract),
      scripts: hexUnlessEmpty(raw.scripts),
      timestamp: integerUnlessZero(raw.timestamp),
      fee_limit: integerUnlessZero(raw.feeLimit),
    },
    ...(signatures.length === 0 ? {} : { signature: signatures.map((it) => bytesToHex(it)) }),
  };
}

function plainContract({ type, parameter, provider, ContractName: name, PermissionId }: Contract): JsonObject {
  return {
    type: contractTypeName(type),
    parameter: { type_url: textUnlessEmpty(parameter?.typeUrl), value: hexUnlessEmpty(parameter?.value) },
    provider: hexUnlessEmpty(provider),
    ContractName: textUnlessEmpty(Buffer.from(name).toString("utf8")),
    Permission_id: PermissionId === 0 ? undefined : PermissionId,
  };
}

function textUnlessEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function hexUnlessEmpty(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined || bytes.length === 0 ? undefined : bytesToHex(bytes);
}

function integerUnlessZero(value: bigint): Json | undefined {
  return value === 0n ? undefined : jsonInteger(value);
}

interface Packed {
  readonly transaction: ChainTransaction;
  readonly visible: boolean;
}

/**
 * Reads a transaction as the node does: from `raw_data` alone. A contract that cannot be read is left out, and
 * `raw_data_hex` and `txID` are not looked at (Util.packTransaction).
 *
 * @throws {JavaError}
 */
export function packTransaction(body: string): Packed {
  checkBodySize(body);
  const json = presentBody(body);
  if (json === undefined) throw missing("JSONObject.getJSONObject(String)", "<local2>");
  const visible = isVisible(json.visible);
  const rawData = json.raw_data;
  if (!isJsonObject(rawData)) throw missing("JSONObject.getJSONArray(String)", "<local3>");
  if (!Array.isArray(rawData.contract)) throw missing("JSONArray.size()", "<local5>");
  const raw = readRawData(rawData, visible);
  return { transaction: chainTransaction({ rawData: raw, signature: readSignatures(json) }), visible };
}

/**
 * Reads serialised bytes, unknown fields and all.
 *
 * @throws {JavaError}
 */
function unpackHex(text: string): ChainTransaction {
  const message = parsed(looseHex(text));
  return chainTransaction({ ...message, rawData: message.rawData ?? create(RawSchema) });
}

function parsed(bytes: Uint8Array): Transaction {
  try {
    return decodeTransaction(bytes);
  } catch (error) {
    const text = error instanceof Error ? error.message : "";
    throw new JavaError("com.google.protobuf.InvalidProtocolBufferException", complaintAbout(text));
  }
}

/** What Java's reader says of bytes that ours refused. */
function complaintAbout(refusal: string): string {
  if (refusal.includes("illegal tag: field no 0")) return "Protocol message contained an invalid tag (zero).";
  if (refusal.includes("invalid varint")) return "CodedInputStream encountered a malformed varint.";
  return (
    "While parsing a protocol message, the input ended unexpectedly in the middle of a field.  " +
    "This could mean either that the input has been truncated or that an embedded message misreported its own length."
  );
}

function readRawData(rawData: JsonObject, visible: boolean): Raw {
  const entries = Array.isArray(rawData.contract) ? rawData.contract.filter(isJsonObject) : [];
  const readable = entries.flatMap((entry) => {
    const message = readableMessage(entry, visible);
    return message === undefined ? [] : [{ message, entry }];
  });
  try {
    const contract = readable.map(({ message, entry }) => asItCame(message, entry));
    return { ...rawDataFromJson({ ...rawData, contract: [] }, visible), contract };
  } catch {
    throw missing("Protocol$Transaction.getRawData()", "<local4>");
  }
}

/** The message of an entry that names a type with one, if its value fits it. */
function readableMessage(entry: JsonObject, visible: boolean): Contract | undefined {
  try {
    return contractFromJson({ ...entry, Permission_id: 0 }, visible, "contract");
  } catch {
    return undefined;
  }
}

/** What stands around a message is taken as it is: its name in `type_url` too. */
function asItCame({ type, parameter }: Contract, entry: JsonObject): Contract {
  const envelope = { provider: entry.provider, ContractName: entry.ContractName, Permission_id: entry.Permission_id };
  const typeUrl = isJsonObject(entry.parameter) ? textValue(entry.parameter, "type_url") : undefined;
  return {
    ...(messageFromJson(ContractSchema, envelope, false, "contract") as Contract),
    type,
    parameter: create(ParameterSchema, { typeUrl: typeUrl ?? "", value: parameter?.value ?? new Uint8Array() }),
  };
}

/** A list of hex texts, or one text. */
function readSignatures({ signature }: JsonObject): Uint8Array[] {
  if (signature === undefined || signature === null) return [];
  const list = Array.isArray(signature) ? (signature as readonly Json[]) : [signature];
  return list.map((it) => {
    const digits = typeof it === "string" ? it.replace(/^0x/, "") : "?";
    const even = digits.length % 2 === 0 ? digits : `0${digits}`;
    if (even !== "" && !isHexPairs(even)) throw missing("Protocol$Transaction.getRawData()", "<local4>");
    return hexToBytes(even);
  });
}

function missing(method: string, variable: string): JavaError {
  const owner = method.startsWith("JSON") ? "com.alibaba.fastjson." : "org.tron.protos.";
  return nullPointerException(`Cannot invoke "${owner}${method}" because "${variable}" is null`);
}

export const multiSignRoutes: readonly Route[] = [
  {
    name: "getsignweight",
    servlet: "GetTransactionSignWeightServlet",
    solidity: false,
    post: signWeight,
    get: "empty",
  },
  {
    name: "getapprovedlist",
    servlet: "GetTransactionApprovedListServlet",
    solidity: false,
    post: approvedList,
    get: "empty",
  },
];

const WEIGHT_WORDS: PermissionWords = {
  missing: "Permission for this, does not exist!",
  wrongType: "Permission type is wrong!",
  denied: "Permission denied!",
};

/** How much weight the signatures have so far. Messages are plain text here, whatever `visible` says. */
function signWeight({ body }: ServletRequest, view: View): Reply {
  const packed = packTransaction(body);
  return compact({ ...weigh(packed, view), transaction: echo(packed) });
}

function weigh({ transaction, visible }: Packed, view: View): JsonObject {
  if (transaction.contract === undefined) {
    return { result: { code: "OTHER_ERROR", message: "Invalid transaction: no valid contract" } };
  }
  let permission: JsonObject | undefined;
  try {
    if (accountIn(view, ownerOf(transaction.contract)) === undefined) throw noAccount();
    const required = requiredPermission(view.state, transaction, WEIGHT_WORDS);
    permission = messageToJson(PermissionSchema, required, visible);
    const { addresses, weight } = approvals(required, transaction);
    return {
      result: weight >= required.threshold ? {} : { code: "NOT_ENOUGH_PERMISSION" },
      ...approvedBy(addresses.map((it) => printAddress(it, visible))),
      permission,
      current_weight: weight === 0n ? undefined : jsonInteger(weight),
    };
  } catch (refusal) {
    return { result: problem(refusal), permission };
  }
}

/** Who has signed, whether or not a permission knows them. */
function approvedList({ body }: ServletRequest, _view: View): Reply {
  const packed = packTransaction(body);
  const { transaction, visible } = packed;
  try {
    const signers = transaction.signatures.map((it) => printAddress(signerOf(transaction.id, it), visible));
    return compact({ result: {}, ...approvedBy(signers), transaction: echo(packed) });
  } catch (refusal) {
    return compact({ result: problem(refusal), transaction: echo(packed) });
  }
}

function approvedBy(signers: readonly string[]): JsonObject {
  return signers.length === 0 ? {} : { approved_list: signers };
}

function noAccount(): SignatureRefusal {
  return new SignatureRefusal("PERMISSION_ERROR", "Account does not exist!");
}

function problem(refusal: unknown): Json {
  if (refusal instanceof SignatureRefusal) return { code: refusal.problem, message: refusal.message };
  if (refusal instanceof Refusal) return { code: "OTHER_ERROR", message: refusal.message };
  throw refusal;
}

/** The whole transaction, also one without signatures: clients complete theirs from it. */
function echo({ transaction, visible }: Packed): Json {
  return { result: { result: true }, txid: transaction.id, transaction: printTransaction(transaction, visible) };
}
