import { httpFailureIn } from "@finality/tron/node-messages";
import { isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { explainJson } from "../answers/answers.ts";
import { explainAnswerToBroadcast, explainBareAcceptance } from "../answers/broadcast-answer.ts";
import { isForeignAnswer } from "../answers/foreign-answer.ts";
import { entryOf } from "../catalogue/catalogue.ts";
import { readJsonText, textOf } from "../decode/json.ts";
import type { ExplainContext } from "../result/explanation.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { fieldsOfJson } from "../words/fields.ts";
import { clip, cutField, type Finding, NOTHING_TO_DO, plainFinding, READINGS } from "../words/finding.ts";
import { explainBody, explainFailure, ofBroadcast } from "../words/http-words.ts";
import { explainWithin, isOutermost } from "./within-text.ts";

/** In longer data, such as the translations of a program, the words of networks tell of no failure. */
const MAX_REPORT = 2000;

/** Explains a text that is JSON: an answer, or else what stands in it, or else the data that it is. */
export function explainJsonText(input: string, context: ExplainContext): Finding | undefined {
  const text = input.replace(CLIENT_LINE, "");
  const read = readJsonText(text);
  if (read === undefined) return undefined;
  const { json, cut } = read;
  const found = explainJson(json, context);
  if (cut && (found === undefined || found.category === "none")) {
    return explainBeforeCut(text, context) ?? explainBody("http-truncated", text);
  }
  if (found !== undefined) {
    const told = isOutermost(found) ? (explainWithin(text, context) ?? found) : found;
    return cut ? { ...told, decoded: [...told.decoded, ...cutField] } : told;
  }
  if (isJsonObject(json) && Object.keys(json).length === 0) return nothingFound();
  const within = explainWithin(text, context);
  const isPhrase = within?.category === "http" && (text.length > MAX_REPORT || isForeignAnswer(json, context));
  const tells = within !== undefined && (within.category !== "none" || entryOf(within.entry).id === within.entry);
  return tells && !isPhrase ? within : dataOf(json);
}

/** Explains a failure that stands in JSON before it is cut off, such as the result of a transaction. */
function explainBeforeCut(text: string, context: ExplainContext): Finding | undefined {
  const within = explainWithin(text, context);
  const isTold = within !== undefined && within.category !== "none" && within.category !== "http";
  return isTold ? { ...within, decoded: [...within.decoded, ...cutField] } : undefined;
}

/** Lines that a client prints below an answer that was cut off. */
const CLIENT_LINE = /\r?\n(?:curl: \(\d{1,3}\)|wget: )[^\n]{0,300}\s{0,8}$/;

/** JSON that reports nothing, or nothing that is known: a tree to read. */
function dataOf(json: Json): Finding {
  const reported = isJsonObject(json) ? (explainBareAcceptance(json) ?? explainReport(json)) : undefined;
  if (reported !== undefined) return reported;
  const words = {
    title: t`Data without a failure`,
    cause: t`Nothing in it says that something failed.`,
    fix: NOTHING_TO_DO,
  };
  return plainFinding("JSON", words, { decoded: fieldsOfJson(isJsonObject(json) ? json : { list: json }) });
}

/** `{}` is what every look-up answers for what it does not know. */
function nothingFound(): Finding {
  return plainFinding(
    "EMPTY_OBJECT",
    {
      title: t`Nothing was found`,
      cause: t`The node knows nothing by this id here. For a transaction that does not prove that it was never included.`,
      fix: t`Ask again later, or the view of the head instead of the solidified one.`,
    },
    { entry: "nothing-found", sources: [READINGS] },
  );
}

/**
 * Explains the body of an answer to a broadcast as the gateway client reads it: an object of JSON, or an unknown
 * outcome.
 */
export function explainBroadcastBody(text: string, context: ExplainContext): Finding | undefined {
  if (!isBroadcast(context)) return undefined;
  const read = readJsonText(text);
  if (read?.isStrict === true && isJsonObject(read.json)) return explainAnswerToBroadcast(read.json, context);
  const failure = httpFailureIn(context.status ?? 200, text);
  if (failure !== undefined) return ofBroadcast(explainFailure(failure, text), failure.meaning);
  return explainBody(read?.cut === true ? "http-truncated" : "http-not-json", text);
}

/** Returns true if the text is known to be the answer to a broadcast. */
export function isBroadcast({ endpoint }: ExplainContext): boolean {
  return endpoint?.includes("broadcast") === true;
}

/** An object with more names than this is data that has a message among others. */
const MAX_NAMES_OF_REPORT = 4;

/**
 * Explains JSON that reports something which no entry knows: a text where failures stand, or a result that is false.
 * Undefined for data that report nothing.
 */
function explainReport(json: JsonObject): Finding | undefined {
  const isShort = Object.keys(json).length <= MAX_NAMES_OF_REPORT;
  const code = textIn(json, ["code"]);
  const said =
    textIn(json, FAILURES) ??
    (isShort ? textIn(json, MESSAGES) : undefined) ??
    (code !== undefined && NAME_OF_FAILURE.test(code) ? code : undefined);
  const isRefusal = [json.result, json.success, json.Success, json.ok].includes(false);
  if (said === undefined && !isRefusal) return undefined;
  const words = {
    title: t`An answer that reports something which no entry knows`,
    cause: said === undefined ? t`It says no, and not why.` : t`It says: ${clip(said)}`,
    fix: t`Read it, and look up at its source what it means.`,
  };
  return plainFinding("UNKNOWN_ANSWER", words, {
    entry: "generic-report",
    retry: verdictOf("not-known"),
    decoded: fieldsOfJson(json),
  });
}

const FAILURES = ["Error", "error", "error_message", "errorMessage", "errors"];
const MESSAGES = ["message", "msg", "reason", "detail"];
const NAME_OF_FAILURE = /ERR|NOT_|FAIL|EXCEPTION|^E[A-Z]{4,16}$/;

function textIn(json: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => textOf(json[name])).find((text) => text !== undefined && text.trim() !== "");
}
