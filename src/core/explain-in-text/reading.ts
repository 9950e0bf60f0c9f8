import { selectorOf } from "../abi/selector.ts";
import { findMessage } from "../explain/catalogue/catalogue.ts";
import type { Explanation } from "../explain/explanation.ts";
import { parseLoosely } from "../explain/loose-json.ts";
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

/** What tools for tests print about a failed call, with what it is in terms of the chain. */
const TOOLS: readonly (readonly [pattern: RegExp, inputOf: (text: string) => string])[] = [
  [/reverted with panic code (0x[0-9a-fA-F]{1,64})/, (code) => `Panic(${code})`],
  [/reverted with reason string '([^']{1,2000})'/, revertOf],
  [/\bexecution reverted: "?([^"\n(]{1,500})"?/, revertOf],
  [/\brevert(?:ed)?:? Reason given: ([^\n]{1,500})/i, revertOf],
];

/** A message of the node or of a tool in a line. */
export function readMessage(line: string, explain: Explain): Reading | undefined {
  for (const [pattern, inputOf] of TOOLS) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const input = inputOf(match[1] ?? "");
    return { start: match.index, end: match.index + match[0].length, input, explanation: explain(input) };
  }
  if (findMessage(line) === undefined) return undefined;
  const start = line.length - line.trimStart().length;
  const end = line.trimEnd().length;
  const explanation = explain(line.slice(start, end));
  return isWorthShowing(explanation) ? { start, end, input: line.slice(start, end), explanation } : undefined;
}

/** `Error(string)` as a contract would have given it back. */
function revertOf(reason: string): string {
  const text = Buffer.from(reason.trim(), "utf8");
  const words = Math.ceil(text.length / 32) * 64;
  const length = text.length.toString(16).padStart(64, "0");
  return `0x${selectorOf("Error(string)")}${"20".padStart(64, "0")}${length}${text.toString("hex").padEnd(words, "0")}`;
}
