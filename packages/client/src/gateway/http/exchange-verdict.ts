import { type AnyChainError, ChainError, type NoAnswer } from "@finality/tron/errors";
import { HTTP_RULES, type HttpFailure, type HttpMeaning, httpFailureIn } from "@finality/tron/node-messages";
import { httpError, malformedAnswer } from "../wire/answer.ts";
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
      /** The failure over HTTP that the answer means; undefined if none came that can be used. */
      readonly meaning?: HttpMeaning;
    };

/** Sorts an exchange: a body to read, or a failure with what it allows (protocol reference §2.3). */
export function judgeExchange(exchange: HttpExchange, asked: Asked): ExchangeVerdict {
  switch (exchange.kind) {
    case "no-answer":
      return noAnswer(exchange.how, exchange.reason, asked);
    case "cut":
      return failed(malformedAnswer({ ...asked, body: exchange.body }, exchange.reason), { kind: "network" });
    case "answer": {
      const failure = httpFailureIn(exchange.status, exchange.body);
      if (failure !== undefined) return judgeFailure(failure, exchange, asked);
      return { kind: "body", body: exchange.body, date: exchange.date };
    }
  }
}

type Answer = Extract<HttpExchange, { kind: "answer" }>;

function judgeFailure(failure: HttpFailure, answer: Answer, asked: Asked): ExchangeVerdict {
  const { endpoint, apiKeyHeader: header, now } = asked;
  const { meaning } = failure;
  const retryAfterMs = parseRetryAfter(answer.retryAfter, answer.date, now) ?? failure.waitMs;
  const error = httpError(failure, { endpoint, header, body: answer.body, retryAfterMs, ...keptBack(asked) });
  const { retry } = HTTP_RULES[meaning];
  const reason: RetryReason = retry === "final" ? { kind: "final" } : { kind: retry, retryAfterMs };
  return { kind: "failure", error, reason, meaning };
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
    return failed(new ChainError("GATEWAY_SILENT", { endpoint, reason, how, ...keptBack(asked) }), { kind: "silent" });
  }
  const error = new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts, reason, how });
  return failed(error, { kind: how === "unreachable" ? "unreachable" : "network" });
}

function keptBack({ boundTo }: Asked): Pick<Asked, "boundTo"> {
  return boundTo === undefined ? {} : { boundTo };
}

function failed(error: AnyChainError, reason: RetryReason): ExchangeVerdict {
  return { kind: "failure", error, reason };
}
