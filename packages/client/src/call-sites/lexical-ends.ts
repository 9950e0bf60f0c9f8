/**
 * Where the pieces of a source text end: pure reading of characters, in which no bracket and no word before matters.
 */

export const CODE = {
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

/** Blanks, ends of lines and the mark of byte order, as ECMAScript has them. */
export function isBlank(code: number): boolean {
  if (code <= CODE.space) return true;
  return code >= 0xa0 && (code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029);
}

/** Where the blanks end that begin at `from`. */
export function endOfBlanks(text: string, from: number): number {
  let at = from + 1;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Of marks with more than one character only `?.`, `++` and `--` are read as one. */
export function endOfMark(text: string, from: number, code: number): number {
  const next = text.charCodeAt(from + 1);
  const isOptional = code === CODE.question && next === CODE.dot && !isDigit(text.charCodeAt(from + 2));
  const isStep = next === code && (code === CODE.plus || code === CODE.minus);
  return isOptional || isStep ? from + 2 : from + 1;
}

/** Where the words of a template end that begin at `from`; `more` when `${` follows and not the closing backtick. */
export function endOfTemplateWords(text: string, from: number): { end: number; more: boolean } {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === CODE.backslash) at += 1;
    else if (code === CODE.backtick) return { end: at + 1, more: false };
    else if (code === CODE.dollar && text.charCodeAt(at + 1) === CODE.openCurly) return { end: at + 2, more: true };
  }
  return { end: text.length, more: false };
}

/**
 * Where a regular expression with its flags ends that begins at `from`; undefined when its line ends first: it is a
 * division.
 */
export function endOfPattern(text: string, from: number): number | undefined {
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

/** Where a text in quotes ends that begins at `from`: behind the quote, or at the end of its line. */
export function endOfText(text: string, from: number, quote: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === CODE.lineFeed || code === CODE.carriageReturn) return at;
    if (code === CODE.backslash) at += text.startsWith("\r\n", at + 1) ? 2 : 1;
  }
  return text.length;
}

/** The next line feed, or the end of the text. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Behind the end of a comment of stars, or the end of the text. */
export function endOfComment(text: string, from: number): number {
  const end = text.indexOf("*/", from + 2);
  return end < 0 ? text.length : end + 2;
}

/** Where the letters and digits end that begin at `from`. */
export function endOfWord(text: string, from: number): number {
  let at = from;
  while (isInWord(text.charCodeAt(at))) at += 1;
  return at;
}

/** Numbers with fractions, exponents, separators and units such as `n`; a sign counts only in an exponent. */
export function endOfNumber(text: string, from: number): number {
  let at = endOfWord(text, from);
  while (text.charCodeAt(at) === CODE.dot && !text.startsWith("..", at)) at = endOfWord(text, at + 1);
  const hasSign = text[at] === "+" || text[at] === "-";
  return hasSign && /^[\d._]+e$/i.test(text.slice(from, at)) ? endOfWord(text, at + 1) : at;
}

/** The digits of ASCII. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters, `_`, `$`, `#`, and everything beyond ASCII but its blanks; nothing (NaN) behind the end of a text. */
export function startsWord(code: number): boolean {
  return isInWord(code) && !isDigit(code);
}

function isInWord(code: number): boolean {
  return code < IN_WORD.length ? IN_WORD[code] === 1 : code > 0xa0;
}

const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => (/[\w$#]/.test(String.fromCharCode(code)) ? 1 : 0));
