import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../../core/primitives/hash.ts";
import { type HttpRequest, type HttpResponse, headerOf } from "../http/message.ts";

/** The header's name in the documented service; a profile may have another. */
export const DEFAULT_API_KEY_HEADER = "CHAIN-PRO-API-KEY";

/** 401 without the header, 403 with a wrong key, undefined when all is well. */
export function checkApiKey(
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
