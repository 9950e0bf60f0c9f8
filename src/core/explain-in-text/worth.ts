import type { Explanation } from "../explain/explanation.ts";

/** Readings that say nothing a person wants to hear without having asked. */
const SILENT = new Set(["HEX", "UNKNOWN", "JSON", "EMPTY_OBJECT", "EMPTY_ANSWER", "TRUNCATED_JSON", "NOT_JSON"]);

/** Words of the chain that are words of everybody: they count where a field of an answer names them. */
const COMMON = new Set(["SUCCESS", "DEFAULT", "UNKNOWN", "FAILED", "REVERT"]);
const FIELD_BEFORE = /["']?(?:result|contractRet|contractResult|code|status)["']?\s{0,8}[:=]\s{0,8}["']?$/;

/** Whether an explanation is worth showing beside a text: it tells of a failure, or names what is written there. */
export function isWorthShowing({ category, code, sources }: Explanation): boolean {
  if (SILENT.has(code)) return false;
  return category !== "none" || (code !== "SELECTOR" && code !== "TEXT") || (code === "SELECTOR" && sources.length > 0);
}

/** Whether a word in capitals means the chain, by what stands before it. */
export function isOfChain(word: string, before: string): boolean {
  return !COMMON.has(word) || FIELD_BEFORE.test(before.slice(-48));
}
