import { withoutEscapes } from "../explain/decode/plain-forms.ts";
import { hasTrace } from "../explain/decode/trace.ts";
import { objectStarts } from "../explain/recognise/objects.ts";
import { tokensIn } from "../explain/recognise/token.ts";
import { mentionsMessage } from "../explain/words/message-words.ts";
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

const MAX_LENGTH = 16_384;
const MAX_OBJECTS = 8;
const MAX_TOKENS = 64;

/** A line without any of these, and without a message of the catalogue, says nothing of the chain. */
const TELLING =
  /[{}]|0x[0-9a-fA-F]{4}|[0-9a-fA-F]{16}|[A-Z]{3}|rror|revert|ailed|balance|exist|not |n't|nvalid|denied|dropped|isconnected|nonce|gas |edger|ronLink|allet|imeout|timed out|hang up|refused|closed|exceeded/;

/**
 * Returns the useful matches in a line: failed answers, then transaction ids, messages and revert data in hex, codes,
 * and last a message in plain text. They do not overlap and are in order. Only the first 16 k characters of a line are
 * read.
 */
export function readingsIn(line: string, explain: Explain, isOfChain = () => false): readonly Reading[] {
  const text = line.slice(0, MAX_LENGTH);
  if (!TELLING.test(text) && !mentionsMessage(withoutEscapes(text))) return [];
  const context = { explain, isOfChain: () => hasTrace(text) || isOfChain() };
  const objects = failedAnswers(text, context);
  const readings = [...objects, ...tokensOutside(text, objects, context)];
  const failed = readings.filter(({ explanation }) => explanation.category !== "none");
  if (objects.length > 0) return inOrder(readings);
  const message = readMessage(text, context);
  if (message === undefined || !failed.every((token) => saysMoreThan(token, message))) return inOrder(readings);
  return inOrder([message, ...readings.filter((one) => one.end <= message.start || one.start >= message.end)]);
}

function failedAnswers(text: string, context: ReadingContext): readonly Reading[] {
  const objects = failedObjects(text, context);
  const outside = [...readPlainAnswers(text, context)].filter((one) =>
    objects.every(({ start, end }) => one.end <= start || one.start >= end),
  );
  return [...objects, ...outside];
}

function failedObjects(text: string, context: ReadingContext): readonly Reading[] {
  const found: Reading[] = [];
  let tries = 0;
  for (const start of objectStarts(text)) {
    if (start < (found.at(-1)?.end ?? 0)) continue;
    if (tries++ >= MAX_OBJECTS) break;
    const reading = readObject(text, start, context);
    if (reading !== undefined) found.push(reading);
  }
  return found;
}

function tokensOutside(text: string, taken: readonly Reading[], context: ReadingContext): readonly Reading[] {
  const found: Reading[] = [];
  let looked = 0;
  for (const token of tokensIn(text)) {
    if (taken.some(({ start, end }) => token.start >= start && token.start < end)) continue;
    if (++looked > MAX_TOKENS) break;
    const reading = readToken(text, token, context);
    if (reading !== undefined && reading.explanation.code !== "ADDRESS") found.push(reading);
  }
  return found;
}

function inOrder(readings: readonly Reading[]): readonly Reading[] {
  return [...readings].sort((left, right) => left.start - right.start);
}

const MAX_LINES = 400;

/**
 * The last failure of a transaction that a command printed; undefined when there is none. Takes time linear in the
 * output.
 */
export function lastFailureIn(output: string, explain: Explain): Reading | undefined {
  const lines = withoutEscapes(output).split(/\r?\n/).slice(-MAX_LINES).reverse();
  for (const line of lines) {
    const failed = readingsIn(line, explain).filter(
      ({ explanation: { category } }) => category === "validation" || category === "execution" || category === "abi",
    );
    if (failed.length > 0) return failed.at(-1);
  }
  return undefined;
}
