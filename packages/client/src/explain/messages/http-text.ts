import {
  failureOf,
  HTTP_RULES,
  type HttpFailure,
  type HttpMeaning,
  type HttpRule,
  statusOfReason,
} from "@finality/tron/node-messages";
import { t } from "@vscode/l10n";
import { hasTrace } from "../decode/plain-text.ts";
import { clip, type Details, type Diagnosis, diagnosisOf, field } from "../diagnosis.ts";
import { isVerdictOf, type RetryCase, verdictOf } from "../explanation.ts";
import { entryOf } from "./catalogue.ts";
import { MESSAGE, matchNodeText } from "./message-text.ts";
import { type NetworkPhrase, PHRASES, RPC_STATUS, STATUS, symptomOfCode, symptomOfRpc } from "./network-messages.ts";
import { withoutLogPrefix } from "./template.ts";

/** Explains an error status. Shows the body; only a limit and a firewall in it change the explanation. */
export function explainStatus(status: number, body = ""): Diagnosis {
  return explainFailure(failureOf(status, body), body);
}

/**
 * Explains an HTTP failure, according to the table of the gateway client.
 *
 * @param body - For display.
 * @param message - Reason in the body.
 */
export function explainFailure({ meaning, status }: HttpFailure, body: string, message = body): Diagnosis {
  const code = `HTTP_${status}`;
  const { entry, retry } = HTTP_RULES[meaning];
  const found = matchNodeText(message);
  if (found?.entry.category === "http" && found.entry.retry === MORE_SPECIFIC[retry]) {
    return diagnosisOf(found.entry, found.captures, { code, decoded: field(MESSAGE, message) });
  }
  const decoded = [...field(t`status`, status, "number"), ...field(t`body`, clip(body, 2000))];
  const diagnosis = ofSymptom(entry, { code, status: String(status), decoded });
  const isSpecific = entry === "http-4xx" && message.length <= MAX_REASON && /^[^<{\n]{8,}$/.test(message);
  return isSpecific ? { ...diagnosis, cause: t`${diagnosis.cause} The gateway says: ${clip(message)}` } : diagnosis;
}

const MAX_REASON = 200;

/** Returns whether a diagnosis about the text of a failure is more specific and does not differ otherwise. */
export function isMoreSpecific({ meaning }: HttpFailure, { category, retry }: Diagnosis): boolean {
  return category === "http" && isVerdictOf(retry, MORE_SPECIFIC[HTTP_RULES[meaning].retry]);
}

/** Required retry rule of an entry whose text is more specific than the status. */
const MORE_SPECIFIC: { readonly [R in HttpRule["retry"]]: RetryCase } = {
  "rate-limited": "request-later",
  final: "request-elsewhere",
  server: "unknown-outcome",
};

/** Returns the same diagnosis for a broadcast, with the retry verdict of the tracker after such a failure. */
export function ofBroadcast(diagnosis: Diagnosis, meaning: HttpMeaning): Diagnosis {
  return { ...diagnosis, retry: verdictOf(AFTER_BROADCAST[HTTP_RULES[meaning].retry]) };
}

const AFTER_BROADCAST = {
  final: "broadcast-turned-away",
  "rate-limited": "request-later",
  server: "unknown-outcome",
} as const;

/** Explains a network stack's name of a failure, such as ECONNREFUSED; undefined for other words. */
export function explainNetworkCode(code: string, message = ""): Diagnosis | undefined {
  const symptom = Object.hasOwn(symptomOfCode, code) ? symptomOfCode[code] : undefined;
  if (symptom === undefined) return undefined;
  return ofSymptom(symptom, { code, status: code, decoded: field(MESSAGE, message) });
}

/** Explains an answer without a body, with a body that is not JSON, or with a truncated one. */
export function explainBody(symptom: "http-empty" | "http-not-json" | "http-truncated", body: string): Diagnosis {
  const code = { "http-empty": "EMPTY_ANSWER", "http-not-json": "NOT_JSON", "http-truncated": "TRUNCATED_JSON" }[
    symptom
  ];
  return ofSymptom(symptom, { code, status: "200", decoded: field(t`body`, clip(body, 2000)) });
}

/** Explains an HTTP failure in a text: headers of an answer, an error page, or the output of a client. */
export function explainHttpText(text: string): Diagnosis | undefined {
  const failure = readHttpFailure(text);
  return failure && explainHttpFailure(failure, text);
}

function explainHttpFailure(failure: TextFailure, text: string): Diagnosis | undefined {
  switch (failure.kind) {
    case "status":
      return explainStatus(failure.status, text);
    case "network-code":
      return explainNetworkCode(failure.code, clip(text));
    case "phrase":
      return ofPhrase(failure.symptom, failure.code, text);
    case "page":
      return explainBody("http-not-json", text);
  }
}

function ofPhrase(symptom: string, code: string, text: string): Diagnosis {
  return ofSymptom(symptom, { code, status: code.replace("HTTP_", ""), decoded: field(MESSAGE, clip(text)) });
}

function ofSymptom(id: string, { status, ...details }: Details & { code: string; status: string }): Diagnosis {
  return diagnosisOf(entryOf(id), { status, limit: t`the configured` }, details);
}

/** Failed exchange, as reported by a text. */
export type TextFailure =
  | { readonly kind: "status"; readonly status: number }
  /** Name in the network stack. */
  | { readonly kind: "network-code"; readonly code: string }
  | { readonly kind: "phrase"; readonly symptom: string; readonly code: string }
  /** Error page in place of an answer. */
  | { readonly kind: "page" };

/**
 * Parses an HTTP failure in a text: headers of an answer, an error page, or the output of a client. The deepest failure
 * is the cause, because programs wrap it in text of their own.
 */
export function readHttpFailure(text: string): TextFailure | undefined {
  const start = text.slice(0, MAX_TEXT);
  if (PREFLIGHT.test(start)) return { kind: "phrase", symptom: "http-cors-preflight", code: "CORS" };
  const status = statusIn(start);
  if (status !== undefined && status >= 400) return { kind: "status", status };
  const code = NETWORK_CODE.exec(start)?.[0];
  if (code !== undefined) return { kind: "network-code", code };
  const row = phraseIn(start);
  const named = row === undefined || isOutermost(row) ? (rpcStatusIn(start) ?? row) : row;
  if (named !== undefined) return { kind: "phrase", symptom: named[0], code: named[1] };
  return PAGE.test(start) ? { kind: "page" } : undefined;
}

const MAX_TEXT = 32_768;
/** Messages of browsers when a server refuses a CORS preflight. */
const PREFLIGHT =
  /\bresponse to preflight request doesn't pass|\bin preflight response\b|\bCORS preflight (?:response|channel)\b|\bpreflight response is not successful|\bnot allowed for a preflight request/i;
const NETWORK_CODE = new RegExp(`\\b(?:${Object.keys(symptomOfCode).join("|")})\\b`);
const PAGE = /^\s{0,20}<(?:!doctype|html|head)\b|\bThe page you are looking for is temporarily unavailable\b/i;

function phraseIn(text: string): NetworkPhrase | undefined {
  const lower = text.toLowerCase();
  for (const row of PHRASES) {
    const said = row[2].exec(lower)?.[0];
    if (said !== undefined && (isMostOf(text, said) || speaksOfNetwork(text))) return row;
  }
  return undefined;
}

/** A short text means what it says, whatever label or note precedes or follows it. */
function isMostOf(text: string, said: string): boolean {
  if (said.length >= text.length * SHARE) return true;
  const [line, ...others] = text
    .slice(0, MAX_REPORT)
    .split("\n")
    .filter((one) => one.trim() !== "" && !OF_STACK.test(one));
  if (line === undefined || others.length > 0) return false;
  const message = withoutLogPrefix(line.trim()).replace(NOTE_AT_END, "");
  return message.toLowerCase().includes(said) && said.length >= message.length * SHARE;
}

const SHARE = 0.3;
const MAX_REPORT = 8_000;
const OF_STACK = /^\s{1,40}at \S|^\(Use `node /;
const NOTE_AT_END = /\s\([^()\n]{0,300}\)?\.?$/;
const OF_NETWORK =
  /\bUNAVAILABLE: io exception|\bgRPC message\b|\bprotocol\.Wallet|\bHardhatError\b|\bJsonRpcProvider\b|https?:\/\/|\bhttp|fetch|\brequests?\b|axios|curl|aborted due to timeout|\bwget\b|\be?rpc\b|grpc|urllib|aiohttp|faraday|reqwest|okhttp|java\.net|javax\.net|net::|System\.Net|socket|domexception|detect network|ssl routines|tls handshake|jsonexception|http2|connect to node|GnuTLS|\bERR_[A-Z_]{4}|undici|deno_web|\bbytes received|awaiting headers|upstream|\bresponse\b|\banswer\b|<!doctype|first certificate|self-?signed|certificate (?:has expired|verify)|\bclientcall\b|\bcalloptions\b|deadline exceeded after \d|:\d{2,5}\b[^\n]{0,60}\b(?:refused|reset)|:(?:5005[12]|50061|809[01]|854[56]|18888)\b|\bDeploying Migrations\b|\bRunning migration: \d/i;

/** Returns true if a text mentions requests: databases, locks and shells time out and refuse as well. */
function speaksOfNetwork(text: string): boolean {
  return OF_NETWORK.test(text) || hasTrace(text);
}

/** Words that only report a failed connection: the gRPC status is more specific. */
function isOutermost([symptom, code]: NetworkPhrase): boolean {
  return symptom === "http-unreachable" && code !== "UNAVAILABLE";
}

function rpcStatusIn(text: string): readonly [symptom: string, code: string] | undefined {
  for (const pattern of RPC_STATUS) {
    const name = pattern
      .exec(text)?.[1]
      ?.replace(/([a-z])([A-Z])/g, "$1_$2")
      .toUpperCase();
    if (name !== undefined && Object.hasOwn(symptomOfRpc, name)) return symptomOfRpc[name];
  }
  return undefined;
}

/** Returns the HTTP status in a text, 100 to 599, or by the phrase at the end of a line. */
function statusIn(text: string): number | undefined {
  for (const pattern of STATUS) {
    const digits = pattern.exec(text)?.[1];
    if (digits !== undefined) return Number(digits);
  }
  const prose = hasTrace(text)
    ? (STATUS_IN_PROSE.exec(text)
        ?.slice(1)
        .find((it) => it !== undefined) ?? "")
    : "";
  if (prose !== "") return statusOfReason[prose.toLowerCase()] ?? Number(prose);
  const reason = REASON_AT_END.exec(text)?.[1]?.toLowerCase();
  return reason !== undefined && speaksOfNetwork(text) ? statusOfReason[reason] : undefined;
}

/** HTTP status in prose: `gives error 502`, `a 404 http error`, `the error bad gateway`. */
const STATUS_IN_PROSE =
  /\b[Ee]rror(?: code)? (40[01345]|413|429|50[0-4]|52[0-6])\b(?! ?[\w%])|(?<![\d.,:-])\b(40[01345]|413|429|50[0-4]|52[0-6]) (?:http |HTTP )?[Ee]rrors?\b|\b(?:error|gives?|gets?|got|returns?|returned|an?) (?:an? |the )?["'`]?(bad gateway|gateway time-?out|service unavailable|internal server error)\b/;

/** Phrases that only servers use: clients, for example, say `Request timeout` about themselves. */
const REASON_AT_END =
  /\b(?:failed|[Ss]erver error): (Bad Request|Unauthorized|Forbidden|Not Found|Method Not Allowed|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Timeout)\s*$/im;
