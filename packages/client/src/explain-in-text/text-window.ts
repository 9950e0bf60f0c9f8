/** A document as far as a window needs it. */
export interface Lines {
  readonly lineCount: number;
  line(number: number): string;
}

export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** A part of a document around a place. */
export interface TextWindow {
  readonly text: string;
  /** The place, as an offset into the text. */
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
 * The text around a place: of its line the word and some of what is before and after, and the lines around when the
 * line itself is not cut. Its length has a bound, however long line and document are.
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

/** Whole lines, as many as there is room for. */
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
