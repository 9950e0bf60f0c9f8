import type { RecordedFailure } from "./recorded-failures.ts";

/** A failure without what differs from run to run: the row of the table that was made by reading. */
export function failureKey({ expected: { category, code, message } }: RecordedFailure): string {
  const text = message
    .replace(/\b[0-9a-fA-F]{16,}\b/g, "<hex>")
    .replace(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, "<address>")
    .replace(/\b\d+\b/g, "#")
    .slice(0, 120);
  return `${category} | ${code} | ${text}`;
}
