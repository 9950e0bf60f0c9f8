import {
  PHRASES,
  RATE_LIMIT,
  STATUS,
  statusOfReason,
  symptomOfCode,
  TOKEN_REFUSED,
} from "../catalogue/http-symptoms.ts";

/** What a text tells of an exchange that failed. */
export type HttpFailure =
  | { readonly kind: "status"; readonly status: number }
  /** The name that a network stack gives to it. */
  | { readonly kind: "network-code"; readonly code: string }
  | { readonly kind: "phrase"; readonly symptom: string; readonly code: string }
  /** A page instead of an answer. */
  | { readonly kind: "page" };

/** Reads an HTTP failure in a text: a head of an answer, an error page, or what a client printed. */
export function readHttpFailure(text: string): HttpFailure | undefined {
  const start = text.slice(0, MAX_TEXT);
  const status = statusIn(start);
  if (status !== undefined && status >= 400) return { kind: "status", status };
  const code = NETWORK_CODE.exec(start)?.[0];
  if (code !== undefined) return { kind: "network-code", code };
  const lower = start.toLowerCase();
  const row = PHRASES.find(([, , phrases]) => phrases.some((phrase) => lower.includes(phrase)));
  if (row !== undefined) return { kind: "phrase", symptom: row[0], code: row[1] };
  return PAGE.test(start) ? { kind: "page" } : undefined;
}

const MAX_TEXT = 8192;
const NETWORK_CODE = new RegExp(`\\b(?:${Object.keys(symptomOfCode).join("|")})\\b`);
const PAGE = /^\s{0,20}<(?:!doctype|html|head)\b/i;

/** The status that a text names as one, 100 to 599. */
function statusIn(text: string): number | undefined {
  for (const pattern of STATUS) {
    const digits = pattern.exec(text)?.[1];
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
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
