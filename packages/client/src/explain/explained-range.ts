import { stripHexPrefix } from "@finality/tron/primitives";
import { objectAt, objectStarts, pairsIn, type Span } from "./decode/json.ts";
import { hasTrace, textInUrl, withoutEscapes, withoutJsonEscapes } from "./decode/plain-text.ts";
import type { ExplainContext, Explanation } from "./explanation.ts";
import { mentionsMessage } from "./messages/find-message.ts";
import { readHttpFailure } from "./messages/http-text.ts";
import { findToolText } from "./messages/tool-text.ts";
import { meansChain, type Token, tokensIn } from "./tokens.ts";
import { encodedDataIn, isGeneral, namesRpcError } from "./within-text.ts";

/** Part of a text that the chain, a gateway or a tool wrote, with its meaning. */
export interface ExplainedRange extends Span {
  /** Explained text: the part itself, or a tool's message in other terms. */
  readonly input: string;
  readonly explanation: Explanation;
}

/** Calls `explain` with all known context. */
export type Explain = (input: string, options?: ExplainOptions) => Explanation;

export type ExplainOptions = Pick<ExplainContext, "isUnprompted">;

/** Explain function for a text, and a check that its context is known to relate to the chain. */
interface RangeContext {
  readonly explain: (input: string) => Explanation;
  /** Evaluated only for common words and phrases. */
  readonly isOfChain: () => boolean;
}

/**
 * Explains parts of a text that the user did not ask about. Object literals of source code have the subjects of
 * failures in their names: `{ txId: refused.txId }`.
 */
function unprompted(explain: Explain): (input: string) => Explanation {
  return (input) => explain(input, { isUnprompted: true });
}

/** Returns the meaning of a token; undefined if it is not worth showing. */
function tokenRange(
  text: string,
  { text: input, start, end }: Token,
  context: RangeContext,
): ExplainedRange | undefined {
  if (!meansChain(input, text, start, context.isOfChain)) return undefined;
  const explanation = context.explain(input);
  return isWorthShowing(explanation, context) ? { start, end, input, explanation } : undefined;
}

/** Returns the object that begins at an offset, if it reports a failure. */
function objectRange(text: string, start: number, context: RangeContext): ExplainedRange | undefined {
  const end = objectAt(text, start)?.end;
  if (end === undefined || end - start < 8) return undefined;
  const failure = failureIn(text, { start, end }, context);
  return failure?.explanation.code === "TRUNCATED_JSON" ? undefined : failure;
}

/** Returns answers whose fields are pairs, revert data in base64, and URL-encoded text, if they report a failure. */
function* plainAnswerRanges(text: string, context: RangeContext): Generator<ExplainedRange> {
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

function failureIn(text: string, { start, end }: Span, context: RangeContext): ExplainedRange | undefined {
  const input = text.slice(start, end);
  const explanation = context.explain(input);
  const failed = explanation.category !== "none" && isWorthShowing(explanation, context);
  return failed ? { start, end, input, explanation } : undefined;
}

/** Returns a message of the node, a tool or a network stack in a line. */
function messageRange(line: string, context: RangeContext): ExplainedRange | undefined {
  if (!line.includes(ESCAPE)) return plainMessageRange(line, context);
  const plain = withoutEscapes(line);
  // In a text with colors the whole line matches, because offsets without the colors differ.
  const range = plainMessageRange(plain, context);
  return range && { ...range, start: 0, end: line.length };
}

function plainMessageRange(line: string, context: RangeContext): ExplainedRange | undefined {
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
  const mayExplain =
    tool !== undefined ||
    mentionsMessage(line) ||
    namesRpcError(line) ||
    ESCAPED_JSON.test(line) ||
    namesNetwork(line, context);
  if (!mayExplain) return undefined;
  const input = line.trim();
  const explanation = context.explain(input);
  return isWorthShowing(explanation, context) ? { ...boundsOfText(line), input, explanation } : undefined;
}

/** Trims a line. */
function boundsOfText(line: string): Span {
  return { start: line.length - line.trimStart().length, end: line.trimEnd().length };
}

/** Returns whether a message is more specific than a code or a result in its line. */
function isMoreSpecificThan(token: ExplainedRange, message: ExplainedRange | undefined): message is ExplainedRange {
  if (message === undefined || !/^(?:code|result)-/.test(token.explanation.entry)) return false;
  return message.explanation.category !== "none" && !isGeneral(message.explanation);
}

/** Evaluated last and only if needed, because it takes longest. */
function namesNetwork(line: string, { isOfChain }: RangeContext): boolean {
  return isOfChain() && readHttpFailure(line) !== undefined;
}

const ESCAPE = "\u001b";

/** JSON as a string inside JSON: the decoder unwraps it. */
const ESCAPED_JSON = /\{\\{1,3}"\w{1,40}\\{1,3}"\s?:/;

/** Ranges that are not worth showing unless the user asks. */
const SILENT = new Set(["HEX", "UNKNOWN_ANSWER", "JSON", "EMPTY_OBJECT"]);

/**
 * Returns true if an explanation is worth showing beside a text: it reports a failure, or names the content. Network
 * failures occur in all kinds of programs, so they count only in texts related to the chain.
 */
function isWorthShowing({ category, code, entry, sources, raw }: Explanation, { isOfChain }: RangeContext): boolean {
  if (SILENT.has(code) || entry === "generic-unknown") return false;
  if (entry.startsWith("http-")) return isOfChain();
  if (category !== "none") return true;
  if (code === "SELECTOR") return sources.length > 0;
  return code !== "TEXT" || raw.length >= MIN_TEXT_DIGITS;
}

/** Shorter hex may be a number. */
const MIN_TEXT_DIGITS = 40;

const MAX_OBJECTS = 16;

/** Information available besides the text. */
export interface KnownContext {
  /** A token for a tracked transaction takes precedence over the answer that names it. */
  readonly isTracked?: (txId: string) => boolean;
  /** Returns true if the file, or the command that printed the text, relates to the chain. */
  readonly isOfChain?: () => boolean;
}

/**
 * Returns the best match at an offset of a text: the failed answer around it, the token under it, or a message in its
 * line. Undefined if nothing is worth showing. Takes time linear in the text; cut the text around the offset first.
 *
 * @param known - Context besides the text.
 */
export function rangeAt(
  text: string,
  offset: number,
  explain: Explain,
  { isTracked = () => false, isOfChain = () => false }: KnownContext = {},
): ExplainedRange | undefined {
  const context = { explain: unprompted(explain), isOfChain: () => hasTrace(text) || isOfChain() };
  const token = tokenAt(text, offset, context);
  if (token !== undefined && isTracked(stripHexPrefix(token.input).toLowerCase())) return token;
  const object = failedObjectAt(text, offset, context);
  if (object !== undefined) return object;
  for (const answer of plainAnswerRanges(text, context))
    if (answer.start <= offset && offset <= answer.end) return answer;
  const message = messageAt(text, offset, context);
  const failed = token !== undefined && token.explanation.category !== "none" ? token : undefined;
  if (failed !== undefined) {
    const covers = isMoreSpecificThan(failed, message) && message.start <= offset && offset <= message.end;
    return covers ? message : failed;
  }
  return message ?? toolTextAt(text, offset, context) ?? token;
}

function tokenAt(text: string, offset: number, context: RangeContext): ExplainedRange | undefined {
  const line = lineAt(text, offset);
  const from = Math.max(line.start, startOfRun(text, startOfRun(text, offset) - 1));
  for (const token of tokensIn(text.slice(from, line.end))) {
    const start = from + token.start;
    const end = from + token.end;
    if (start <= offset && offset <= end) return tokenRange(text, { ...token, start, end }, context);
    if (start > offset) break;
  }
  return undefined;
}

/** Returns the start of a run of characters without a blank. A token is one run, or two: `Panic(uint256 0x11)`. */
function startOfRun(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf(" ", offset - 1) + 1;
}

/** Searches from the innermost object outwards: the first failed one, and the enclosing ones with the same failure. */
function failedObjectAt(text: string, offset: number, context: RangeContext): ExplainedRange | undefined {
  let found: ExplainedRange | undefined;
  const starts = [...objectStarts(text)].filter((start) => start <= offset).slice(-MAX_OBJECTS);
  for (const start of starts.reverse()) {
    const range = objectRange(text, start, context);
    if (range === undefined || range.end < offset) continue;
    const explainsMore = found === undefined || isGeneral(found.explanation);
    if (!explainsMore && range.explanation.code !== found?.explanation.code) break;
    found = range;
  }
  return found;
}

function messageAt(text: string, offset: number, context: RangeContext): ExplainedRange | undefined {
  const line = lineAt(text, offset);
  const range = messageRange(text.slice(line.start, line.end), context);
  return range && { ...range, start: line.start + range.start, end: line.start + range.end };
}

/** Returns the tool output of several lines that contains the offset. */
function toolTextAt(text: string, offset: number, { explain }: RangeContext): ExplainedRange | undefined {
  const from = startOfLines(text, offset, LINES_OF_A_FORM);
  const lines = text.slice(from, offset + REACH_OF_A_FORM);
  const found = lines.includes("\n") ? findToolText(lines) : undefined;
  if (found === undefined) return undefined;
  const [start, end] = [from + found.start, from + found.end];
  if (offset < start || offset > end) return undefined;
  const input = text.slice(start, end);
  return { start, end, input, explanation: explain(input) };
}

const LINES_OF_A_FORM = 4;
const REACH_OF_A_FORM = 2_048;

/** Returns the start of the line that is the given number of lines before an offset. */
function startOfLines(text: string, offset: number, count: number): number {
  let start = offset;
  for (let line = 0; line < count && start > 0; line++) start = text.lastIndexOf("\n", start - 1);
  return Math.max(0, start);
}

function lineAt(text: string, offset: number): Span {
  const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  return { start, end: end < 0 ? text.length : end };
}

const MAX_LENGTH = 16_384;
const MAX_LINKED_OBJECTS = 8;
const MAX_TOKENS = 64;

/** Lines without any of these, and without a message of the catalogue, do not refer to the chain. */
const SPECIFIC =
  /[{}]|0x[0-9a-fA-F]{4}|[0-9a-fA-F]{16}|[A-Z]{3}|rror|revert|ailed|balance|exist|not |n't|nvalid|denied|dropped|isconnected|nonce|gas |edger|ronLink|allet|imeout|timed out|hang up|refused|closed|exceeded/;

/**
 * Returns the useful matches in a line: failed answers, then transaction ids, messages and revert data in hex, codes,
 * and last a message in plain text. They do not overlap and are in order. Only the first 16 k characters of a line are
 * read.
 */
export function rangesIn(line: string, explain: Explain, isOfChain = () => false): readonly ExplainedRange[] {
  const text = line.slice(0, MAX_LENGTH);
  if (!SPECIFIC.test(text) && !mentionsMessage(withoutEscapes(text))) return [];
  const context = { explain: unprompted(explain), isOfChain: () => hasTrace(text) || isOfChain() };
  const objects = failedAnswers(text, context);
  const ranges = [...objects, ...tokensOutside(text, objects, context)];
  const failed = ranges.filter(({ explanation }) => explanation.category !== "none");
  if (objects.length > 0) return inOrder(ranges);
  const message = messageRange(text, context);
  if (message === undefined || !failed.every((token) => isMoreSpecificThan(token, message))) return inOrder(ranges);
  return inOrder([message, ...ranges.filter((one) => one.end <= message.start || one.start >= message.end)]);
}

function failedAnswers(text: string, context: RangeContext): readonly ExplainedRange[] {
  const objects = failedObjects(text, context);
  const outside = [...plainAnswerRanges(text, context)].filter((one) =>
    objects.every(({ start, end }) => one.end <= start || one.start >= end),
  );
  return [...objects, ...outside];
}

function failedObjects(text: string, context: RangeContext): readonly ExplainedRange[] {
  const found: ExplainedRange[] = [];
  let tries = 0;
  for (const start of objectStarts(text)) {
    if (start < (found.at(-1)?.end ?? 0)) continue;
    if (tries++ >= MAX_LINKED_OBJECTS) break;
    const range = objectRange(text, start, context);
    if (range !== undefined) found.push(range);
  }
  return found;
}

function tokensOutside(
  text: string,
  taken: readonly ExplainedRange[],
  context: RangeContext,
): readonly ExplainedRange[] {
  const found: ExplainedRange[] = [];
  let searched = 0;
  for (const token of tokensIn(text)) {
    if (taken.some(({ start, end }) => token.start >= start && token.start < end)) continue;
    if (++searched > MAX_TOKENS) break;
    const range = tokenRange(text, token, context);
    if (range !== undefined && range.explanation.code !== "ADDRESS") found.push(range);
  }
  return found;
}

function inOrder(ranges: readonly ExplainedRange[]): readonly ExplainedRange[] {
  return [...ranges].sort((left, right) => left.start - right.start);
}

const MAX_OUTPUT_LINES = 400;

/**
 * Returns the last failure of a transaction in a command's output; undefined if there is none. Takes time linear in the
 * output.
 */
export function lastFailureIn(output: string, explain: Explain): ExplainedRange | undefined {
  const lines = withoutEscapes(output).split(/\r?\n/).slice(-MAX_OUTPUT_LINES).reverse();
  for (const line of lines) {
    const failed = rangesIn(line, explain).filter(
      ({ explanation: { category } }) => category === "validation" || category === "execution" || category === "abi",
    );
    if (failed.length > 0) return failed.at(-1);
  }
  return undefined;
}

const MAX_ANSWERS = 500;
/** Maximum length parsed in total: an object that did not fail is searched for inner objects. */
const MAX_WORK = 2_000_000;

/** Returns the failed answers in a document, in order. They may span many lines. */
export function failedAnswersIn(text: string, explain: Explain): readonly ExplainedRange[] {
  const ranges: ExplainedRange[] = [];
  let work = 0;
  let read = 0;
  const context = { explain: unprompted(explain), isOfChain: () => hasTrace(text) };
  for (const start of objectStarts(text)) {
    if (start < read) continue;
    if (ranges.length >= MAX_ANSWERS || work >= MAX_WORK) break;
    const range = objectRange(text, start, context);
    work += (range?.end ?? nextBrace(text, start)) - start;
    if (range === undefined) continue;
    ranges.push(range);
    read = range.end;
  }
  return ranges;
}

function nextBrace(text: string, at: number): number {
  const end = text.indexOf("}", at);
  return end < 0 ? text.length : end;
}

/** Part of a document that a window needs. */
export interface Lines {
  readonly lineCount: number;
  line(number: number): string;
}

export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Part of a document around a position. */
export interface TextWindow {
  readonly text: string;
  /** Offset of the position in the text. */
  readonly offset: number;
  /** Position of the text's first character in the document. */
  readonly start: TextPosition;
}

/** Maximum length read on each side, within the line and in the lines around it. A single word may be longer. */
const LINE = 2_048;
const AROUND = 4_096;
const MAX_LINES = 60;
const WORD = 65_536;

/**
 * Returns the text around a position: the word and its neighbourhood in the line, and the surrounding lines if the line
 * is not cut. The length is limited, however long the line and the document are.
 */
export function windowAt(lines: Lines, { line, character }: TextPosition): TextWindow {
  const own = lines.line(line);
  const at = Math.min(character, own.length);
  const from = startOfWord(own, at, Math.max(0, at - LINE));
  const to = endOfWord(own, at, Math.min(own.length, at + LINE));
  const before = from > 0 ? [] : linesBefore(lines, line);
  const after = to < own.length ? [] : linesAfter(lines, line);
  const start = before.length > 0 ? { line: line - before.length, character: 0 } : { line, character: from };
  const head = before.map((one) => `${one}\n`).join("");
  return {
    text: head + own.slice(from, to) + after.map((one) => `\n${one}`).join(""),
    offset: head.length + at - from,
    start,
  };
}

/** Returns the document position of an offset in a window. */
export function positionIn({ text, start }: TextWindow, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const breaks = before.split("\n").length - 1;
  if (breaks === 0) return { line: start.line, character: start.character + offset };
  return { line: start.line + breaks, character: offset - before.lastIndexOf("\n") - 1 };
}

/** Moves back out of a word that a cut would divide. */
function startOfWord(text: string, at: number, from: number): number {
  const least = Math.max(0, at - WORD);
  let start = from;
  while (start > least && isWord(text, start) && isWord(text, start - 1)) start--;
  return start;
}

function endOfWord(text: string, at: number, to: number): number {
  const most = Math.min(text.length, at + WORD);
  let end = to;
  while (end < most && isWord(text, end) && isWord(text, end - 1)) end++;
  return end;
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return true;
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

function linesBefore(lines: Lines, line: number): readonly string[] {
  return linesAlong(lines, { first: line - 1, last: Math.max(0, line - MAX_LINES), step: -1 }).reverse();
}

function linesAfter(lines: Lines, line: number): readonly string[] {
  return linesAlong(lines, { first: line + 1, last: Math.min(lines.lineCount, line + MAX_LINES) - 1, step: 1 });
}

/** Returns whole lines up to the maximum length. */
function linesAlong(lines: Lines, { first, last, step }: { first: number; last: number; step: 1 | -1 }): string[] {
  const found: string[] = [];
  let room = AROUND;
  for (let number = first; number * step <= last * step; number += step) {
    const text = lines.line(number);
    room -= text.length;
    if (room < 0) break;
    found.push(text);
  }
  return found;
}
