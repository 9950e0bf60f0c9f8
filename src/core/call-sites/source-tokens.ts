/** What a token is. Comments and blanks are no tokens; brackets are `open` and `close`, a template's `${` and `}` among them. */
export type TokenKind = "word" | "number" | "text" | "pattern" | "open" | "close" | "mark";

/**
 * The tokens of a source text as columns, so that 10,000 lines cost a few milliseconds.
 * `partners` holds, for a bracket, the index of the bracket that it belongs to, and -1 where there is none (half-typed code).
 */
export interface SourceTokens {
  readonly text: string;
  readonly kinds: readonly TokenKind[];
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly partners: Int32Array;
}

/** `script` is TypeScript and JavaScript: it has templates and regular expressions, Solidity has neither. */
export type Dialect = "script" | "solidity";

interface Reader extends SourceTokens {
  readonly kinds: TokenKind[];
  readonly dialect: Dialect;
  readonly unclosed: number[];
  position: number;
}

const CODE = {
  lineFeed: 10,
  carriageReturn: 13,
  space: 32,
  doubleQuote: 34,
  dollar: 36,
  singleQuote: 39,
  openRound: 40,
  closeRound: 41,
  star: 42,
  dot: 46,
  slash: 47,
  lessThan: 60,
  question: 63,
  openSquare: 91,
  backslash: 92,
  closeSquare: 93,
  backtick: 96,
  openCurly: 123,
  closeCurly: 125,
} as const;

/**
 * Splits a source text into tokens. It is total: half-typed code, unclosed strings and brackets without a partner are read as
 * far as they go. An unclosed string ends with its line, an unclosed comment or template with the text.
 */
export function tokenize(text: string, dialect: Dialect): SourceTokens {
  const reader = readerOf(text, dialect);
  if (text.startsWith("#!")) reader.position = endOfLine(text, 0);
  while (reader.position < text.length) readNext(reader);
  const { kinds, starts, ends, partners } = reader;
  const count = kinds.length;
  return {
    text,
    kinds,
    starts: starts.subarray(0, count),
    ends: ends.subarray(0, count),
    partners: partners.subarray(0, count),
  };
}

function readerOf(text: string, dialect: Dialect): Reader {
  const column = (): Int32Array => new Int32Array(text.length);
  return { text, dialect, kinds: [], starts: column(), ends: column(), partners: column(), unclosed: [], position: 0 };
}

/** The source text of a token. */
export function tokenText({ text, starts, ends }: SourceTokens, index: number): string {
  return text.slice(starts[index], ends[index]);
}

/** Whether a token is there and reads exactly so; costs no copy of the text. */
export function isToken({ text, starts, ends }: SourceTokens, index: number, wanted: string): boolean {
  const start = starts[index];
  return start !== undefined && ends[index] === start + wanted.length && text.startsWith(wanted, start);
}

function readNext(reader: Reader): void {
  const { text, position } = reader;
  const code = text.charCodeAt(position);
  if (isBlank(code)) reader.position = endOfBlanks(text, position);
  else if (startsWord(code)) add(reader, "word", endOfWord(text, position));
  else if (isDigit(code)) add(reader, "number", endOfNumber(text, position));
  else if (code === CODE.doubleQuote || code === CODE.singleQuote) add(reader, "text", endOfText(text, position, code));
  else if (code === CODE.slash) readSlash(reader);
  else if (code === CODE.backtick && reader.dialect === "script") readTemplate(reader, position + 1);
  else readMark(reader, code);
}

function isBlank(code: number): boolean {
  return code <= CODE.space || code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029;
}

function endOfBlanks(text: string, from: number): number {
  let at = from + 1;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function readMark(reader: Reader, code: number): void {
  const { text, position } = reader;
  const next = text.charCodeAt(position + 1);
  if (code === CODE.openRound || code === CODE.openSquare || code === CODE.openCurly) open(reader, position + 1);
  else if (code === CODE.closeRound || code === CODE.closeSquare || code === CODE.closeCurly) close(reader, code);
  else if (code === CODE.dot && isDigit(next)) add(reader, "number", endOfNumber(text, position));
  else if (code === CODE.dot && text.startsWith("...", position)) add(reader, "mark", position + 3);
  else if (code === CODE.question && next === CODE.dot && !isDigit(text.charCodeAt(position + 2)))
    add(reader, "mark", position + 2);
  else if ((code === 43 || code === 45) && next === code) add(reader, "mark", position + 2);
  else add(reader, "mark", position + 1);
}

function add(reader: Reader, kind: TokenKind, end: number): void {
  const index = reader.kinds.push(kind) - 1;
  reader.starts[index] = reader.position;
  reader.ends[index] = end;
  reader.partners[index] = -1;
  reader.position = end;
}

function open(reader: Reader, end: number): void {
  reader.unclosed.push(reader.kinds.length);
  add(reader, "open", end);
}

/** A closing bracket belongs to the nearest open one of its kind; those between the two were never closed. */
function close(reader: Reader, code: number): void {
  const depth = reader.unclosed.findLastIndex((index) => closes(reader, index, code));
  const opener = depth < 0 ? -1 : (reader.unclosed[depth] ?? -1);
  if (depth >= 0) reader.unclosed.length = depth;
  const inTemplate = opener >= 0 && reader.text.charCodeAt(reader.starts[opener] ?? 0) === CODE.backtick;
  if (inTemplate) readTemplate(reader, reader.position + 1, opener);
  else addClosing(reader, opener, reader.position + 1);
}

function addClosing(reader: Reader, opener: number, end: number): void {
  const closer = reader.kinds.length;
  add(reader, "close", end);
  reader.partners[closer] = opener;
  if (opener >= 0) reader.partners[opener] = closer;
}

function closes(reader: Reader, opener: number, code: number): boolean {
  const opened = reader.text.charCodeAt(reader.starts[opener] ?? 0);
  if (code === CODE.closeRound) return opened === CODE.openRound;
  if (code === CODE.closeSquare) return opened === CODE.openSquare;
  return opened === CODE.openCurly || opened === CODE.backtick;
}

/**
 * Reads the words of a template from `from` on. A template with values is one pair of brackets, from its first words to its last;
 * the words between two values are one mark, as a comma would be.
 */
function readTemplate(reader: Reader, from: number, opener = -1): void {
  const { text } = reader;
  const { end, more } = endOfTemplateWords(text, from);
  if (opener < 0 && more) open(reader, end);
  else if (opener < 0) add(reader, "text", end);
  else if (more) {
    add(reader, "mark", end);
    reader.unclosed.push(opener);
  } else addClosing(reader, opener, end);
}

function endOfTemplateWords(text: string, from: number): { end: number; more: boolean } {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === CODE.backslash) at += 1;
    else if (code === CODE.backtick) return { end: at + 1, more: false };
    else if (code === CODE.dollar && text.charCodeAt(at + 1) === CODE.openCurly) return { end: at + 2, more: true };
  }
  return { end: text.length, more: false };
}

function readSlash(reader: Reader): void {
  const { text, position } = reader;
  const next = text.charCodeAt(position + 1);
  if (next === CODE.slash) reader.position = endOfLine(text, position);
  else if (next === CODE.star) reader.position = endOfComment(text, position);
  else {
    const end = reader.dialect === "script" && patternMayStart(reader) ? endOfPattern(text, position) : undefined;
    if (end === undefined) add(reader, "mark", position + 1);
    else add(reader, "pattern", end);
  }
}

const BEFORE_PATTERN = new Set(
  "return typeof case in of delete void throw new do else await yield instanceof".split(" "),
);
const BEFORE_CONDITION = new Set(["if", "while", "for", "with"]);

/** A slash divides what stands before it, or begins a regular expression where no value can stand before it. */
function patternMayStart(reader: Reader): boolean {
  const last = reader.kinds.length - 1;
  const kind = reader.kinds[last] ?? "open";
  switch (kind) {
    case "open":
      return true;
    case "word":
      return BEFORE_PATTERN.has(tokenText(reader, last)) && !isToken(reader, last - 1, ".");
    case "close":
      return endsCondition(reader, last) || isToken(reader, last, "}");
    case "mark":
      return !isToken(reader, last, "++") && !isToken(reader, last, "--") && !endsTag(reader, last);
    case "number":
    case "text":
    case "pattern":
      return false;
  }
}

function endsCondition(reader: Reader, last: number): boolean {
  const opener = reader.partners[last] ?? -1;
  return opener > 0 && isToken(reader, last, ")") && BEFORE_CONDITION.has(tokenText(reader, opener - 1));
}

/** `</` closes a tag of JSX; `<` is never followed by a regular expression in code that means something. */
function endsTag(reader: Reader, last: number): boolean {
  return reader.ends[last] === reader.position && reader.text.charCodeAt(reader.position - 1) === CODE.lessThan;
}

function endOfPattern(text: string, from: number): number | undefined {
  let inClass = false;
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === CODE.lineFeed || code === CODE.carriageReturn) return undefined;
    if (code === CODE.backslash) at += 1;
    else if (code === CODE.openSquare) inClass = true;
    else if (code === CODE.closeSquare) inClass = false;
    else if (code === CODE.slash && !inClass) return endOfWord(text, at + 1);
  }
  return undefined;
}

function endOfText(text: string, from: number, quote: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === CODE.lineFeed || code === CODE.carriageReturn) return at;
    if (code === CODE.backslash) at += text.startsWith("\r\n", at + 1) ? 2 : 1;
  }
  return text.length;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function endOfComment(text: string, from: number): number {
  const end = text.indexOf("*/", from + 2);
  return end < 0 ? text.length : end + 2;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && isInWord(text.charCodeAt(at))) at += 1;
  return at;
}

/** Numbers with fractions, exponents, separators and units such as `n`; a sign counts only in an exponent. */
function endOfNumber(text: string, from: number): number {
  let at = endOfWord(text, from);
  while (text.charCodeAt(at) === CODE.dot && !text.startsWith("..", at)) at = endOfWord(text, at + 1);
  const hasSign = text[at] === "+" || text[at] === "-";
  return hasSign && /^[\d._]+e$/i.test(text.slice(from, at)) ? endOfWord(text, at + 1) : at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters, `_`, `$`, `#`, and everything beyond ASCII but its blanks. */
function startsWord(code: number): boolean {
  return isInWord(code) && !isDigit(code);
}

function isInWord(code: number): boolean {
  return code < IN_WORD.length ? IN_WORD[code] === 1 : code > 0xa0;
}

const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => (/[\w$#]/.test(String.fromCharCode(code)) ? 1 : 0));
