import {
  type BroadcastMeaning,
  broadcastCodeOf,
  isBroadcastCode,
  readBroadcastAnswer,
} from "@finality/tron/node-messages";
import { isJsonObject, type JsonObject } from "@finality/tron/primitives";
import { broadcastCodeWords } from "../catalogue/broadcast-codes.ts";
import { textOf } from "../decode/json.ts";
import type { ExplainContext } from "../result/explanation.ts";
import { caseOfVerdict, verdictOf } from "../result/retry-verdict.ts";
import { clip, type Finding, field, plainFinding } from "../words/finding.ts";
import { ofBroadcast } from "../words/http-words.ts";
import { explainContradiction, explainNoSuccess, explainRefusal } from "../words/refusal-words.ts";
import { explainHttpObject, explainNodeError } from "./error-object.ts";

/** Explains JSON that has the form of an answer to a broadcast; undefined for other JSON. */
export function explainBroadcastAnswer(answer: JsonObject, context: ExplainContext): Finding | undefined {
  if (typeof answer.Error === "string" || isOtherAnswer(answer) || !looksLikeAnswer(answer)) return undefined;
  const meaning = readBroadcastAnswer(answer);
  return meaning.kind === "http" ? undefined : explainMeaning(meaning, answer, context);
}

/** Explains JSON of which it is known that it is the whole answer to a broadcast. */
export function explainAnswerToBroadcast(answer: JsonObject, context: ExplainContext): Finding {
  return explainMeaning(readBroadcastAnswer(answer), answer, context);
}

/** Explains `{"result": true}` alone, which a broadcast answers when it leaves the txID out. */
export function explainBareAcceptance(answer: JsonObject): Finding | undefined {
  const isBare = answer.result === true && hasOnlyAnswerNames(answer);
  return isBare && readBroadcastAnswer(answer).kind === "accepted" ? accepted() : undefined;
}

function explainMeaning(meaning: BroadcastMeaning, answer: JsonObject, context: ExplainContext): Finding {
  if (typeof answer.Error === "string") return explainFault(meaning, answer, answer.Error, context);
  const message = textOf(answer.message) ?? "";
  const finding = explainCode(meaning, message, context) ?? explainHttpObject(answer) ?? explainNoSuccess(message);
  const ofHttp = meaning.kind === "http" ? ofBroadcast(finding, meaning.failure.meaning) : finding;
  const txId = textOf(answer.txid) ?? textOf(answer.txID);
  return { ...ofHttp, decoded: [...field("txID", txId, "tx-id"), ...ofHttp.decoded] };
}

function explainCode(meaning: BroadcastMeaning, message: string, context: ExplainContext): Finding | undefined {
  switch (meaning.kind) {
    case "accepted":
      return accepted();
    case "no-success":
      return explainNoSuccess(message);
    case "contradiction":
      return explainContradiction(clip(meaning.code, MAX_CODE), message);
    case "already-known":
    case "rejected":
    case "unknown":
      return explainRefusal(clip(meaning.code, MAX_CODE), message, context);
    case "turned-away":
    case "http":
      return undefined;
  }
}

/** An `Error` body: the cause is that of any request, and what may follow is that of a broadcast. */
function explainFault(meaning: BroadcastMeaning, answer: JsonObject, text: string, context: ExplainContext): Finding {
  const finding = explainNodeError(answer) ?? explainNoSuccess(text);
  if (meaning.kind === "http") return ofBroadcast(finding, meaning.failure.meaning);
  if (meaning.kind === "unknown") return { ...finding, retry: verdictOf("unknown-outcome") };
  if (meaning.kind !== "rejected") return { ...finding, retry: verdictOf("broadcast-turned-away") };
  return { ...finding, retry: verdictOf(caseOfVerdict("not-pooled", meaning.code, meaning.message, context)) };
}

function accepted(): Finding {
  return plainFinding("SUCCESS", broadcastCodeWords.SUCCESS, { sources: ["gateway document, Broadcast response"] });
}

/** Returns whether JSON of unknown origin answers a broadcast, by its field names or its code. */
function looksLikeAnswer(answer: JsonObject): boolean {
  const code = broadcastCodeOf(answer);
  const hasTxId = textOf(answer.txid) !== undefined;
  if (code === undefined || code === "SUCCESS") {
    if (answer.result === true) return hasTxId || textOf(answer.txID) !== undefined;
    return (hasTxId || answer.result === false) && hasOnlyAnswerNames(answer);
  }
  return isBroadcastCode(code.toUpperCase()) || hasTxId || mayBeNewCode(answer, code);
}

const ANSWER_NAMES: ReadonlySet<string> = new Set(["txid", "result", "code", "message", "transaction", "visible"]);

function hasOnlyAnswerNames(answer: JsonObject): boolean {
  return Object.keys(answer).every((name) => ANSWER_NAMES.has(name));
}

/** Returns whether JSON answers a query or a simulation, whose code is no broadcast code. */
function isOtherAnswer(answer: JsonObject): boolean {
  return isJsonObject(answer.result) || OTHER_NAMES.some((name) => name in answer);
}

const OTHER_NAMES = ["receipt", "blockNumber", "blockTimeStamp", "constant_result", "energy_required"];

/** Programs of all kinds put codes of their own into `code`: one that no document names has to look like the node's. */
function mayBeNewCode(answer: JsonObject, code: string): boolean {
  return (
    textOf(answer.message) !== undefined &&
    hasOnlyAnswerNames(answer) &&
    (answer.result ?? false) === false &&
    /^(?!ERR_)[A-Z]{2,}(?:_[A-Z0-9]+)+$/.test(code.slice(0, MAX_CODE))
  );
}

/** Maximum length of a code. Codes are short; a longer one is arbitrary text. */
const MAX_CODE = 80;
