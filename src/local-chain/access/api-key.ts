import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../../core/primitives/hash.ts";

/** The header's name in the documented service; a profile may have another. */
export const DEFAULT_API_KEY_HEADER = "CHAIN-PRO-API-KEY";

/** 401 without the header, 403 with a wrong key, undefined when all is well. */
export function checkApiKey(
  headers: Headers,
  rule: { readonly header: string; readonly key: string } | undefined,
): Response | undefined {
  if (rule === undefined) return undefined;
  const given = headers.get(rule.header);
  if (given === null) return refusal(401, `The header ${rule.header} is missing.`);
  return sameText(given, rule.key) ? undefined : refusal(403, `The key in ${rule.header} is not accepted.`);
}

function refusal(status: number, message: string): Response {
  return new Response(`${JSON.stringify({ Error: message })}\n`, {
    status,
    headers: { "content-type": "application/json;charset=utf-8" },
  });
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => sha256(new TextEncoder().encode(text)));
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
