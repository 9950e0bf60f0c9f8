import { t } from "@vscode/l10n";
import { type AnyChainError, ChainError, isChainError } from "../../errors/chain-error.ts";
import {
  classifyBroadcastCode,
  decodeNodeMessage,
  isBrokenNode,
  isRefusedUnread,
} from "../../node-messages/node-message.ts";
import { hexToBytes, parseTxId, shorten, type TxId, transactionId } from "../../primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../primitives/json.ts";
import type { SignedTransaction } from "../../transaction/built-transaction.ts";
import { decodeRawData, encodeRawData } from "../../transaction/raw-data-codec.ts";
import { rawDataFromJson, rawDataToJson } from "../../transaction/transaction-json.ts";
import type { BroadcastOutcome } from "../gateway.ts";
import { type AnswerText, BODY_EXCERPT, errorBody, malformedAnswer, readJson, refusal } from "./answer.ts";

/**
 * The signed transaction as the node reads it. It rebuilds the bytes from `raw_data` alone (node behaviour 10), so this
 * proves first that they come out the same.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` when the txID is not that of the bytes, or JSON cannot carry them
 */
export function broadcastBody({ txId, rawDataHex, signatures }: SignedTransaction): JsonObject {
  const bytes = hexToBytes(rawDataHex);
  if (transactionId(bytes) !== txId) {
    throw new ChainError("TRANSACTION_MALFORMED", { reason: t`its txID is not the hash of its bytes` });
  }
  const rawData = rawDataToJson(decodeRawData(bytes).raw, false);
  if (transactionId(encodeRawData(rawDataFromJson(rawData, false))) !== txId) {
    throw new ChainError("TRANSACTION_MALFORMED", { reason: t`JSON cannot carry all of its fields` });
  }
  return { visible: false, txID: txId, raw_data: rawData, raw_data_hex: rawDataHex, signature: signatures };
}

/** What an answer with HTTP status 200 says, and about which transaction. */
export interface ReadBroadcast {
  readonly outcome: BroadcastOutcome;
  readonly txId?: TxId;
}

/**
 * What an answer to a broadcast proves (protocol reference §7.4). Never throws: what cannot be read is an unknown
 * outcome.
 *
 * @param asked - the txID of the bytes that were sent; an answer about another one proves nothing about them
 */
export function readBroadcast(answer: AnswerText, asked: TxId): ReadBroadcast {
  try {
    return readObject(readJson(answer), answer, asked);
  } catch (cause) {
    if (isChainError(cause)) return { outcome: { kind: "unknown", cause } };
    throw cause;
  }
}

/** What failed before a byte was sent: that much is known here, and no gateway has to be believed for it. */
export function notSent({ code, message }: AnyChainError): BroadcastOutcome {
  return { kind: "rejected", code, message };
}

/** Words of whoever stands before the node: the request was turned away as far as is known. */
export function turnedAway(cause: AnyChainError): BroadcastOutcome {
  return { kind: "unknown", cause, turnedAway: true };
}

/** A body as a journal can hold it. */
export function rawExcerpt(body: string): string {
  return shorten(body, BODY_EXCERPT);
}

function readObject(json: Json, answer: AnswerText, asked: TxId): ReadBroadcast {
  if (!isJsonObject(json)) throw malformedAnswer(answer, t`it is not an object`);
  const error = errorBody(json, answer);
  if (error !== undefined) return { outcome: outcomeOfError(error, String(json.Error)) };
  const txId = typeof json.txid === "string" ? parseTxId(json.txid) : undefined;
  const outcome =
    txId === undefined || txId === asked
      ? outcomeOf(json, answer)
      : unknown(malformedAnswer(answer, t`it speaks of another transaction, ${txId}`));
  return { outcome, ...(txId === undefined ? {} : { txId }) };
}

/** An `Error` body: of the node, which names the class of its failure, or of whoever stands before it. */
function outcomeOfError(error: AnyChainError, text: string): BroadcastOutcome {
  if (error.code !== "NODE_REFUSED") return turnedAway(error);
  const { code } = error.details;
  if (isRefusedUnread(text)) return { kind: "rejected", code, message: error.message };
  return isBrokenNode(code) ? unknown(error) : turnedAway(error);
}

function outcomeOf(json: JsonObject, answer: AnswerText): BroadcastOutcome {
  const code = typeof json.code === "string" ? json.code : undefined;
  const message = decodeNodeMessage(typeof json.message === "string" ? json.message : "");
  if (json.result === true) {
    if (code === undefined || code === "SUCCESS") return { kind: "accepted" };
    return unknown(malformedAnswer(answer, t`it says both true and ${shorten(code, 40)}`));
  }
  if (code === undefined) return unknown(malformedAnswer(answer, t`it has neither a result nor a code`));
  switch (classifyBroadcastCode(code, message)) {
    case "already-known":
      return { kind: "already-known", message };
    case "not-pooled":
      return { kind: "rejected", code, message };
    case "unknown":
      return unknown(refusal(answer, code, message));
  }
}

function unknown(cause: AnyChainError): BroadcastOutcome {
  return { kind: "unknown", cause };
}
