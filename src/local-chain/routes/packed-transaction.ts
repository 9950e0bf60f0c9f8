import { create } from "@bufbuild/protobuf";
import { hexToBytes, isHexPairs } from "../../core/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/primitives/json.ts";
import { type Contract, RawSchema } from "../../core/transaction/gen/transaction_pb.js";
import { decodeTransaction } from "../../core/transaction/raw-data-codec.ts";
import { contractFromJson, rawDataFromJson } from "../../core/transaction/transaction-json.ts";
import { type ChainTransaction, chainTransaction } from "../chain/transaction.ts";
import { parseBody } from "../http/fastjson.ts";
import { hexException, JavaError, nullPointerException } from "../http/java-error.ts";
import { checkBodySize, isVisible } from "./route.ts";

export interface Packed {
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
export function unpackHex(text: string): ChainTransaction {
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
