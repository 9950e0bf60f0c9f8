import type { JsonObject } from "../primitives/json.ts";
import { isJsonObject } from "../primitives/json.ts";
import { entryOf } from "./catalogue/catalogue.ts";
import { symptomOfCode, symptomOfStatus } from "./catalogue/http-symptoms.ts";
import { clip, type Details, type Finding, field, findingOf } from "./finding.ts";
import { textOf } from "./json-fields.ts";
import type { DecodedField } from "./result/explanation.ts";

/** Explains a status that is no success. A body is shown, never trusted. */
export function explainStatus(status: number, body = ""): Finding {
  const decoded: readonly DecodedField[] = [...field("status", status, "number"), ...field("body", clip(body, 2000))];
  return ofSymptom(symptomOfStatus(status), { code: `HTTP_${status}`, status: String(status), decoded });
}

/** Explains the name that a network stack gives to a failure, such as ECONNREFUSED; undefined for other words. */
export function explainNetworkCode(code: string, message = ""): Finding | undefined {
  const symptom = Object.hasOwn(symptomOfCode, code) ? symptomOfCode[code] : undefined;
  if (symptom === undefined) return undefined;
  return ofSymptom(symptom, { code, status: code, decoded: field("message", message) });
}

/** Explains an answer without a body, with one that is no JSON, or with one that is cut off. */
export function explainBody(symptom: "http-empty" | "http-not-json" | "http-truncated", body: string): Finding {
  const code = { "http-empty": "EMPTY_ANSWER", "http-not-json": "NOT_JSON", "http-truncated": "TRUNCATED_JSON" }[
    symptom
  ];
  return ofSymptom(symptom, { code, status: "200", decoded: field("body", clip(body, 2000)) });
}

/** Explains the page of the node's server as JSON, and what HTTP clients print of an answer. */
export function explainHttpObject(json: JsonObject): Finding | undefined {
  const text = textOf(json.message) ?? textOf(json.error) ?? textOf(json.statusText) ?? "";
  const status = statusOf(json);
  if (status === undefined && typeof json.code === "string") {
    const finding = explainNetworkCode(json.code, textOf(json.message));
    if (finding !== undefined && !hasAnswer(json)) return finding;
  }
  const told = status ?? statusOfPhrase(text);
  return told === undefined ? undefined : explainStatus(told, text);
}

/** The status of a failure that an object names, 400 to 599. */
export function statusOf({ status, statusCode, StatusCode, code }: JsonObject): number | undefined {
  const given = [status, statusCode, StatusCode, code].map(Number);
  return given.find((number) => Number.isInteger(number) && number >= 400 && number <= 599);
}

/** The status whose phrase a whole text is, as gateways and proxies write it instead of the number. */
export function statusOfPhrase(text: string): number | undefined {
  const phrase = text
    .slice(0, 300)
    .trim()
    .toLowerCase()
    .replace(/[.!]$/, "")
    .replace(/^[45]\d\d /, "");
  if (RATE_LIMIT.test(phrase)) return 429;
  if (TOKEN_REFUSED.test(phrase)) return 401;
  return Object.hasOwn(statusOfReason, phrase) ? statusOfReason[phrase] : undefined;
}

const RATE_LIMIT = /\brate[ -]?limit|^too many requests|\bcompute units\b|\brequest (?:rate|count)\b.{0,40}\bexceed/;
const TOKEN_REFUSED = /^no (?:mandatory '\w{1,20}' in|credentials found)|\b(?:jwt|token) (?:is |has )?expired$/;
const statusOfReason: { readonly [phrase: string]: number } = {
  ...{ "bad request": 400, unauthorized: 401, "no authorization": 401, forbidden: 403, "access denied": 403 },
  ...{ "not found": 404, "page not found": 404, "method not allowed": 405, "request timeout": 408 },
  ...{ "payload too large": 413, "request entity too large": 413, "internal server error": 500, "bad gateway": 502 },
  ...{ "service unavailable": 503, "service temporarily unavailable": 503, "no healthy upstream": 503 },
  ...{ "an invalid response was received from the upstream server": 502, "the upstream server is timing out": 504 },
  ...{ "failure to get a peer from the ring-balancer": 503, "limit exceeded": 429 },
  ...{ "gateway timeout": 504, "gateway time-out": 504, "endpoint request timed out": 504 },
};

/** The answer of a node inside says more than the status around it. */
function hasAnswer(json: JsonObject): boolean {
  return isJsonObject(json.response) || isJsonObject(json.data);
}

/** Explains an HTTP failure in a text: a head of an answer, an error page, or what a client printed. */
export function explainHttpText(text: string): Finding | undefined {
  const start = text.slice(0, MAX_TEXT);
  const status = statusIn(start);
  if (status !== undefined && status >= 400) return explainStatus(status, text);
  const code = NETWORK_CODE.exec(start)?.[0];
  const named = code === undefined ? undefined : explainNetworkCode(code, clip(text));
  return named ?? explainPhrase(start, text);
}

/** The status that a text names as one, 100 to 599. */
function statusIn(text: string): number | undefined {
  for (const pattern of STATUS) {
    const digits = pattern.exec(text)?.[1];
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
}

function explainPhrase(start: string, text: string): Finding | undefined {
  const lower = start.toLowerCase();
  const found = PHRASES.find(([phrase]) => lower.includes(phrase));
  if (found !== undefined)
    return ofSymptom(found[1], {
      code: found[2],
      status: found[2].replace("HTTP_", ""),
      decoded: field("message", clip(text)),
    });
  return /^\s{0,20}<(?:!doctype|html|head)\b/i.test(start) ? explainBody("http-not-json", text) : undefined;
}

function ofSymptom(id: string, { status, ...details }: Details & { code: string; status: string }): Finding {
  return findingOf(entryOf(id), { status, limit: "the configured" }, details);
}

const MAX_TEXT = 8192;
const STATUS = [
  /^HTTP\/[\d.]{1,4} (\d{3})\b/,
  /<title>\s{0,5}(?:Error )?([1-5]\d\d)\b/i,
  /<title>[^<]{0,120}\b([45]\d\d): /i,
  /\bHTTP ERROR ([45]\d\d)\b/i,
  /\bstatus(?: ?code)?\s{0,3}[:=]?\s{0,3}"?([45]\d\d)\b/i,
  /\bHTTP(?:\/[\d.]{1,4})?[ _:]{1,2}([45]\d\d)\b/i,
  /\bcode:? ([45]\d\d)\b/i,
  /\banswered ([45]\d\d)\b/,
  /\b([45]\d\d) (?:Bad Request|Unauthorized|Forbidden|Not Found|Method Not Allowed|Request Timeout|Payload Too Large|Too Many Requests|Internal Server Error|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)\b/i,
];
const NETWORK_CODE = new RegExp(`\\b(?:${Object.keys(symptomOfCode).join("|")})\\b`);

const PHRASES: readonly (readonly [phrase: string, symptom: string, code: string])[] = [
  ["connection refused", "http-refused", "ECONNREFUSED"],
  ["getaddrinfo", "http-name", "ENOTFOUND"],
  ["socket hang up", "http-reset", "ECONNRESET"],
  ["connection reset", "http-reset", "ECONNRESET"],
  ["other side closed", "http-reset", "ECONNRESET"],
  ["empty reply from server", "http-reset", "ECONNRESET"],
  ["too many requests", "http-429", "HTTP_429"],
  ["ms exceeded", "http-timeout", "TIMEOUT"],
  ["timed out", "http-timeout", "TIMEOUT"],
  ["err_timed_out", "http-timeout", "TIMEOUT"],
  ["deadline exceeded", "http-timeout", "TIMEOUT"],
  ["deadline_exceeded", "http-timeout", "TIMEOUT"],
  ["operation was aborted", "http-timeout", "ABORTED"],
  ["could not resolve host", "http-name", "ENOTFOUND"],
  ["no such host", "http-name", "ENOTFOUND"],
  ["unknownhostexception", "http-name", "ENOTFOUND"],
  ["name_not_resolved", "http-name", "ENOTFOUND"],
  ["unable to connect to the remote server", "http-unreachable", "NETWORK_ERROR"],
  ["err_connection_refused", "http-refused", "ECONNREFUSED"],
  ["err_connection_reset", "http-reset", "ECONNRESET"],
  ["err_connection_closed", "http-reset", "ECONNRESET"],
  ["err_empty_response", "http-reset", "ECONNRESET"],
  ["premature close", "http-reset", "ECONNRESET"],
  ["unexpected eof", "http-reset", "ECONNRESET"],
  ["typeerror: terminated", "http-reset", "ECONNRESET"],
  ["ssl_error_syscall", "http-reset", "ECONNRESET"],
  ["statusruntimeexception: unavailable", "http-5xx", "UNAVAILABLE"],
  ["code = unavailable", "http-5xx", "UNAVAILABLE"],
  ["max retries exceeded", "http-unreachable", "FETCH_FAILED"],
  ["request timeout", "http-timeout", "TIMEOUT"],
  ["connection timed out", "http-timeout", "ETIMEDOUT"],
  ["timeouterror", "http-timeout", "TIMEOUT"],
  ["aborted due to timeout", "http-timeout", "TIMEOUT"],
  ["unexpected end of json input", "http-truncated", "TRUNCATED_JSON"],
  ["is not valid json", "http-not-json", "NOT_JSON"],
  ["in json at position", "http-not-json", "NOT_JSON"],
  ["unable to verify the first certificate", "http-tls", "TLS"],
  ["self-signed certificate", "http-tls", "TLS"],
  ["self signed certificate", "http-tls", "TLS"],
  ["certificate has expired", "http-tls", "TLS"],
  ["api rate limit exceeded", "http-429", "HTTP_429"],
  ["invalid api key", "http-401", "HTTP_401"],
  ["no api key found", "http-401", "HTTP_401"],
  ["no route matched with those values", "http-404", "HTTP_404"],
  ["upstream connect error", "http-5xx", "HTTP_503"],
  ["error code: 1015", "http-429", "HTTP_429"],
  ["fetch failed", "http-unreachable", "FETCH_FAILED"],
  ["failed to fetch", "http-unreachable", "FETCH_FAILED"],
  ["network error", "http-unreachable", "NETWORK_ERROR"],
];
