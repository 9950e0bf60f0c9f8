import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../../core/primitives/bytes.ts";
import { type HttpRequest, type HttpResponse, headerOf } from "../http/message.ts";
import { type JwtRule, tokenIsValid } from "./jwt.ts";

/** What a hosted gateway puts in front of a node. Everything is off unless it is set. */
export interface AccessRules {
  /** While the switch is on, a request without a valid token ends without an answer. */
  jwt: JwtRule & { readonly on: boolean };
  /** The key that the header has to carry: none is 401, a wrong one 403. */
  apiKey?: { readonly header: string; readonly key: string } | undefined;
  rateLimit?: RateLimit | undefined;
}

/** How a gateway treats a request: it lets it pass, answers in place of the node, or drops the connection. */
export type Verdict =
  | { readonly kind: "pass" }
  | { readonly kind: "answer"; readonly response: HttpResponse }
  | { readonly kind: "drop" };

const PASS: Verdict = { kind: "pass" };

/** @param now - Unix time in ms, for the expiry of tokens */
export async function judge(request: HttpRequest, rules: AccessRules, now: number): Promise<Verdict> {
  if (rules.jwt.on && !(await tokenIsValid(headerOf(request, "authorization"), rules.jwt, now))) {
    return { kind: "drop" };
  }
  const refusal = checkApiKey(request, rules.apiKey) ?? takePermit(rules.rateLimit);
  return refusal === undefined ? PASS : { kind: "answer", response: refusal };
}

/** The header's name in the documented service; a profile may have another. */
export const DEFAULT_API_KEY_HEADER = "CHAIN-PRO-API-KEY";

/** 401 without the header, 403 with a wrong key, undefined when all is well. */
function checkApiKey(
  request: HttpRequest,
  rule: { readonly header: string; readonly key: string } | undefined,
): HttpResponse | undefined {
  if (rule === undefined) return undefined;
  const sent = headerOf(request, rule.header);
  if (sent === undefined) return refusal(401, `The header ${rule.header} is missing.`);
  return sameText(sent, rule.key) ? undefined : refusal(403, `The key in ${rule.header} is not accepted.`);
}

function refusal(status: number, message: string): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json;charset=utf-8" },
    body: `${JSON.stringify({ Error: message })}\n`,
  };
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => sha256(new TextEncoder().encode(text)));
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** The next requests are answered with 429. */
interface RateLimit {
  /** How many more are refused. */
  requests: number;
  /** What `Retry-After` says: seconds, or an HTTP date. */
  readonly retryAfter: string;
}

/** 429 while there are refusals left, else undefined. */
function takePermit(limit: RateLimit | undefined): HttpResponse | undefined {
  if (limit === undefined || limit.requests <= 0) return undefined;
  limit.requests -= 1;
  return {
    status: 429,
    headers: { "content-type": "application/json;charset=utf-8", "retry-after": limit.retryAfter },
    body: `${JSON.stringify({ Error: "Too many requests." })}\n`,
  };
}
