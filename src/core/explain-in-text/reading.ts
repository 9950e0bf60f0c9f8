import { findMessage } from "../explain/catalogue/catalogue.ts";
import { parseLoosely } from "../explain/loose-json.ts";
import type { Explanation } from "../explain/result/explanation.ts";
import { findToolText } from "../explain/tool-text.ts";
import { isOfChain, isWorthShowing } from "./worth.ts";

/** A part of a text that the chain, a gateway or a tool wrote, and what it means. */
export interface Reading {
  readonly start: number;
  /** The offset after it. */
  readonly end: number;
  /** What was explained: the part itself, or what a tool printed in other words. */
  readonly input: string;
  readonly explanation: Explanation;
}

/** `explain` with all that is known besides the text. */
export type Explain = (input: string) => Explanation;

/** Hex, addresses, words in capitals and panics. `\b` lets each match begin at a word only, so it takes time linear in the text. */
export const TOKEN =
  /\b0x[0-9a-fA-F]{8,}\b|\b[0-9a-fA-F]{16,}\b|\bT[1-9A-HJ-NP-Za-km-z]{33}\b|\bPanic\((?:0x)?[0-9a-fA-F]{1,64}\)|\b[A-Z][A-Z0-9_]{2,40}\b/g;

/** What a token means; undefined when that is not worth a word. */
export function readToken(text: string, start: number, end: number, explain: Explain): Reading | undefined {
  const input = text.slice(start, end);
  if (/^[A-Z][A-Z0-9_]+$/.test(input) && !isOfChain(input, text.slice(Math.max(0, start - 48), start)))
    return undefined;
  const explanation = explain(input);
  return isWorthShowing(explanation) ? { start, end, input, explanation } : undefined;
}

/** The object that begins at an offset, when it tells of a failure. */
export function readObject(text: string, start: number, explain: Explain): Reading | undefined {
  const end = parseLoosely(text, start)?.end;
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
  if (findMessage(line) === undefined) return undefined;
  const start = line.length - line.trimStart().length;
  const end = line.trimEnd().length;
  const explanation = explain(line.slice(start, end));
  return isWorthShowing(explanation) ? { start, end, input: line.slice(start, end), explanation } : undefined;
}
