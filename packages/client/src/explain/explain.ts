import { failureOf, failureText, httpFailureIn, statusOfPhrase } from "@finality/tron/node-messages";
import { isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { explainJson } from "./answers.ts";
import { explainAnswerToBroadcast, explainBareAcceptance } from "./call-answers.ts";
import { readJsonText, textOf } from "./decode/json.ts";
import { hasTrace, isOfOtherService, textInQuotes, textInUrl, withoutEscapes } from "./decode/plain-text.ts";
import {
  clip,
  cutField,
  type Diagnosis,
  type Explainer,
  field,
  firstOf,
  NOTHING_TO_DO,
  plainDiagnosis,
  READ_DATA,
} from "./diagnosis.ts";
import { type ExplainContext, type Explanation, verdictOf } from "./explanation.ts";
import { fieldsOfJson } from "./fields.ts";
import { entryOf } from "./messages/catalogue.ts";
import { explainMessage, mentionsMessage } from "./messages/find-message.ts";
import { explainBody, explainFailure, explainHttpText, explainStatus, ofBroadcast } from "./messages/http-text.ts";
import { isForeignAnswer } from "./rpc-error.ts";
import { explainToken } from "./tokens.ts";
import { explainWithin, isOutermost, unlessCommon } from "./within-text.ts";

/**
 * Explains any pasted or hovered text: answers of a node, hex messages, revert data, codes, ids, addresses, HTTP
 * failures, or a log line that contains any of these. Pure and total: it never throws, does no I/O, and takes time
 * linear in the text. `raw` is the whole input.
 *
 * @example
 * explain('{"code":"SIGERROR","message":"736967206572726f72"}').retry.sameBytes; // "no"
 */
export function explain(input: string, context: ExplainContext = {}): Explanation {
  const inside = unwrap(withoutEscapes(input).trim(), context);
  // Only answers of a node or a gateway have a status or an endpoint.
  const isAnswer = context.status !== undefined || context.endpoint !== undefined;
  let trace: boolean | undefined;
  const isOfChain = () => (trace ??= isAnswer || context.isOfChain?.() === true || hasTrace(inside.text));
  const diagnosis = firstOf(kindsOfText, inside.text, { ...inside.context, isOfChain }) ?? unknown(inside.text);
  return { ...diagnosis, raw: input };
}

function unknown(text: string): Diagnosis {
  return plainDiagnosis(
    "UNKNOWN",
    {
      title: t`Not recognised`,
      cause: t`This is not a known message of the chain, a gateway or a contract.`,
      fix: t`Paste the whole answer or the whole log line.`,
    },
    { entry: "generic-unknown", retry: verdictOf("not-known"), decoded: field(t`text`, text.slice(0, 2000)) },
  );
}

/**
 * Kinds of a whole text, in the order in which they are tried. The last kind searches the text for any of the others.
 */
const kindsOfText: readonly Explainer<string>[] = [
  explainFailedStatus,
  explainNothing,
  explainBroadcastBody,
  explainJsonText,
  explainToken,
  explainPage,
  unlessCommon(explainMessage),
  explainStatusPhrase,
  explainWithin,
];

/** The status decides, together with text in the body that specifies it. */
function explainFailedStatus(text: string, context: ExplainContext): Diagnosis | undefined {
  const { status } = context;
  if (status === undefined || isSuccess(status)) return undefined;
  const failure = failureOf(status, text);
  const json = text.startsWith("{") ? readJsonText(text)?.json : undefined;
  const diagnosis = explainFailure(failure, text, isJsonObject(json) ? failureText(json) : text);
  return isBroadcast(context) ? ofBroadcast(diagnosis, failure.meaning) : diagnosis;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function explainNothing(text: string): Diagnosis | undefined {
  return text === "" ? explainBody("http-empty", "") : undefined;
}

function explainPage(text: string): Diagnosis | undefined {
  return /^<(?:!doctype|html)\b/i.test(text) ? explainHttpText(text) : undefined;
}

function explainStatusPhrase(text: string, { isOfChain }: ExplainContext): Diagnosis | undefined {
  if (isOfOtherService(text) && isOfChain?.() !== true) return undefined;
  const status = text.includes("\n") || mentionsMessage(text) ? undefined : statusOfPhrase(text);
  return status === undefined ? undefined : explainStatus(status, text);
}

/** Unwrapped text, with the information from its wrapper. */
interface Unwrapped {
  readonly text: string;
  readonly context: ExplainContext;
}

const MAX_LAYERS = 5;

/** Removes the quotes of a text, and the HTTP headers before the body of an answer. */
function unwrap(text: string, context: ExplainContext): Unwrapped {
  let inside: Unwrapped = { text, context };
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const next = withoutLayer(inside);
    if (next === undefined) break;
    inside = next;
  }
  return inside;
}

function withoutLayer({ text, context }: Unwrapped): Unwrapped | undefined {
  if (isBroadcast(context) || (context.status !== undefined && !isSuccess(context.status))) return undefined;
  const quoted = textInQuotes(text) ?? textInUrl(text);
  if (quoted !== undefined) return { text: quoted.trim(), context };
  const status = context.status === undefined ? /^HTTP\/[\d.]{1,4} (\d{3})\b/.exec(text)?.[1] : undefined;
  if (status === undefined) return undefined;
  const [, body = ""] = text.split(/\r?\n\r?\n/, 2);
  return { text: body.trim(), context: { ...context, status: Number(status) } };
}

/** In longer data, such as a program's translations, network words do not indicate a failure. */
const MAX_REPORT = 2000;

/** Explains a text that is JSON: an answer, otherwise its content, otherwise plain data. */
function explainJsonText(input: string, context: ExplainContext): Diagnosis | undefined {
  const text = input.replace(CLIENT_LINE, "");
  const read = readJsonText(text);
  if (read === undefined) return undefined;
  const { json, cut } = read;
  const found = explainJson(json, context);
  if (cut && (found === undefined || found.category === "none")) {
    return explainBeforeCut(text, context) ?? explainBody("http-truncated", text);
  }
  if (found !== undefined) {
    const explained = isOutermost(found) ? (explainWithin(text, context) ?? found) : found;
    return cut ? { ...explained, decoded: [...explained.decoded, ...cutField] } : explained;
  }
  if (isJsonObject(json) && Object.keys(json).length === 0) return nothingFound();
  const within = explainWithin(text, context);
  const isPhrase = within?.category === "http" && (text.length > MAX_REPORT || isForeignAnswer(json, context));
  const isExplained = within !== undefined && (within.category !== "none" || entryOf(within.entry).id === within.entry);
  return isExplained && !isPhrase ? within : dataOf(json);
}

/** Explains a failure in truncated JSON, such as the result of a transaction. */
function explainBeforeCut(text: string, context: ExplainContext): Diagnosis | undefined {
  const within = explainWithin(text, context);
  const isExplained = within !== undefined && within.category !== "none" && within.category !== "http";
  return isExplained ? { ...within, decoded: [...within.decoded, ...cutField] } : undefined;
}

/** Lines that a client prints below a truncated answer. */
const CLIENT_LINE = /\r?\n(?:curl: \(\d{1,3}\)|wget: )[^\n]{0,300}\s{0,8}$/;

/** Describes JSON without a known report as a tree of fields. */
function dataOf(json: Json): Diagnosis {
  const reported = isJsonObject(json) ? (explainBareAcceptance(json) ?? explainReport(json)) : undefined;
  if (reported !== undefined) return reported;
  const texts = {
    title: t`Data without a failure`,
    cause: t`Nothing in it says that something failed.`,
    fix: NOTHING_TO_DO,
  };
  return plainDiagnosis("JSON", texts, { decoded: fieldsOfJson(isJsonObject(json) ? json : { list: json }) });
}

/** Queries answer `{}` for unknown objects. */
function nothingFound(): Diagnosis {
  return plainDiagnosis(
    "EMPTY_OBJECT",
    {
      title: t`Nothing was found`,
      cause: t`The node has nothing with this ID. For a transaction, this does not prove that it was never included.`,
      fix: t`Try again later, or query the head instead of solidified data.`,
    },
    { entry: "nothing-found", sources: [READ_DATA] },
  );
}

/**
 * Explains the body of an answer to a broadcast as the gateway client reads it: a JSON object, or an unknown outcome.
 */
function explainBroadcastBody(text: string, context: ExplainContext): Diagnosis | undefined {
  if (!isBroadcast(context)) return undefined;
  const read = readJsonText(text);
  if (read?.isStrict === true && isJsonObject(read.json)) return explainAnswerToBroadcast(read.json, context);
  const failure = httpFailureIn(context.status ?? 200, text);
  if (failure !== undefined) return ofBroadcast(explainFailure(failure, text), failure.meaning);
  return explainBody(read?.cut === true ? "http-truncated" : "http-not-json", text);
}

/** Returns true if the text is known to be the answer to a broadcast. */
function isBroadcast({ endpoint }: ExplainContext): boolean {
  return endpoint?.includes("broadcast") === true;
}

/** Objects with more names than this are data with a message among others. */
const MAX_NAMES_OF_REPORT = 4;

/**
 * Explains JSON that reports a failure without a known entry: a text in a failure field, or a false result. Undefined
 * for other data.
 */
function explainReport(json: JsonObject): Diagnosis | undefined {
  const isShort = Object.keys(json).length <= MAX_NAMES_OF_REPORT;
  const code = textIn(json, ["code"]);
  const said =
    textIn(json, FAILURES) ??
    (isShort ? textIn(json, MESSAGES) : undefined) ??
    (code !== undefined && NAME_OF_FAILURE.test(code) ? code : undefined);
  const isRefusal = [json.result, json.success, json.Success, json.ok].includes(false);
  if (said === undefined && !isRefusal) return undefined;
  const texts = {
    title: t`An answer with an unknown message`,
    cause: said === undefined ? t`It gives no reason.` : t`It says: ${clip(said)}`,
    fix: t`Read it, and find its meaning in the documentation of its source.`,
  };
  return plainDiagnosis("UNKNOWN_ANSWER", texts, {
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
