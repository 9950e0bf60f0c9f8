import { create } from "@bufbuild/protobuf";
import { bytesToHex, hexToBytes, isHexPairs } from "../../core/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, jsonInteger } from "../../core/primitives/json.ts";
import { contractTypeByNumber } from "../../core/transaction/contract-types.ts";
import { type Contract, PermissionSchema, RawSchema } from "../../core/transaction/gen/transaction_pb.js";
import { decodeTransaction, encodeRawData } from "../../core/transaction/raw-data-codec.ts";
import { contractFromJson, messageToJson, rawDataFromJson } from "../../core/transaction/transaction-json.ts";
import { broadcastMessage, Refusal } from "../chain/refusal.ts";
import { approvals, requiredPermission, SignatureRefusal, signerOf } from "../chain/signatures.ts";
import { type ChainTransaction, chainTransaction, ownerOf } from "../chain/transaction.ts";
import { parseBody } from "../http/fastjson.ts";
import { hexException, JavaError, nullPointerException } from "../http/java-error.ts";
import { compact, printSpaced, type Reply } from "../http/message.ts";
import { printAddress, printMessage, printTransaction } from "./print.ts";
import { accountIn, checkBodySize, isVisible, type Route, type ServletRequest, type View } from "./route.ts";

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
      ref_block_hash: hexUnlessEmpty(raw.refBlockHash),
      expiration: integerUnlessZero(raw.expiration),
      data: hexUnlessEmpty(raw.data),
      contract: raw.contract.map(({ type, parameter, PermissionId }) => ({
        type: contractTypeByNumber(type)?.name ?? type,
        parameter: { type_url: parameter?.typeUrl ?? "", value: hexUnlessEmpty(parameter?.value) },
        Permission_id: PermissionId === 0 ? undefined : PermissionId,
      })),
      timestamp: integerUnlessZero(raw.timestamp),
      fee_limit: integerUnlessZero(raw.feeLimit),
    },
    ...(signatures.length === 0 ? {} : { signature: signatures.map((it) => bytesToHex(it)) }),
  };
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
  const json = parseBody(body);
  if (json === undefined) throw missing("JSONObject.getJSONObject(String)", "<local2>");
  const visible = isVisible(json.visible);
  const rawData = json.raw_data;
  if (!isJsonObject(rawData)) throw missing("JSONObject.getJSONArray(String)", "<local3>");
  if (!Array.isArray(rawData.contract)) throw missing("JSONArray.size()", "<local5>");
  const contract = readableContracts(rawData.contract, visible);
  const raw = { ...readRawData(rawData, visible), contract };
  return { transaction: chainTransaction({ rawData: raw, signature: readSignatures(json) }), visible };
}

/**
 * Reads serialised bytes, unknown fields and all.
 *
 * @throws {JavaError}
 */
function unpackHex(text: string): ChainTransaction {
  const digits = text.replace(/^0x/, "");
  if (digits !== "" && !isHexPairs(digits)) throw hexException();
  try {
    const message = decodeTransaction(hexToBytes(digits));
    return chainTransaction({ ...message, rawData: message.rawData ?? create(RawSchema) });
  } catch {
    throw new JavaError(
      "com.google.protobuf.InvalidProtocolBufferException",
      "While parsing a protocol message, the input ended unexpectedly in the middle of a field.  " +
        "This could mean either that the input has been truncated or that an embedded message misreported its own length.",
    );
  }
}

function readableContracts(entries: readonly Json[], visible: boolean): Contract[] {
  return entries.flatMap((entry) => {
    try {
      return [contractFromJson(entry, visible, "contract")];
    } catch {
      return [];
    }
  });
}

function readRawData(rawData: JsonObject, visible: boolean): ReturnType<typeof rawDataFromJson> {
  try {
    return rawDataFromJson({ ...rawData, contract: [] }, visible);
  } catch {
    throw missing("Protocol$Transaction.getRawData()", "<local4>");
  }
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
    const required = requiredPermission(view.state, transaction);
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
