import type { Explanation } from "../explain/result/explanation.ts";

/** Readings that say nothing a person wants to hear without having asked. */
const SILENT = new Set([
  "HEX",
  "UNKNOWN",
  "UNKNOWN_ANSWER",
  "JSON",
  "EMPTY_OBJECT",
  "EMPTY_ANSWER",
  "TRUNCATED_JSON",
  "NOT_JSON",
]);

/** Words of the chain that are words of everybody: they count where a field of an answer names them. */
const COMMON = new Set(["SUCCESS", "DEFAULT", "UNKNOWN", "FAILED", "REVERT"]);
const FIELD_BEFORE = /["']?(?:result|contractRet|contractResult|code|status)["']?\s{0,8}[:=]\s{0,8}["']?$/;

/** Whether an explanation is worth showing beside a text: it tells of a failure, or names what is written there. */
export function isWorthShowing({ category, code, sources, raw }: Explanation): boolean {
  if (SILENT.has(code)) return false;
  if (category !== "none") return true;
  if (code === "SELECTOR") return sources.length > 0;
  return code !== "TEXT" || raw.length >= MIN_TEXT_DIGITS;
}

/** A shorter text in hex may as well be a number. */
const MIN_TEXT_DIGITS = 40;

/** Whether a word in capitals means the chain, by what stands before it. */
export function isOfChain(word: string, before: string): boolean {
  return !COMMON.has(word) || FIELD_BEFORE.test(before.slice(-48));
}
