import { failureInJson, statusOf } from "@finality/tron/node-messages";
import { isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { parseLoosely } from "../decode/loose-json.ts";
import type { ExplainContext } from "../result/explanation.ts";
import { type Finding, firstOf, type Recogniser } from "../words/finding.ts";
import { explainMessageWithin } from "../words/message-words.ts";
import { explainAddressAnswer } from "./address-answer.ts";
import { explainBlock } from "./block.ts";
import { explainBroadcastAnswer } from "./broadcast-answer.ts";
import { explainCallAnswer, explainCallResult } from "./call-answer.ts";
import { explainHttpObject, explainNodeError } from "./error-object.ts";
import { unlessForeign } from "./foreign-answer.ts";
import { explainRpcError, explainRpcReceipt } from "./rpc-error.ts";
import { explainTransaction } from "./transaction.ts";
import { explainTransactionInfo } from "./transaction-info.ts";
import { explainWholeTransaction } from "./whole-transaction.ts";

/** The kinds of answers, in the order in which they are asked for. */
const answers: readonly Recogniser<JsonObject>[] = [
  explainWholeTransaction,
  unlessForeign(explainNodeError),
  explainBlock,
  explainAddressAnswer,
  explainCallResult,
  unlessForeign(explainBroadcastAnswer),
  explainCallAnswer,
  explainTransactionInfo,
  explainTransaction,
  explainRpcError,
  explainRpcReceipt,
  explainUnanswered,
  unlessForeign(explainHttpObject),
];

/** Explains a tool's report of a missing answer, which it gives beside the transaction that it sent. */
function explainUnanswered(json: JsonObject, context: ExplainContext): Finding | undefined {
  // With a status it is a failure over HTTP, by the table that the gateway client goes by.
  if (statusOf(json) !== undefined && failureInJson(json) !== undefined) return undefined;
  const { error, message, msg } = json;
  const text = [error, message, msg].find((it) => typeof it === "string");
  const finding = text === undefined ? undefined : explainMessageWithin(text, context);
  return finding?.category === "http" ? finding : undefined;
}

const MAX_NODES = 2000;

/**
 * Explains a value of JSON, or the first failure among the values inside of it: what other programs print puts the
 * answer of the node into objects of their own.
 */
export function explainJson(json: Json, context: ExplainContext): Finding | undefined {
  let calm: Finding | undefined;
  const queue: Json[] = [json];
  for (let index = 0; index < queue.length && index < MAX_NODES; index++) {
    const value = queue[index];
    const finding = isJsonObject(value) ? firstOf(answers, value, context) : undefined;
    if (finding !== undefined && finding.category !== "none") return finding;
    calm ??= finding;
    if (finding === undefined) queue.push(...insides(value));
  }
  return calm;
}

function insides(value: Json | undefined): readonly Json[] {
  if (typeof value === "string") return insideText(value);
  if (Array.isArray(value)) return value.slice(0, MAX_NODES) as readonly Json[];
  return isJsonObject(value)
    ? Object.values(value)
        .slice(0, MAX_NODES)
        .flatMap((it) => it ?? [])
    : [];
}

/** JSON as a text inside of JSON, as loggers write it. */
function insideText(text: string): readonly Json[] {
  const start = text.indexOf("{");
  const read = start < 0 ? undefined : parseLoosely(text, start);
  return read === undefined ? [] : [read.value];
}
