import { type Explain, type Reading, readMessage, readObject, readToken, TOKEN } from "./reading.ts";
import { wordAround } from "./text-window.ts";

const MAX_OBJECTS = 16;

/**
 * What stands at a place of a text: the failed answer around it, the token under it, or a message in its line. The best one comes
 * first; undefined when nothing of it is worth a word. Takes time linear in the text; cut the text around the place before.
 *
 * @param isTracked - a token that is one of our transactions comes before the answer that names it
 */
export function readingAt(
  text: string,
  offset: number,
  explain: Explain,
  isTracked: (txId: string) => boolean = () => false,
): Reading | undefined {
  const token = tokenAt(text, offset, explain);
  if (token !== undefined && isTracked(token.input.replace(/^0x/i, "").toLowerCase())) return token;
  const object = failedObjectAround(text, offset, explain);
  if (object !== undefined) return object;
  if (token !== undefined && token.explanation.category !== "none") return token;
  return messageAt(text, offset, explain) ?? token;
}

function tokenAt(text: string, offset: number, explain: Explain): Reading | undefined {
  const word = wordAround(text, offset);
  if (word.end - word.start < 3) return undefined;
  // `Panic(0x11)` is three words for wordAround, and one token.
  const from = Math.max(0, word.start - 6);
  const around = text.slice(from, Math.min(text.length, word.end + 70));
  for (const match of around.matchAll(TOKEN)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (start <= offset && offset <= end) return readToken(text, start, end, explain);
    if (start > offset) break;
  }
  return undefined;
}

/** From the innermost object outwards: the first that failed, and those around it that tell the same failure. */
function failedObjectAround(text: string, offset: number, explain: Explain): Reading | undefined {
  let found: Reading | undefined;
  let at = text.lastIndexOf("{", offset);
  for (let tries = 0; at >= 0 && tries < MAX_OBJECTS; tries++) {
    const reading = readObject(text, at, explain);
    if (reading !== undefined && reading.end >= offset) {
      if (found !== undefined && reading.explanation.code !== found.explanation.code) break;
      found = reading;
    }
    at = at === 0 ? -1 : text.lastIndexOf("{", at - 1);
  }
  return found;
}

function messageAt(text: string, offset: number, explain: Explain): Reading | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const next = text.indexOf("\n", offset);
  const reading = readMessage(text.slice(start, next < 0 ? text.length : next), explain);
  return reading && { ...reading, start: start + reading.start, end: start + reading.end };
}
