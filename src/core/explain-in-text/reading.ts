import { objectAt } from "../explain/recognise/objects.ts";
import type { Span, Token } from "../explain/recognise/token.ts";
import { findToolText } from "../explain/recognise/tool-text.ts";
import type { Explanation } from "../explain/result/explanation.ts";
import { findMessageWithin } from "../explain/words/message-words.ts";

/** A part of a text that the chain, a gateway or a tool wrote, and what it means. */
export interface Reading extends Span {
  /** What was explained: the part itself, or what a tool printed in other words. */
  readonly input: string;
  readonly explanation: Explanation;
}

/** `explain` with all that is known besides the text. */
export type Explain = (input: string) => Explanation;

/** What a token means; undefined when that is not worth a word. */
export function readToken(text: string, { text: input, start, end }: Token, explain: Explain): Reading | undefined {
  if (/^[A-Z][A-Z0-9_]+$/.test(input) && !isOfChain(input, text.slice(Math.max(0, start - 48), start)))
    return undefined;
  const explanation = explain(input);
  return isWorthShowing(explanation) ? { start, end, input, explanation } : undefined;
}

/** The object that begins at an offset, when it tells of a failure. */
export function readObject(text: string, start: number, explain: Explain): Reading | undefined {
  const end = objectAt(text, start)?.end;
  if (end === undefined || end - start < 8) return undefined;
  const input = text.slice(start, end);
  const explanation = explain(input);
  const failed = explanation.category !== "none" && isWorthShowing(explanation);
  return failed ? { start, end, input, explanation } : undefined;
}

/** A message of the node or of a tool in a line. */
export function readMessage(line: string, explain: Explain): Reading | undefined {
  const tool = findToolText(line);
  if (tool !== undefined) {
    const input = line.slice(tool.start, tool.end);
    return { start: tool.start, end: tool.end, input, explanation: explain(input) };
  }
  if (findMessageWithin(line) === undefined) return undefined;
  const start = line.length - line.trimStart().length;
  const end = line.trimEnd().length;
  const explanation = explain(line.slice(start, end));
  return isWorthShowing(explanation) ? { start, end, input: line.slice(start, end), explanation } : undefined;
}

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
function isWorthShowing({ category, code, sources, raw }: Explanation): boolean {
  if (SILENT.has(code)) return false;
  if (category !== "none") return true;
  if (code === "SELECTOR") return sources.length > 0;
  return code !== "TEXT" || raw.length >= MIN_TEXT_DIGITS;
}

/** A shorter text in hex may as well be a number. */
const MIN_TEXT_DIGITS = 40;

/** Whether a word in capitals means the chain, by what stands before it. */
function isOfChain(word: string, before: string): boolean {
  return !COMMON.has(word) || FIELD_BEFORE.test(before.slice(-48));
}
