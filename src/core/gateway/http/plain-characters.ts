/** A text with its escapes resolved and its blanks left out, and where its characters were. */
export interface PlainText {
  readonly text: string;
  /** Nothing was resolved or left out. */
  readonly isSame: boolean;
  /** Where a stretch of the plain text begins and ends in the original. */
  originalOf(from: number, to: number): readonly [from: number, to: number];
}

/** Escapes of JSON (in JSON, too), URLs and HTML, and what a folded line has between its parts. */
const ESCAPES =
  /\\+(?:u00([0-9a-f]{2})|x([0-9a-f]{2})|[rnt])|%(?:25)?([0-9a-f]{2})|&#x0{0,4}([0-9a-f]{2});|&#0{0,4}(\d{2,3});|&(amp|lt|gt|quot|apos);|\\+|\s+/gi;

const NAMED: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** What was written otherwise: how many characters it became, and where both end. */
interface Change {
  readonly length: number;
  readonly end: number;
  readonly originalEnd: number;
}

/** For finding a text however it is written; the result is for looking, not for reading. */
export function plainText(original: string): PlainText {
  const changes: Change[] = [];
  let [text, done] = ["", 0];
  for (const match of original.matchAll(ESCAPES)) {
    const plain = resolved(match);
    text += original.slice(done, match.index) + plain;
    done = match.index + match[0].length;
    changes.push({ length: plain.length, end: text.length, originalEnd: done });
  }
  if (changes.length === 0) return { text: original, isSame: true, originalOf: (from, to) => [from, to] };
  text += original.slice(done);
  return { text, isSame: false, originalOf: (from, to) => [beginOf(changes, from), endOf(changes, to)] };
}

function resolved([, json, x, url, htmlHex, html, named]: RegExpMatchArray): string {
  const hex = json ?? x ?? url ?? htmlHex;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (html !== undefined) return String.fromCharCode(Number(html));
  return named === undefined ? "" : (NAMED[named.toLowerCase()] ?? "");
}

/** Behind what was left out before it. */
function beginOf(changes: readonly Change[], at: number): number {
  const last = changes.findLast(({ end }) => end <= at);
  return last === undefined ? at : last.originalEnd + at - last.end;
}

/** Before what was left out behind it. */
function endOf(changes: readonly Change[], at: number): number {
  const last = changes.findLast(({ end, length }) => end < at || (end === at && length > 0));
  return last === undefined ? at : last.originalEnd + at - last.end;
}
