import { stripHexPrefix } from "@finality/tron/primitives";
import { hasTrace } from "../explain/decode/trace.ts";
import { objectStarts, type Span } from "../explain/recognise/objects.ts";
import { tokensIn } from "../explain/recognise/token.ts";
import { findToolText } from "../explain/recognise/tool-text.ts";
import { isGeneral } from "../explain/recognise/within-text.ts";
import {
  type Explain,
  type Reading,
  type ReadingContext,
  readMessage,
  readObject,
  readPlainAnswers,
  readToken,
  saysMoreThan,
} from "./reading.ts";

const MAX_OBJECTS = 16;

/** Information available besides the text. */
export interface Known {
  /** A token that is one of our transactions comes before the answer that names it. */
  readonly isTracked?: (txId: string) => boolean;
  /** Returns true if the file, or the command that printed the text, relates to the chain. */
  readonly isOfChain?: () => boolean;
}

/**
 * Returns the best match at an offset of a text: the failed answer around it, the token under it, or a message in its
 * line. Undefined if nothing is worth showing. Takes time linear in the text; cut the text around the offset first.
 *
 * @param known - what is known besides the text
 */
export function readingAt(
  text: string,
  offset: number,
  explain: Explain,
  { isTracked = () => false, isOfChain = () => false }: Known = {},
): Reading | undefined {
  const context = { explain, isOfChain: () => hasTrace(text) || isOfChain() };
  const token = tokenAt(text, offset, context);
  if (token !== undefined && isTracked(stripHexPrefix(token.input).toLowerCase())) return token;
  const object = failedObjectAt(text, offset, context);
  if (object !== undefined) return object;
  for (const answer of readPlainAnswers(text, context))
    if (answer.start <= offset && offset <= answer.end) return answer;
  const message = messageAt(text, offset, context);
  const failed = token !== undefined && token.explanation.category !== "none" ? token : undefined;
  if (failed !== undefined) {
    const covers = saysMoreThan(failed, message) && message.start <= offset && offset <= message.end;
    return covers ? message : failed;
  }
  return message ?? toolTextAt(text, offset, context) ?? token;
}

function tokenAt(text: string, offset: number, context: ReadingContext): Reading | undefined {
  const line = lineAt(text, offset);
  const from = Math.max(line.start, startOfRun(text, startOfRun(text, offset) - 1));
  for (const token of tokensIn(text.slice(from, line.end))) {
    const start = from + token.start;
    const end = from + token.end;
    if (start <= offset && offset <= end) return readToken(text, { ...token, start, end }, context);
    if (start > offset) break;
  }
  return undefined;
}

/** Returns the start of a run of characters without a blank. A token is one run, or two: `Panic(uint256 0x11)`. */
function startOfRun(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf(" ", offset - 1) + 1;
}

/** From the innermost object outwards: the first that failed, and those around it that tell the same failure. */
function failedObjectAt(text: string, offset: number, context: ReadingContext): Reading | undefined {
  let found: Reading | undefined;
  const starts = [...objectStarts(text)].filter((start) => start <= offset).slice(-MAX_OBJECTS);
  for (const start of starts.reverse()) {
    const reading = readObject(text, start, context);
    if (reading === undefined || reading.end < offset) continue;
    const tellsMore = found === undefined || isGeneral(found.explanation);
    if (!tellsMore && reading.explanation.code !== found?.explanation.code) break;
    found = reading;
  }
  return found;
}

function messageAt(text: string, offset: number, context: ReadingContext): Reading | undefined {
  const line = lineAt(text, offset);
  const reading = readMessage(text.slice(line.start, line.end), context);
  return reading && { ...reading, start: line.start + reading.start, end: line.start + reading.end };
}

/** Returns the tool output of several lines that contains the offset. */
function toolTextAt(text: string, offset: number, { explain }: ReadingContext): Reading | undefined {
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
