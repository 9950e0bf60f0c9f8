import { type HttpRequest, type HttpResponse, headerOf } from "../http/message.ts";
import { checkApiKey } from "./api-key.ts";
import { type JwtRule, tokenIsValid } from "./jwt.ts";
import { type RateLimit, takePermit } from "./rate-limit.ts";

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
