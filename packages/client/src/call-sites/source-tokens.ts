/**
 * Kinds of tokens. Comments and whitespace are not tokens; brackets are `open` and `close`, including a template's `${`
 * and `}`.
 */
export const KIND = { word: 1, number: 2, text: 3, pattern: 4, open: 5, close: 6, mark: 7 } as const;

type TokenKind = (typeof KIND)[keyof typeof KIND];

/**
 * Tokens of a source text as columns, so that 10,000 lines take few milliseconds; `kinds` holds values of `KIND`.
 * `partners` holds the index of the matching bracket, and -1 if there is none (incomplete code).
 */
export interface SourceTokens extends Readonly<Columns> {
  readonly text: string;
  readonly count: number;
}

interface Columns {
  kinds: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  partners: Int32Array;
}

/** `script` is TypeScript and JavaScript: it has templates and regular expressions, Solidity has neither. */
export type Dialect = "script" | "solidity";

interface Reader extends Columns {
  readonly text: string;
  readonly dialect: Dialect;
  readonly unclosed: number[];
  position: number;
  count: number;
}

/**
 * Splits a source text into tokens. Total: incomplete code, unclosed strings and unmatched brackets are read as far as
 * possible. An unclosed string ends with its line, an unclosed comment or template with the text.
 */
export function tokenize(text: string, dialect: Dialect): SourceTokens {
  const reader = readerOf(text, dialect);
  if (text.startsWith("#!")) reader.position = endOfLine(text, 0);
  while (reader.position < text.length) readNext(reader);
  const { count, kinds, starts, ends, partners } = reader;
  return {
    text,
    count,
    kinds: kinds.subarray(0, count),
    starts: starts.subarray(0, count),
    ends: ends.subarray(0, count),
    partners: partners.subarray(0, count),
  };
}

/** Code has about seven characters per token. Columns as long as the text would take a quarter of the run time. */
const CHARACTERS_A_TOKEN = 4;

function readerOf(text: string, dialect: Dialect): Reader {
  const columns = columnsOf(Math.ceil(text.length / CHARACTERS_A_TOKEN));
  return { text, dialect, unclosed: [], position: 0, count: 0, ...columns };
}

function columnsOf(length: number): Columns {
  const column = (): Int32Array => new Int32Array(length);
  return { kinds: new Uint8Array(length), starts: column(), ends: column(), partners: column() };
}

/** Enlarges the columns for a text with shorter tokens than expected. */
function widen(reader: Reader): void {
  const columns = columnsOf(reader.count * 2);
  columns.kinds.set(reader.kinds);
  columns.starts.set(reader.starts);
  columns.ends.set(reader.ends);
  columns.partners.set(reader.partners);
  Object.assign(reader, columns);
}

/** Returns the source text of a token. */
export function tokenText({ text, starts, ends }: SourceTokens, index: number): string {
  return text.slice(starts[index], ends[index]);
}

/** Returns true if the token has exactly this text, without copying it. */
export function isToken({ text, starts, ends }: SourceTokens, index: number, expected: string): boolean {
  const start = starts[index];
  return start !== undefined && ends[index] === start + expected.length && text.startsWith(expected, start);
}

/** Returns true for a token between an object and its member. */
export function isDot(tokens: SourceTokens, at: number): boolean {
  return isToken(tokens, at, ".") || isToken(tokens, at, "?.");
}

function readNext(reader: Reader): void {
  const { text, position } = reader;
  const code = text.charCodeAt(position);
  if (isBlank(code)) reader.position = endOfBlanks(text, position);
  else if (startsWord(code)) add(reader, KIND.word, endOfWord(text, position + 1));
  else if (isDigit(code)) add(reader, KIND.number, endOfNumber(text, position));
  else readSign(reader, code);
}

function readSign(reader: Reader, code: number): void {
  const { text, position } = reader;
  switch (code) {
    case CODE.openRound:
    case CODE.openSquare:
    case CODE.openCurly:
      open(reader, position + 1);
      break;
    case CODE.closeRound:
    case CODE.closeSquare:
    case CODE.closeCurly:
      close(reader, code);
      break;
    case CODE.doubleQuote:
    case CODE.singleQuote:
      add(reader, KIND.text, endOfText(text, position, code));
      break;
    case CODE.slash:
      readSlash(reader);
      break;
    case CODE.dot:
      readDot(reader);
      break;
    default:
      if (code === CODE.backtick && reader.dialect === "script") readTemplate(reader, position + 1);
      else add(reader, KIND.mark, endOfMark(text, position, code));
  }
}

/** A dot, three dots, or the start of a number. */
function readDot(reader: Reader): void {
  const { text, position } = reader;
  if (isDigit(text.charCodeAt(position + 1))) add(reader, KIND.number, endOfNumber(text, position));
  else add(reader, KIND.mark, text.startsWith("...", position) ? position + 3 : position + 1);
}

function add(reader: Reader, kind: TokenKind, end: number): void {
  const index = reader.count;
  if (index === reader.kinds.length) widen(reader);
  reader.count = index + 1;
  reader.kinds[index] = kind;
  reader.starts[index] = reader.position;
  reader.ends[index] = end;
  reader.partners[index] = -1;
  reader.position = end;
}

function open(reader: Reader, end: number): void {
  reader.unclosed.push(reader.count);
  add(reader, KIND.open, end);
}

/** A closing bracket matches the nearest open one of its kind; brackets between the two were never closed. */
function close(reader: Reader, code: number): void {
  const { unclosed } = reader;
  let depth = unclosed.length - 1;
  while (depth >= 0 && !closes(reader, unclosed[depth] ?? 0, code)) depth -= 1;
  const opener = unclosed[depth] ?? -1;
  if (depth >= 0) unclosed.length = depth;
  const inTemplate = opener >= 0 && reader.text.charCodeAt(reader.starts[opener] ?? 0) === CODE.backtick;
  if (inTemplate) readTemplate(reader, reader.position + 1, opener);
  else addClosing(reader, opener, reader.position + 1);
}

function addClosing(reader: Reader, opener: number, end: number): void {
  const closer = reader.count;
  add(reader, KIND.close, end);
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
 * Reads the literal parts of a template from `from` on. A template with values is one pair of brackets; the text
 * between two values is one token, like a comma.
 */
function readTemplate(reader: Reader, from: number, opener = -1): void {
  const { text } = reader;
  const { end, more } = endOfTemplateWords(text, from);
  if (opener < 0 && more) open(reader, end);
  else if (opener < 0) add(reader, KIND.text, end);
  else if (more) {
    add(reader, KIND.mark, end);
    reader.unclosed.push(opener);
  } else addClosing(reader, opener, end);
}

function readSlash(reader: Reader): void {
  const { text, position } = reader;
  const next = text.charCodeAt(position + 1);
  if (next === CODE.slash) reader.position = endOfLine(text, position);
  else if (next === CODE.star) reader.position = endOfComment(text, position);
  else {
    const end = reader.dialect === "script" && patternMayStart(reader) ? endOfPattern(text, position) : undefined;
    if (end === undefined) add(reader, KIND.mark, position + 1);
    else add(reader, KIND.pattern, end);
  }
}

const BEFORE_PATTERN = new Set(
  "return typeof case in of delete void throw new do else await yield instanceof".split(" "),
);
const BEFORE_CONDITION = new Set(["if", "while", "for", "with"]);

/** A slash is a division after a value, otherwise the start of a regular expression. */
function patternMayStart(reader: Reader): boolean {
  const last = reader.count - 1;
  switch (reader.kinds[last]) {
    case undefined:
    case KIND.open:
      return true;
    case KIND.word:
      return BEFORE_PATTERN.has(tokenText(reader, last)) && !isToken(reader, last - 1, ".");
    case KIND.close:
      return endsCondition(reader, last) || isToken(reader, last, "}");
    case KIND.mark:
      return !isToken(reader, last, "++") && !isToken(reader, last, "--") && !endsTag(reader, last);
    default:
      return false;
  }
}

function endsCondition(reader: Reader, last: number): boolean {
  const opener = reader.partners[last] ?? -1;
  return opener > 0 && isToken(reader, last, ")") && BEFORE_CONDITION.has(tokenText(reader, opener - 1));
}

/** `</` closes a JSX tag; `<` is never followed by a regular expression in valid code. */
function endsTag(reader: Reader, last: number): boolean {
  return reader.ends[last] === reader.position && reader.text.charCodeAt(reader.position - 1) === CODE.lessThan;
}

/** Character codes. The functions below find the ends of lexical elements by characters alone. */

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
  plus: 43,
  minus: 45,
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

/** Whitespace, line ends and the byte order mark, as in ECMAScript. */
function isBlank(code: number): boolean {
  if (code <= CODE.space) return true;
  return code >= 0xa0 && (code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029);
}

/** Returns the end of the whitespace at `from`. */
function endOfBlanks(text: string, from: number): number {
  let at = from + 1;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Only `?.`, `++` and `--` form one token. */
function endOfMark(text: string, from: number, code: number): number {
  const next = text.charCodeAt(from + 1);
  const isOptional = code === CODE.question && next === CODE.dot && !isDigit(text.charCodeAt(from + 2));
  const isStep = next === code && (code === CODE.plus || code === CODE.minus);
  return isOptional || isStep ? from + 2 : from + 1;
}

/** Returns the end of the literal part of a template at `from`; `more` if `${` follows. */
function endOfTemplateWords(text: string, from: number): { end: number; more: boolean } {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === CODE.backslash) at += 1;
    else if (code === CODE.backtick) return { end: at + 1, more: false };
    else if (code === CODE.dollar && text.charCodeAt(at + 1) === CODE.openCurly) return { end: at + 2, more: true };
  }
  return { end: text.length, more: false };
}

/**
 * Returns the end of a regular expression with its flags; undefined if the line ends first, because it is a division.
 */
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

/** Returns the end of the quoted text at `from`: after the quote, or at the end of the line. */
function endOfText(text: string, from: number, quote: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === CODE.lineFeed || code === CODE.carriageReturn) return at;
    if (code === CODE.backslash) at += text.startsWith("\r\n", at + 1) ? 2 : 1;
  }
  return text.length;
}

/** Returns the next line feed, or the end of the text. */
function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Returns the end of a block comment, or the end of the text. */
function endOfComment(text: string, from: number): number {
  const end = text.indexOf("*/", from + 2);
  return end < 0 ? text.length : end + 2;
}

/** Returns the end of the word at `from`. */
function endOfWord(text: string, from: number): number {
  let at = from;
  while (isInWord(text.charCodeAt(at))) at += 1;
  return at;
}

/** Reads numbers with fractions, exponents, separators and units such as `n`; a sign counts only in an exponent. */
function endOfNumber(text: string, from: number): number {
  let at = endOfWord(text, from);
  while (text.charCodeAt(at) === CODE.dot && !text.startsWith("..", at)) at = endOfWord(text, at + 1);
  const hasSign = text[at] === "+" || text[at] === "-";
  return hasSign && /^[\d._]+e$/i.test(text.slice(from, at)) ? endOfWord(text, at + 1) : at;
}

/** ASCII digits. */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters, `_`, `$`, `#`, and all characters beyond ASCII except whitespace; nothing (NaN) after the end of a text. */
function startsWord(code: number): boolean {
  return isInWord(code) && !isDigit(code);
}

function isInWord(code: number): boolean {
  return code < IN_WORD.length ? IN_WORD[code] === 1 : code > 0xa0;
}

const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => (/[\w$#]/.test(String.fromCharCode(code)) ? 1 : 0));
