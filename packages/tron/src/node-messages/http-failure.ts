import { isJsonObject, type JsonObject, parseJson } from "../primitives/json.ts";
import { hasFaultClass, parseNodeFault } from "./node-message.ts";

/** Meaning of a failed HTTP exchange (gateway document, Errors 1). */
export type HttpMeaning =
  | "rate-limited"
  | "key-refused"
  | "token-refused"
  | "blocked"
  | "not-found"
  | "method-refused"
  | "too-large"
  | "bad-request"
  | "timeout"
  | "maintenance"
  | "server-error";

/** Consequences of a meaning, shared by explanations and the gateway client. */
export interface HttpRule {
  /** Catalog entry that explains it. */
  readonly entry: string;
  /** Retry rule of a read: `final` is not repeated. */
  readonly retry: "rate-limited" | "server" | "final";
  /**
   * True if the request was refused before the node, as far as known. False means that the node may have processed it.
   */
  readonly turnedAway: boolean;
}

const REFUSED = { retry: "final", turnedAway: true } as const;
const OPEN = { retry: "server", turnedAway: false } as const;

/** Table of HTTP failures: every user of a status or of a gateway's error body takes its rule from here. */
export const HTTP_RULES: { readonly [M in HttpMeaning]: HttpRule } = {
  "rate-limited": { entry: "http-429", retry: "rate-limited", turnedAway: true },
  "key-refused": { entry: "http-401", ...REFUSED },
  "token-refused": { entry: "http-token", ...REFUSED },
  blocked: { entry: "http-blocked", ...REFUSED },
  "not-found": { entry: "http-404", ...REFUSED },
  "method-refused": { entry: "http-405", ...REFUSED },
  "too-large": { entry: "http-413", ...REFUSED },
  "bad-request": { entry: "http-4xx", ...REFUSED },
  timeout: { entry: "http-timeout", ...OPEN },
  maintenance: { entry: "node-maintenance", ...OPEN },
  "server-error": { entry: "http-5xx", ...OPEN },
};

/** HTTP failure, from its status or from a gateway's text in a body. */
export interface HttpFailure {
  readonly meaning: HttpMeaning;
  /** Status of the answer, or the one that its body names. */
  readonly status: number;
  /** Pause that the text requests, in ms. */
  readonly waitMs?: number;
}

const meanings: { readonly [status: number]: HttpMeaning } = {
  401: "key-refused",
  403: "key-refused",
  404: "not-found",
  405: "method-refused",
  408: "timeout",
  413: "too-large",
  429: "rate-limited",
  504: "timeout",
};

/** Returns the meaning of an error status without further text. */
function meaningOfStatus(status: number): HttpMeaning {
  return meanings[status] ?? (status >= 500 ? "server-error" : "bad-request");
}

/**
 * Returns the failure that a status means. A text that names the problem exactly takes precedence over any status; for
 * 401, 403 and other vague ones any known text does, because limits use them, too.
 */
export function failureOf(status: number, text: string): HttpFailure {
  const start = text.slice(0, MAX_TEXT);
  const byStatus = meaningOfStatus(status);
  const isVague = byStatus === "key-refused" || byStatus === "bad-request";
  const meaning = exactMeaningOf(start) ?? (isVague ? meaningOfText(start) : undefined) ?? byStatus;
  const isStatusOfText = meaning !== byStatus && meaning in STATUS_OF_TEXT && !(isVague && meaning === "rate-limited");
  return {
    meaning,
    status: isStatusOfText ? STATUS_OF_TEXT[meaning as keyof typeof STATUS_OF_TEXT] : status,
    ...(meaning === "rate-limited" ? waitIn(start) : {}),
  };
}

/** Statuses that match texts which come with any status. */
const STATUS_OF_TEXT = { "rate-limited": 429, maintenance: 503, "not-found": 404 } as const;

/** Meaning of texts that only a refused request has, whatever status they come with. */
function exactMeaningOf(text: string): HttpMeaning | undefined {
  if (MAINTENANCE.test(text)) return "maintenance";
  if (NOT_SERVED.test(text)) return "not-found";
  return DAILY_QUOTA.test(text) ? "rate-limited" : undefined;
}

function meaningOfText(text: string): HttpMeaning | undefined {
  const exact = exactMeaningOf(text);
  if (exact !== undefined) return exact;
  if (isLimit(text)) return "rate-limited";
  if (BLOCKED.test(text)) return "blocked";
  return isTokenRefusal(text) ? "token-refused" : undefined;
}

/** Returns the failure that a whole answer means; undefined if its body is for the reader of the endpoint. */
export function httpFailureIn(status: number, body: string): HttpFailure | undefined {
  if (status < 200 || status >= 300) return failureOf(status, body);
  if (body.length > MAX_TEXT) return undefined;
  const json = objectIn(body);
  if (json !== undefined) return failureInJson(json);
  if (/^\s*[{[]/.test(body)) return undefined;
  const phrase = statusOfPhrase(body);
  return phrase === undefined ? undefined : failureOf(phrase, body);
}

/** Returns the failure that a gateway writes into the body of a success, as `{"Error": …}` or with a status inside. */
export function failureInJson(json: JsonObject): HttpFailure | undefined {
  if (typeof json.Error === "string") return failureInFault(json, json.Error);
  if (NODE_FIELDS.some((name) => name in json) || json.result === true || isJsonObject(json.result)) return undefined;
  const text = failureText(json);
  const status = statusOf(json) ?? statusOfPhrase(text);
  return status === undefined ? undefined : failureOf(status, text);
}

/** With a Java class it is the node's own refusal, unless it is about limits, maintenance or configuration. */
function failureInFault(json: JsonObject, text: string): HttpFailure | undefined {
  const { message } = parseNodeFault(text);
  const named = statusOf(json);
  const hasClass = hasFaultClass(text);
  if (named !== undefined && !hasClass) return failureOf(named, message);
  const meaning = meaningOfText(message.slice(0, MAX_TEXT));
  if (meaning === "rate-limited" || meaning === "maintenance" || meaning === "not-found") {
    return { meaning, status: STATUS_OF_TEXT[meaning], ...(meaning === "rate-limited" ? waitIn(message) : {}) };
  }
  if (hasClass) return undefined;
  const status = statusOfPhrase(message) ?? statusOfUpstream(message);
  return status === undefined ? undefined : failureOf(status, message);
}

/** Fields of node answers: a number beside them is no HTTP status. */
const NODE_FIELDS = ["txid", "txID", "id", "receipt", "raw_data", "ret", "blockID", "block_header"];

/** Returns the gateway's reason, from the fields that gateways use. */
export function failureText(json: JsonObject): string {
  const { error, data } = json;
  const inner = isJsonObject(error) ? error.message : isJsonObject(data) ? (data.message ?? data.Error) : data;
  const texts = [json.message, json.Error, error, json.msg, json.detail, json.reason, json.statusText, inner];
  return texts.find((it) => typeof it === "string" && it.trim() !== "")?.toString() ?? "";
}

/** Returns the status of a failure that an object names, 400 to 599. */
export function statusOf({ status, statusCode, StatusCode, code, ...others }: JsonObject): number | undefined {
  // Library errors about a transaction on the chain have their own codes.
  const named = [status, statusCode, StatusCode, "receipt" in others ? undefined : code];
  // Objects are not converted to numbers, because their own methods could decide the result or throw.
  const numbers = named.map((it) => (typeof it === "string" || typeof it === "number" ? Number(it) : undefined));
  return numbers.find((it) => it !== undefined && Number.isInteger(it) && it >= 400 && it <= 599);
}

/** Longer bodies are not messages. */
const MAX_TEXT = 4_096;

/** Gateway texts about too many requests, in lower case. */
const RATE_LIMIT =
  /\brate[ -]?limit(?:s|ed|ing)?\b|^too many requests|\brequests? too (?:quickly|frequent(?:ly)?|fast)|\bcompute units\b|\brequest (?:rate|count)\b.{0,40}\bexceed/;
/** The same for texts that are about requests only in the body of a failure. */
const LIMIT_IN_FAILURE =
  /too many requests|frequency limit|\brate exceeded|\bexceed(?:s|ed)? the (?:user )?daily\b|lack of computing resources|\brequests? (?:was |is |were |are )?throttled/;
const DAILY_QUOTA = /\bexceed(?:s|ed)? the (?:user )?daily (?:usage|request)/i;
const TOKEN_REFUSED =
  /^no (?:mandatory '\w{1,20}' in|credentials found)|^(?:your |the )?(?:invalid token: )?(?:jwt|(?:access |api )?token) (?:is |has )?expired$/;
const KEY_REFUSED = /^(?:invalid api[ -]?key|no api[ -]?key found)/;
/** Pages and texts of a firewall in front of the gateway. */
export const BLOCKED =
  /error code: 10(?:0[5-9]|10|12|20)\b|used cloudflare to restrict access|<title>(?:attention required|just a moment)/i;

function isTokenRefusal(text: string): boolean {
  const json = objectIn(text);
  return TOKEN_REFUSED.test((json === undefined ? text : failureText(json)).trim().toLowerCase());
}

function isLimit(text: string): boolean {
  const lower = text.toLowerCase();
  return RATE_LIMIT.test(lower) || LIMIT_IN_FAILURE.test(lower);
}

const WAIT = /\b(?:for|in|after) (\d{1,6}) ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?)\b/i;

function waitIn(text: string): Pick<HttpFailure, "waitMs"> {
  const [, digits, unit = ""] = WAIT.exec(text) ?? [];
  if (digits === undefined) return {};
  const unitMs = /^(?:ms|milli)/i.test(unit) ? 1 : /^s/i.test(unit) ? 1_000 : 60_000;
  return { waitMs: Number(digits) * unitMs };
}

/** Answer of the node to every request while votes are counted. */
const MAINTENANCE = /\bduring maintenance period\b/i;

/** Gateway texts about a lost connection to the node, which may have processed the request. */
const UPSTREAM_TIMEOUT =
  /\btimed out\b|deadline exceeded|\b(?:request|gateway|connect(?:ion)?|read|response|upstream|socket|i\/o) time-?out\b/i;
const UPSTREAM_LOST =
  /\bupstream\b|connection (?:was )?(?:refused|reset|closed|aborted|lost)|socket hang up|\be(?:connrefused|connreset|pipe|hostunreach|netunreach|notfound|ai_again)\b|unexpected eof|no route to host/i;

/** Node texts about endpoints that its configuration disables. */
const NOT_SERVED = /this api is (?:unavailable due to config|closed because this node is a lite fullnode)/i;

function statusOfUpstream(text: string): number | undefined {
  if (UPSTREAM_TIMEOUT.test(text)) return 504;
  return UPSTREAM_LOST.test(text) ? 502 : undefined;
}

function objectIn(body: string): JsonObject | undefined {
  if (!body.trimStart().startsWith("{")) return undefined;
  try {
    const json = parseJson(body);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Statuses by the phrase that a gateway or a proxy writes instead of the number, in lower case. */
export const statusOfReason: { readonly [phrase: string]: number } = {
  "bad request": 400,
  unauthorized: 401,
  "no authorization": 401,
  forbidden: 403,
  "access denied": 403,
  "not found": 404,
  "page not found": 404,
  "method not allowed": 405,
  "request timeout": 408,
  "payload too large": 413,
  "request entity too large": 413,
  "internal server error": 500,
  "bad gateway": 502,
  "service unavailable": 503,
  "service temporarily unavailable": 503,
  "no healthy upstream": 503,
  "an invalid response was received from the upstream server": 502,
  "the upstream server is timing out": 504,
  "failure to get a peer from the ring-balancer": 503,
  "limit exceeded": 429,
  "gateway timeout": 504,
  "gateway time-out": 504,
  "endpoint request timed out": 504,
};

/** Returns the status whose phrase is the whole text. */
export function statusOfPhrase(text: string): number | undefined {
  const phrase = text
    .slice(0, 300)
    .trim()
    .toLowerCase()
    .replace(/[.!]$/, "")
    .replace(/^[45]\d\d /, "");
  if (RATE_LIMIT.test(phrase)) return 429;
  if (TOKEN_REFUSED.test(phrase) || KEY_REFUSED.test(phrase)) return 401;
  return Object.hasOwn(statusOfReason, phrase) ? statusOfReason[phrase] : undefined;
}
