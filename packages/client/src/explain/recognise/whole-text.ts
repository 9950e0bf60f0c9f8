import { failureOf, failureText, statusOfPhrase } from "@finality/tron/node-messages";
import { isJsonObject } from "@finality/tron/primitives";
import { readJsonText } from "../decode/json.ts";
import { textInQuotes, textInUrl } from "../decode/plain-forms.ts";
import { isOfOtherService } from "../decode/trace.ts";
import type { ExplainContext } from "../result/explanation.ts";
import type { Finding, Recogniser } from "../words/finding.ts";
import { explainBody, explainFailure, explainHttpText, explainStatus, ofBroadcast } from "../words/http-words.ts";
import { explainMessage, mentionsMessage } from "../words/message-words.ts";
import { unlessEveryday } from "./everyday-text.ts";
import { explainBroadcastBody, explainJsonText, isBroadcast } from "./json-text.ts";
import { explainToken } from "./token.ts";
import { explainWithin } from "./within-text.ts";

/**
 * Kinds of a whole text, in the order in which they are tried. The last kind searches the text for any of the others.
 */
export const kindsOfText: readonly Recogniser<string>[] = [
  explainFailedStatus,
  explainNothing,
  explainBroadcastBody,
  explainJsonText,
  explainToken,
  explainPage,
  unlessEveryday(explainMessage),
  explainStatusPhrase,
  explainWithin,
];

/** The status decides, and a text in the body that says more of the same. */
function explainFailedStatus(text: string, context: ExplainContext): Finding | undefined {
  const { status } = context;
  if (status === undefined || isSuccess(status)) return undefined;
  const failure = failureOf(status, text);
  const json = text.startsWith("{") ? readJsonText(text)?.json : undefined;
  const finding = explainFailure(failure, text, isJsonObject(json) ? failureText(json) : text);
  return isBroadcast(context) ? ofBroadcast(finding, failure.meaning) : finding;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function explainNothing(text: string): Finding | undefined {
  return text === "" ? explainBody("http-empty", "") : undefined;
}

function explainPage(text: string): Finding | undefined {
  return /^<(?:!doctype|html)\b/i.test(text) ? explainHttpText(text) : undefined;
}

function explainStatusPhrase(text: string, { isOfChain }: ExplainContext): Finding | undefined {
  if (isOfOtherService(text) && isOfChain?.() !== true) return undefined;
  const status = text.includes("\n") || mentionsMessage(text) ? undefined : statusOfPhrase(text);
  return status === undefined ? undefined : explainStatus(status, text);
}

/** A text without what it was put into, and what that tells. */
export interface Unwrapped {
  readonly text: string;
  readonly context: ExplainContext;
}

const MAX_LAYERS = 5;

/** Takes a text out of its quotes, and the body of an answer out of the head with which it goes over the wire. */
export function unwrap(text: string, context: ExplainContext): Unwrapped {
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
