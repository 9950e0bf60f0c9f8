import { BROADCAST_CODES, isBroadcastCode } from "../../node-messages/result-codes.ts";
import type { JsonObject } from "../../primitives/json.ts";
import { broadcastCodeWords } from "../catalogue/broadcast-codes.ts";
import { textOf } from "../decode/json.ts";
import type { ExplainContext } from "../result/explanation.ts";
import { clip, type Finding, field, plainFinding } from "../words/finding.ts";
import { explainRefusal, explainSilence } from "../words/refusal-words.ts";

/** Explains the answer to a broadcast, or to a look at the signatures of a transaction. */
export function explainBroadcastAnswer(answer: JsonObject, context: ExplainContext): Finding | undefined {
  const txId = textOf(answer.txid) ?? textOf(answer.txID);
  const code = codeOf(answer);
  if (code === undefined || code === "SUCCESS") {
    if (answer.result === true && txId !== undefined) return accepted(txId, code);
    const isAnswer = textOf(answer.txid) !== undefined || answer.result === false;
    return isAnswer && hasNothingElse(answer) ? explainSilence(textOf(answer.txid), textOf(answer.message)) : undefined;
  }
  if (!isBroadcastCode(code) && !mayBeNewCode(answer, code)) return undefined;
  const refusal = explainRefusal(clip(code, MAX_CODE), textOf(answer.message) ?? "", context);
  return { ...refusal, decoded: [...field("txID", txId, "tx-id"), ...refusal.decoded] };
}

/** The code by its name: other interfaces of the node give the number of the protocol. */
function codeOf({ code, txid, result }: JsonObject): string | undefined {
  if (typeof code === "string") return code === "" ? undefined : code;
  if (typeof code !== "number" || (textOf(txid) === undefined && typeof result !== "boolean")) return undefined;
  return Object.entries(BROADCAST_CODES).find(([, number]) => number === code)?.[0] ?? String(code);
}

const ANSWER_NAMES: ReadonlySet<string> = new Set(["txid", "result", "code", "message", "transaction", "visible"]);

function hasNothingElse({ result, ...answer }: JsonObject): boolean {
  return Object.keys(answer).every((name) => ANSWER_NAMES.has(name)) && (result ?? false) === false;
}

/**
 * Programs of all kinds put codes of their own into `code`: one that no document names has to come with what a node
 * sends.
 */
function mayBeNewCode(answer: JsonObject, code: string): boolean {
  if (textOf(answer.txid) !== undefined) return true;
  return (
    textOf(answer.message) !== undefined &&
    hasNothingElse(answer) &&
    /^(?!ERR_)[A-Z]{2,}(?:_[A-Z0-9]+)+$/.test(code.slice(0, MAX_CODE))
  );
}

function accepted(txId: string, code: string | undefined): Finding {
  return plainFinding("SUCCESS", broadcastCodeWords.SUCCESS, {
    decoded: [...field("txID", txId, "tx-id"), ...field("code", code)],
    sources: ["gateway document, Broadcast response"],
  });
}

/** Codes are short; a longer one is a text that somebody put there. */
const MAX_CODE = 80;
