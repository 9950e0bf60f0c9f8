import { type AnyChainError, ChainError, type NoAnswer } from "../../errors/chain-error.ts";
import { shorten } from "../../primitives/bytes.ts";
import { BODY_EXCERPT, malformedAnswer } from "../wire/answer.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { parseRetryAfter, type RetryReason } from "./retry-policy.ts";

/** Who was asked and how, for the sentence of a failure. */
export interface Asked {
  readonly endpoint: string;
  readonly jwt: boolean;
  readonly apiKeyHeader: string;
  readonly tries: number;
  /** The origins that credentials are bound to which were not sent for that; absent when none was kept back. */
  readonly boundTo?: string;
  /** Unix ms, local clock. */
  readonly now: number;
}

export type ExchangeVerdict =
  | { readonly kind: "body"; readonly body: string; readonly date: string | undefined }
  | {
      readonly kind: "failure";
      readonly error: AnyChainError;
      readonly reason: RetryReason;
      /** Whether whoever was asked turned the request away: 4xx but 408. Nobody knows whether that was the node. */
      readonly turnedAway: boolean;
    };

/** Sorts an exchange: a body to read, or a failure with what it allows (protocol reference §2.3). */
export function judgeExchange(exchange: HttpExchange, asked: Asked): ExchangeVerdict {
  switch (exchange.kind) {
    case "no-answer":
      return noAnswer(exchange.how, exchange.reason, asked);
    case "cut":
      return failure(malformedAnswer({ ...asked, body: exchange.body }, exchange.reason), { kind: "network" });
    case "answer":
      if (exchange.status >= 200 && exchange.status < 300) {
        return { kind: "body", body: exchange.body, date: exchange.date };
      }
      return judgeStatus(exchange, asked);
  }
}

type Answer = Extract<HttpExchange, { kind: "answer" }>;

function judgeStatus(answer: Answer, asked: Asked): ExchangeVerdict {
  const { endpoint, apiKeyHeader: header, now } = asked;
  const { status } = answer;
  const retryAfterMs = parseRetryAfter(answer.retryAfter, answer.date, now);
  if (status === 429) {
    const error = new ChainError("GATEWAY_RATE_LIMITED", { endpoint, retryAfterMs });
    return failure(error, { kind: "rate-limited", retryAfterMs }, true);
  }
  if (status === 401 || status === 403) {
    return failure(
      new ChainError("GATEWAY_UNAUTHORIZED", { endpoint, status, header, ...keptBack(asked) }),
      { kind: "final" },
      true,
    );
  }
  const body = shorten(answer.body, BODY_EXCERPT);
  const error = new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status, body });
  if (status >= 500) return failure(error, { kind: "server", retryAfterMs });
  return failure(error, { kind: "final" }, status >= 400 && status !== 408);
}

/** How a request stayed without an answer, if it did. */
export function howUnanswered(error: AnyChainError): NoAnswer | undefined {
  const isUnanswered = error.code === "GATEWAY_UNREACHABLE" || error.code === "GATEWAY_SILENT";
  return isUnanswered ? error.details.how : undefined;
}

/** Whether the connection stood, and nothing came. */
export function isSilence(error: AnyChainError): boolean {
  const how = howUnanswered(error);
  return how === "closed" || how === "timeout";
}

function noAnswer(how: NoAnswer, reason: string, asked: Asked): ExchangeVerdict {
  const { endpoint, tries: attempts, jwt } = asked;
  if (jwt && how !== "unreachable") {
    return failure(new ChainError("GATEWAY_SILENT", { endpoint, reason, how, ...keptBack(asked) }), { kind: "silent" });
  }
  const error = new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts, reason, how });
  return failure(error, { kind: how === "unreachable" ? "unreachable" : "network" });
}

function keptBack({ boundTo }: Asked): Pick<Asked, "boundTo"> {
  return boundTo === undefined ? {} : { boundTo };
}

function failure(error: AnyChainError, reason: RetryReason, turnedAway = false): ExchangeVerdict {
  return { kind: "failure", error, reason, turnedAway };
}
