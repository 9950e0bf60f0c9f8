import type { NoAnswer } from "@finality/tron/errors";
import { shorten, textOfBytes } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import type { Clock } from "../../time/clock.ts";

/** One POST, ready to go. */
export interface HttpQuestion {
  /** Base URL, checked. */
  readonly endpoint: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How long to wait for the first byte, and for each next one; ms. */
  readonly timeoutMs: number;
}

/** What came of a POST. No case of it is an exception: each proves something else. */
export type HttpExchange =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body: string;
      readonly date: string | undefined;
      readonly retryAfter: string | undefined;
    }
  /** The connection ended or stayed silent before an answer began. Whether the request arrived is not known. */
  | { readonly kind: "no-answer"; readonly how: NoAnswer; readonly reason: string }
  /** An answer began and did not end, or is larger than any answer of a node. */
  | { readonly kind: "cut"; readonly status: number; readonly reason: string; readonly body: string };

/** More than a block of the largest transactions needs. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** No answer may take longer in all, however steadily it drips. */
const MAX_EXCHANGE_MS = 120_000;

/**
 * Sends one POST, once. Redirects are not followed: the keys in the headers are meant for this URL alone.
 *
 * @throws the reason of the signal, and nothing else
 */
export async function exchange(
  dispatcher: Dispatcher,
  question: HttpQuestion,
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

function requestOptions(question: HttpQuestion, signal: AbortSignal | undefined): Dispatcher.RequestOptions {
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
    fault = t`it is cut after ${length} bytes (${codeOf(error)})`;
  }
  return { text: textOfBytes(Buffer.concat(chunks)), fault };
}

type Unanswered = Omit<Extract<HttpExchange, { kind: "no-answer" }>, "kind">;

function explain(error: unknown, question: HttpQuestion): Unanswered {
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
      return { how: "unreachable", reason: t`its name is unknown` };
    default:
      return { how: "unreachable", reason: unusual(error, code) };
  }
}

/** Certificates, proxies, and servers that do not speak HTTP. */
function unusual(error: unknown, code: string): string {
  if (code.startsWith("HPE_")) return t`what came back is not HTTP`;
  const [, status] = /Proxy response \((\d{3})\)/.exec(error instanceof Error ? error.message : "") ?? [];
  if (status === "407") return t`the proxy wants a name and a password: see http.proxy in the settings of the editor`;
  if (status !== undefined) return t`the proxy lets nothing through to it (${status})`;
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
 * Unix time in ms of a date as HTTP writes it, or undefined. One without a time zone (asctime) is UTC.
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
