import { type AnyChainError, ChainError, type NoAnswer } from "@finality/tron/errors";
import { HTTP_RULES, type HttpFailure, type HttpMeaning, httpFailureIn } from "@finality/tron/node-messages";
import { defined, shorten, textOfBytes } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import type { Clock } from "../clock.ts";
import { httpError, malformedAnswer } from "../wire/answer.ts";

/** POST request. */
export interface HttpRequest {
  /** Validated base URL. */
  readonly endpoint: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time limit for the first byte and for each later part; ms. */
  readonly timeoutMs: number;
}

/** Result of a POST. It is never an exception, because each case proves something else. */
export type HttpExchange =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body: string;
      readonly date: string | undefined;
      readonly retryAfter: string | undefined;
    }
  /** The connection closed or stayed silent before an answer began. The request may have arrived. */
  | { readonly kind: "no-answer"; readonly how: NoAnswer; readonly reason: string }
  /** An answer began and did not end, or is larger than any answer of a node. */
  | { readonly kind: "cut"; readonly status: number; readonly reason: string; readonly body: string };

/** Larger than a block of the largest transactions. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Maximum total time of an answer, even if data keep arriving. */
const MAX_EXCHANGE_MS = 120_000;

/**
 * Sends one POST, once. Does not follow redirects, because the keys in the headers are meant for this URL alone.
 *
 * @throws only the reason of the signal
 */
export async function exchange(
  dispatcher: Dispatcher,
  question: HttpRequest,
  clock: Clock,
  signal?: AbortSignal,
): Promise<HttpExchange> {
  signal?.throwIfAborted();
  const started = clock.now();
  let response: Dispatcher.ResponseData;
  try {
    response = await request.call(dispatcher, requestOptions(question, signal));
  } catch (error) {
    signal?.throwIfAborted();
    return { kind: "no-answer", ...explain(error, question) };
  }
  const { statusCode: status, headers } = response;
  const read = await readBody(response.body, () => clock.now() - started > MAX_EXCHANGE_MS);
  signal?.throwIfAborted();
  if (read.fault !== undefined) return { kind: "cut", status, reason: read.fault, body: read.text };
  const [date, retryAfter] = [single(headers.date), single(headers["retry-after"])];
  return { kind: "answer", status, body: read.text, date, retryAfter };
}

function requestOptions(question: HttpRequest, signal: AbortSignal | undefined): Dispatcher.RequestOptions {
  const { origin, pathname } = new URL(question.endpoint + question.path);
  return {
    origin,
    path: pathname,
    method: "POST",
    headers: question.headers,
    body: question.body,
    headersTimeout: question.timeoutMs,
    bodyTimeout: question.timeoutMs,
    signal: signal ?? null,
  };
}

async function readBody(body: AsyncIterable<Uint8Array>, isLate: () => boolean) {
  const chunks: Uint8Array[] = [];
  let [length, fault]: [number, string | undefined] = [0, undefined];
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) fault = t`it is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB`;
      if (isLate()) fault = t`it took too long`;
      if (fault !== undefined) break;
      chunks.push(chunk);
    }
  } catch (error) {
    fault = t`it ends after ${length} bytes (${codeOf(error)})`;
  }
  return { text: textOfBytes(Buffer.concat(chunks)), fault };
}

type Unanswered = Omit<Extract<HttpExchange, { kind: "no-answer" }>, "kind">;

function explain(error: unknown, question: HttpRequest): Unanswered {
  const code = codeOf(error);
  switch (code) {
    case "UND_ERR_SOCKET":
    case "ECONNRESET":
    case "EPIPE":
      return { how: "closed", reason: t`the connection was closed before an answer` };
    case "UND_ERR_HEADERS_TIMEOUT":
      return { how: "timeout", reason: t`no answer within ${Math.ceil(question.timeoutMs / 1000)} s` };
    case "UND_ERR_CONNECT_TIMEOUT":
    case "ETIMEDOUT":
      return { how: "unreachable", reason: t`no connection in time` };
    case "ECONNREFUSED":
      return { how: "unreachable", reason: t`connection refused` };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return { how: "unreachable", reason: t`its host name is unknown` };
    default:
      return { how: "unreachable", reason: unusual(error, code) };
  }
}

/** Errors of certificates, proxies, and servers that do not speak HTTP. */
function unusual(error: unknown, code: string): string {
  if (code.startsWith("HPE_")) return t`the answer is not HTTP`;
  const [, status] = /Proxy response \((\d{3})\)/.exec(error instanceof Error ? error.message : "") ?? [];
  if (status === "407") return t`the proxy requires a user name and a password: see http.proxy in the editor settings`;
  if (status !== undefined) return t`the proxy does not allow connections to it (${status})`;
  return shorten(error instanceof Error && error.message !== "" ? `${error.message} (${code})` : code, 200);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : t`no code`;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

const HAS_ZONE = /(?:GMT|UTC?|Z|[+-]\d{2}:?\d{2})\s*$/i;

/**
 * Parses an HTTP date to Unix ms; undefined if it is invalid. A date without a time zone (asctime) is UTC.
 *
 * @example
 * parseHttpDate("Sat, 21 Nov 2026 03:08:49 GMT"); // 1795230529000
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
  // biome-ignore lint/style/noRestrictedGlobals: it reads text and asks no clock
  const time = Date.parse(HAS_ZONE.test(text) ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** Maximum default delay between two attempts (gateway document, Limits). */
export const MAX_BACKOFF_MS = 30_000;
/** Upper bound of `Retry-After`; a daily limit ends within it. */
export const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;
const FIRST_BACKOFF_MS = 500;
/** Time limit for a part of the answer in the first attempt; ms. */
export const FIRST_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 60_000;
/** Cause of a failed attempt, as far as it matters for the next one. */
export type RetryReason =
  /** No answer, or a truncated one. */
  | { readonly kind: "network" }
  /** No connection: refused, or an unknown name. */
  | { readonly kind: "unreachable" }
  /** Closed without a byte while a token was sent. */
  | { readonly kind: "silent" }
  /** Status 200 without JSON: another kind of server. */
  | { readonly kind: "garbled" }
  | { readonly kind: "server"; readonly retryAfterMs?: number | undefined }
  | { readonly kind: "rate-limited"; readonly retryAfterMs?: number | undefined }
  /** A repeated request will not succeed: 4xx, or a refusal of the node. */
  | { readonly kind: "final" };

export interface AttemptInfo {
  readonly access: "read" | "write";
  /** Number of failed attempts, this one included: 1 after the first. */
  readonly tries: number;
  readonly reason: RetryReason;
  /** Ms left until the caller's deadline. */
  readonly remainingMs: number;
  /** 0 to below 1. */
  readonly random: number;
}

/**
 * Returns the delay before the next attempt in ms; undefined if there must be none. A write is never repeated.
 * `Retry-After` may exceed our cap of 30 s but not the deadline.
 */
export function nextDelay({ access, tries, reason, remainingMs, random }: AttemptInfo): number | undefined {
  if (access === "write" || tries >= MAX_TRIES[reason.kind]) return undefined;
  const requestedMs = reason.kind === "server" || reason.kind === "rate-limited" ? (reason.retryAfterMs ?? 0) : 0;
  const delay = Math.max(backoff(tries, random), requestedMs);
  return delay < remainingMs ? delay : undefined;
}

/** Returns an exponential delay with jitter, between half of the step and all of it; ms. */
export function backoff(tries: number, random: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1)) * (0.5 + random / 2);
}

/**
 * Returns the time limit of the next attempt, which grows; ms.
 *
 * @param failed - Number of failed attempts.
 */
export function timeoutOf(failed: number, first = FIRST_TIMEOUT_MS): number {
  return Math.min(MAX_TIMEOUT_MS, first * 2 ** failed);
}

/**
 * Parses `Retry-After` to a delay in ms, at most a day, from seconds or a date; undefined if it is neither.
 *
 * @param date - `Date` header of the same answer, because the server's date refers to the server's clock.
 * @param now - Local Unix ms, for an answer without `Date`.
 */
export function parseRetryAfter(value: string | undefined, date: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Math.min(MAX_RETRY_AFTER_MS, Number(value) * 1000);
  const at = parseHttpDate(value);
  if (at === undefined) return undefined;
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(0, at - (parseHttpDate(date) ?? now)));
}

/** Failures that seldom resolve by themselves are reported after few attempts. */
const MAX_TRIES: { readonly [K in RetryReason["kind"]]: number } = {
  network: 12,
  server: 12,
  "rate-limited": 12,
  unreachable: 5,
  silent: 2,
  garbled: 2,
  final: 1,
};

/** URL and conditions of a request, for error messages. */
export interface ExchangeContext {
  readonly endpoint: string;
  readonly jwt: boolean;
  readonly apiKeyHeader: string;
  readonly tries: number;
  /** Origins that withheld credentials are bound to; undefined if none was withheld. */
  readonly boundTo?: string;
  /** Unix ms, local clock. */
  readonly now: number;
}

export type ExchangeOutcome =
  | { readonly kind: "body"; readonly body: string; readonly date: string | undefined }
  | {
      readonly kind: "failure";
      readonly error: AnyChainError;
      readonly reason: RetryReason;
      /** Returns the HTTP failure that the answer means; undefined if there is no usable answer. */
      readonly meaning?: HttpMeaning;
    };

/** Classifies an exchange: a body to read, or a failure with its retry rule (protocol reference §2.3). */
export function classifyExchange(exchange: HttpExchange, context: ExchangeContext): ExchangeOutcome {
  switch (exchange.kind) {
    case "no-answer":
      return noAnswer(exchange.how, exchange.reason, context);
    case "cut":
      return failed(malformedAnswer({ ...context, body: exchange.body }, exchange.reason), { kind: "network" });
    case "answer": {
      const failure = httpFailureIn(exchange.status, exchange.body);
      if (failure !== undefined) return classifyFailure(failure, exchange, context);
      return { kind: "body", body: exchange.body, date: exchange.date };
    }
  }
}

type Answer = Extract<HttpExchange, { kind: "answer" }>;

function classifyFailure(failure: HttpFailure, answer: Answer, context: ExchangeContext): ExchangeOutcome {
  const { endpoint, apiKeyHeader: header, now } = context;
  const { meaning } = failure;
  const retryAfterMs = parseRetryAfter(answer.retryAfter, answer.date, now) ?? failure.waitMs;
  const error = httpError(failure, { endpoint, header, body: answer.body, retryAfterMs, ...withheldOrigins(context) });
  const { retry } = HTTP_RULES[meaning];
  const reason: RetryReason = retry === "final" ? { kind: "final" } : { kind: retry, retryAfterMs };
  return { kind: "failure", error, reason, meaning };
}

/** Returns the kind of a missing answer; undefined if there was one. */
export function missingAnswerKind(error: AnyChainError): NoAnswer | undefined {
  const isUnanswered = error.code === "GATEWAY_UNREACHABLE" || error.code === "GATEWAY_SILENT";
  return isUnanswered ? error.details.how : undefined;
}

/** Returns true if the connection was established and no answer came. */
export function isSilence(error: AnyChainError): boolean {
  const how = missingAnswerKind(error);
  return how === "closed" || how === "timeout";
}

function noAnswer(how: NoAnswer, reason: string, context: ExchangeContext): ExchangeOutcome {
  const { endpoint, tries: attempts, jwt } = context;
  if (jwt && how !== "unreachable") {
    return failed(new ChainError("GATEWAY_SILENT", { endpoint, reason, how, ...withheldOrigins(context) }), {
      kind: "silent",
    });
  }
  const error = new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts, reason, how });
  return failed(error, { kind: how === "unreachable" ? "unreachable" : "network" });
}

function withheldOrigins({ boundTo }: ExchangeContext): Pick<ExchangeContext, "boundTo"> {
  return defined({ boundTo });
}

function failed(error: AnyChainError, reason: RetryReason): ExchangeOutcome {
  return { kind: "failure", error, reason };
}
