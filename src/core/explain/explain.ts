import { isHexPairs } from "../primitives/bytes.ts";
import { isJsonObject, type Json, parseJson } from "../primitives/json.ts";
import { explainAddressText } from "./address-text.ts";
import { explainBareWord } from "./bare-word.ts";
import { explainSilence } from "./broadcast-answer.ts";
import { cutField, type Finding, field, plainFinding } from "./finding.ts";
import { explainHex, explainNoData, explainOddHex } from "./hex-finding.ts";
import { explainBody, explainHttpText, explainStatus, statusOfPhrase } from "./http-failure.ts";
import { fieldsOfJson } from "./json-fields.ts";
import { explainJson } from "./json-finding.ts";
import { explainLine } from "./log-line.ts";
import { parseLoosely } from "./loose-json.ts";
import { explainMessage } from "./message-finding.ts";
import { textInQuotes, withoutEscapes } from "./plain-forms.ts";
import { explainReport } from "./report-finding.ts";
import type { ExplainContext, Explanation } from "./result/explanation.ts";
import { isVerdictOf, verdictOf } from "./result/retry-verdict.ts";

/**
 * Explains whatever can be pasted or hovered: answers of a node, messages in hex, revert data, codes, ids, addresses, failures of
 * HTTP, or a line of a log with any of these inside. Pure and total: it never throws, does no I/O, and takes time linear in the
 * text. `raw` is the whole input.
 *
 * @example
 * explain('{"code":"SIGERROR","message":"736967206572726f72"}').retry.sameBytes; // "no"
 */
export function explain(input: string, context: ExplainContext = {}): Explanation {
  return { ...find(withoutEscapes(input).trim(), context), raw: input };
}

const MAX_QUOTES = 4;

function find(text: string, context: ExplainContext, level = 0): Finding {
  if (context.status !== undefined && (context.status < 200 || context.status > 299)) return ofStatus(text, context);
  if (text === "") return explainBody("http-empty", "");
  const read = readJson(text);
  if (read !== undefined) return ofJson(read, text, context);
  const inside = level < MAX_QUOTES ? textInQuotes(text) : undefined;
  if (inside !== undefined) return find(inside.trim(), context, level + 1);
  return explainToken(text, context) ?? ofText(text, context) ?? unknown(text);
}

/** The status decides, unless the node itself says why in the body. */
function ofStatus(text: string, context: ExplainContext): Finding {
  const status = context.status ?? 0;
  const inside = text.startsWith("{") ? explainJson(readJson(text)?.json ?? null, context) : undefined;
  const isTelling = inside?.category === "http" && !inside.entry.startsWith("http-") && status < 500;
  if (isTelling) return { ...inside, code: `HTTP_${status}` };
  const finding = explainStatus(status, text);
  const isOfBroadcast = isBroadcast(context) && isVerdictOf(finding.retry, "turned-away");
  return isOfBroadcast ? { ...finding, retry: verdictOf("broadcast-turned-away") } : finding;
}

function isBroadcast({ endpoint }: ExplainContext): boolean {
  return endpoint?.includes("broadcast") === true;
}

interface ReadJson {
  readonly json: Json;
  readonly cut: boolean;
}

function readJson(text: string): ReadJson | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    if (!HUGE_NUMBER.test(text)) return { json: parseJson(text), cut: false };
  } catch {
    // The loose reader takes what is not quite JSON.
  }
  const loose = parseLoosely(text);
  const whole = loose !== undefined && loose.end >= text.length;
  return whole ? { json: loose.value, cut: loose.cut } : undefined;
}

/** Making a bigint of very many digits takes time that grows with their square. */
const HUGE_NUMBER = /\d{100}/;

function ofJson({ json, cut }: ReadJson, text: string, context: ExplainContext): Finding {
  const found = explainJson(json, context);
  if (found !== undefined) return cut ? { ...found, decoded: [...found.decoded, ...cutField] } : found;
  if (cut) return explainBody("http-truncated", text);
  if (isJsonObject(json) && Object.keys(json).length === 0) return nothingFound(context);
  const within = explainLine(text, context);
  const isPhrase = within?.category === "http" && text.length > MAX_REPORT;
  return within !== undefined && within.category !== "none" && !isPhrase ? within : dataOf(json);
}

/** In longer data, such as the translations of a program, the words of networks tell of no failure. */
const MAX_REPORT = 2000;

/** JSON that reports nothing, or nothing that is known: a tree to read. */
function dataOf(json: Json): Finding {
  const reported = isJsonObject(json) ? explainReport(json) : undefined;
  if (reported !== undefined) return reported;
  const words = {
    title: "Data without a failure",
    cause: "Nothing in it says that something failed.",
    fix: "Nothing has to be done.",
  };
  return plainFinding("JSON", words, { decoded: fieldsOfJson(isJsonObject(json) ? json : { list: json }) });
}

/** `{}` is what every look-up answers for what it does not know. */
function nothingFound(context: ExplainContext): Finding {
  if (isBroadcast(context)) return explainSilence({});
  return plainFinding(
    "EMPTY_OBJECT",
    {
      title: "Nothing was found",
      cause:
        "The node knows nothing by this id here. For a transaction that does not prove that it was never included.",
      fix: "Ask again later, or the view of the head instead of the solidified one.",
    },
    { entry: "nothing-found", sources: ["gateway document, Endpoints"] },
  );
}

const MAX_WORD = 80;
/** Pairs were asked for before. Digits alone are a number. */
const ODD_HEX = /^(?:0x|(?=[0-9]*[a-f]))[0-9a-f]{9,}$/i;

/** One word: a code, an address, or hex of any length. */
function explainToken(text: string, context: ExplainContext): Finding | undefined {
  const word = text.replace(/^["'`]|["'`,;]{1,3}$/g, "");
  const digits = word.replace(/^0x/i, "");
  if (isHexPairs(digits)) return explainHex(digits, context);
  if (/^0x$/i.test(word)) return explainNoData();
  if (ODD_HEX.test(word)) return explainOddHex(digits, context);
  if (word.length > MAX_WORD) return undefined;
  return explainBareWord(word, context) ?? explainAddressText(word);
}

function ofText(text: string, context: ExplainContext): Finding | undefined {
  const head = /^HTTP\/[\d.]{1,4} (\d{3})\b/.exec(text)?.[1];
  if (head !== undefined && context.status === undefined)
    return ofHttpAnswer(text, { ...context, status: Number(head) });
  if (/^<(?:!doctype|html)\b/i.test(text)) return explainHttpText(text);
  const status = statusOfPhrase(text);
  if (status !== undefined) return explainStatus(status, text);
  return explainMessage(text, context) ?? explainLine(text, context);
}

/** A whole answer as it goes over the wire: status line, headers, a blank line, the body. */
function ofHttpAnswer(text: string, context: ExplainContext): Finding {
  const [, body = ""] = text.split(/\r?\n\r?\n/, 2);
  return find(body.trim(), context);
}

function unknown(text: string): Finding {
  return plainFinding(
    "UNKNOWN",
    {
      title: "Not recognised",
      cause: "This is nothing that the chain, a gateway or a contract is known to say.",
      fix: "Paste the whole answer, or the whole line of the log.",
    },
    {
      ...{ entry: "generic-unknown", retry: verdictOf("not-known") },
      decoded: field("text", text.slice(0, 2000)),
    },
  );
}
