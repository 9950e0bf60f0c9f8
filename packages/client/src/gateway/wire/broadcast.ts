import { type AnyChainError, ChainError, isChainError } from "@finality/tron/errors";
import { type BroadcastMeaning, HTTP_RULES, type HttpMeaning, readBroadcastAnswer } from "@finality/tron/node-messages";
import {
  defined,
  hexToBytes,
  isJsonObject,
  type Json,
  type JsonObject,
  parseTxId,
  shorten,
  type TxId,
  transactionId,
} from "@finality/tron/primitives";
import {
  decodeRawData,
  encodeRawData,
  rawDataFromJson,
  rawDataToJson,
  type SignedTransaction,
} from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { BroadcastOutcome } from "../gateway.ts";
import { type AnswerText, BODY_EXCERPT, httpError, malformedAnswer, readJson, refusal } from "./answer.ts";

/**
 * Returns the signed transaction in the form that the node accepts. The node rebuilds the bytes from `raw_data` alone
 * (node behaviour 10), so this first proves that they come out the same.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` if the txID does not belong to the bytes, or JSON cannot represent them
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

/** Outcome of an answer with HTTP status 200, and its transaction. */
export interface ReadBroadcast {
  readonly outcome: BroadcastOutcome;
  readonly txId?: TxId;
}

/**
 * Returns what an answer to a broadcast proves (protocol reference §7.4). Never throws: an unreadable answer is an
 * unknown outcome.
 *
 * @param txId - TxID of the bytes that were sent; an answer about another one proves nothing about them.
 */
export function readBroadcast(answer: AnswerText, txId: TxId): ReadBroadcast {
  try {
    return readObject(readJson(answer), answer, txId);
  } catch (cause) {
    if (isChainError(cause)) return { outcome: { kind: "unknown", cause } };
    throw cause;
  }
}

/** Outcome of a failure before the first byte was sent. It does not depend on a gateway's answer. */
export function notSent({ code, message }: AnyChainError): BroadcastOutcome {
  return { kind: "rejected", code, message };
}

/** Outcome of a refusal by a proxy in front of the node. */
function turnedAway(cause: AnyChainError): BroadcastOutcome {
  return { kind: "unknown", cause, turnedAway: true };
}

/** Truncates a body for the journal. */
export function rawExcerpt(body: string): string {
  return shorten(body, BODY_EXCERPT);
}

function readObject(json: Json, answer: AnswerText, asked: TxId): ReadBroadcast {
  if (!isJsonObject(json)) throw malformedAnswer(answer, t`it is not an object`);
  const txId = typeof json.txid === "string" ? parseTxId(json.txid) : undefined;
  const outcome =
    txId === undefined || txId === asked
      ? outcomeOf(readBroadcastAnswer(json), answer)
      : unknown(malformedAnswer(answer, t`it names another transaction, ${txId}`));
  return { outcome, ...defined({ txId }) };
}

function outcomeOf(meaning: BroadcastMeaning, answer: AnswerText): BroadcastOutcome {
  switch (meaning.kind) {
    case "accepted":
      return { kind: "accepted" };
    case "already-known":
      return { kind: "already-known", message: meaning.message };
    case "rejected":
      return { kind: "rejected", code: meaning.code, message: meaning.message };
    case "unknown":
      return unknown(refusal(answer, meaning.code, meaning.message));
    case "turned-away":
      return turnedAway(refusal(answer, meaning.code, meaning.message));
    case "contradiction":
      return unknown(malformedAnswer(answer, t`it contains both true and ${shorten(meaning.code, 40)}`));
    case "no-success":
      return unknown(noSuccess(answer, meaning.message));
    case "http":
      return outcomeOfFailure(httpError(meaning.failure, answer), meaning.failure.meaning);
  }
}

function noSuccess(answer: AnswerText, message: string): AnyChainError {
  return message === ""
    ? malformedAnswer(answer, t`it reports neither success nor a cause`)
    : refusal(answer, NO_CODE, message);
}

/** Placeholder for a missing code. */
const NO_CODE = "NO_CODE";

/** Returns the outcome of a broadcast that failed over HTTP. */
export function outcomeOfFailure(cause: AnyChainError, meaning: HttpMeaning): BroadcastOutcome {
  return HTTP_RULES[meaning].turnedAway ? turnedAway(cause) : unknown(cause);
}

function unknown(cause: AnyChainError): BroadcastOutcome {
  return { kind: "unknown", cause };
}
