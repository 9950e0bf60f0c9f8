import { readHttpFailure } from "../explain/decode/http-text.ts";
import { textInUrl, withoutEscapes, withoutJsonEscapes } from "../explain/decode/plain-forms.ts";
import { encodedDataIn } from "../explain/recognise/encoded-data.ts";
import type { Span } from "../explain/recognise/objects.ts";
import { objectAt } from "../explain/recognise/objects.ts";
import { pairsIn } from "../explain/recognise/pairs.ts";
import type { Token } from "../explain/recognise/token.ts";
import { findToolText } from "../explain/recognise/tool-text.ts";
import { isGeneral, saysRpcError } from "../explain/recognise/within-text.ts";
import { meansChain } from "../explain/recognise/word.ts";
import type { Explanation } from "../explain/result/explanation.ts";
import { mentionsMessage } from "../explain/words/message-words.ts";

/** A part of a text that the chain, a gateway or a tool wrote, and what it means. */
export interface Reading extends Span {
  /** Explained text: the part itself, or a tool's message in other terms. */
  readonly input: string;
  readonly explanation: Explanation;
}

/** `explain` with all that is known besides the text. */
export type Explain = (input: string) => Explanation;

/** Explain function for a text, and a check that its context is known to relate to the chain. */
export interface ReadingContext {
  readonly explain: Explain;
  /** Asked for only where a word or a phrase is one of everybody. */
  readonly isOfChain: () => boolean;
}

/** Returns the meaning of a token; undefined if it is not worth showing. */
export function readToken(
  text: string,
  { text: input, start, end }: Token,
  context: ReadingContext,
): Reading | undefined {
  if (!meansChain(input, text, start, context.isOfChain)) return undefined;
  const explanation = context.explain(input);
  return isWorthShowing(explanation, context) ? { start, end, input, explanation } : undefined;
}

/** The object that begins at an offset, when it tells of a failure. */
export function readObject(text: string, start: number, context: ReadingContext): Reading | undefined {
  const end = objectAt(text, start)?.end;
  if (end === undefined || end - start < 8) return undefined;
  const failure = failureIn(text, { start, end }, context);
  return failure?.explanation.code === "TRUNCATED_JSON" ? undefined : failure;
}

/**
 * Answers whose fields stand as pairs, revert data in base64, and what was made fit for a URL, when they tell of a
 * failure.
 */
export function* readPlainAnswers(text: string, context: ReadingContext): Generator<Reading> {
  for (const span of plainAnswersIn(text)) {
    const failure = failureIn(text, span, context);
    if (failure !== undefined) yield failure;
  }
}

function* plainAnswersIn(text: string): Generator<Span> {
  yield* pairsIn(text);
  yield* encodedDataIn(text);
  if (!text.includes("%")) return;
  for (const { index, 0: run } of text.matchAll(RUN))
    if (textInUrl(run) !== undefined) yield { start: index, end: index + run.length };
}

const RUN = /\S+/g;

function failureIn(text: string, { start, end }: Span, context: ReadingContext): Reading | undefined {
  const input = text.slice(start, end);
  const explanation = context.explain(input);
  const failed = explanation.category !== "none" && isWorthShowing(explanation, context);
  return failed ? { start, end, input, explanation } : undefined;
}

/** A message of the node, of a tool or of a network stack in a line. */
export function readMessage(line: string, context: ReadingContext): Reading | undefined {
  if (!line.includes(ESCAPE)) return readPlainMessage(line, context);
  const plain = withoutEscapes(line);
  // In a text with colours the whole line is meant: places in it are not those of the text without them.
  const reading = readPlainMessage(plain, context);
  return reading && { ...reading, start: 0, end: line.length };
}

function readPlainMessage(line: string, context: ReadingContext): Reading | undefined {
  const isEscaped = line.includes("\\");
  const tool = findToolText(isEscaped ? withoutJsonEscapes(line) : line);
  if (tool !== undefined && !isEscaped) {
    const input = line.slice(tool.start, tool.end);
    const explanation = context.explain(input);
    const whole = context.explain(line.trim());
    const agrees = whole.category === "none" || whole.code === explanation.code;
    return agrees
      ? { start: tool.start, end: tool.end, input, explanation }
      : { ...boundsOfText(line), input: line.trim(), explanation: whole };
  }
  const mayTell =
    tool !== undefined ||
    mentionsMessage(line) ||
    saysRpcError(line) ||
    ESCAPED_JSON.test(line) ||
    tellsOfNetwork(line, context);
  if (!mayTell) return undefined;
  const input = line.trim();
  const explanation = context.explain(input);
  return isWorthShowing(explanation, context) ? { ...boundsOfText(line), input, explanation } : undefined;
}

/** A line without the blanks around it. */
function boundsOfText(line: string): Span {
  return { start: line.length - line.trimStart().length, end: line.trimEnd().length };
}

/** Returns whether a message says more than a code or a result in its line. */
export function saysMoreThan(token: Reading, message: Reading | undefined): message is Reading {
  if (message === undefined || !/^(?:code|result)-/.test(token.explanation.entry)) return false;
  return message.explanation.category !== "none" && !isGeneral(message.explanation);
}

/** Asked last, and where it counts: it takes longest. */
function tellsOfNetwork(line: string, { isOfChain }: ReadingContext): boolean {
  return isOfChain() && readHttpFailure(line) !== undefined;
}

const ESCAPE = "\u001b";

/** JSON inside of a text of JSON: the decoder takes it out. */
const ESCAPED_JSON = /\{\\{1,3}"\w{1,40}\\{1,3}"\s?:/;

/** Readings that say nothing a person wants to hear without having asked. */
const SILENT = new Set(["HEX", "UNKNOWN_ANSWER", "JSON", "EMPTY_OBJECT"]);

/**
 * Returns true if an explanation is worth showing beside a text: it reports a failure, or names the content. Network
 * failures occur in all kinds of programs, so they count only in texts related to the chain.
 */
function isWorthShowing({ category, code, entry, sources, raw }: Explanation, { isOfChain }: ReadingContext): boolean {
  if (SILENT.has(code) || entry === "generic-unknown") return false;
  if (entry.startsWith("http-")) return isOfChain();
  if (category !== "none") return true;
  if (code === "SELECTOR") return sources.length > 0;
  return code !== "TEXT" || raw.length >= MIN_TEXT_DIGITS;
}

/** A shorter text in hex may as well be a number. */
const MIN_TEXT_DIGITS = 40;
