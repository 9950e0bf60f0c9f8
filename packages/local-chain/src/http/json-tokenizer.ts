import { numberFormatException, parseException } from "./java-error.ts";

const SPACE = /(?:[ \t\n\v\f\r]|#.*$)+/my;
const TOKEN =
  /[a-zA-Z_][0-9a-zA-Z_+-]*|[.]?[0-9+-][0-9a-zA-Z_.+-]*|"(?:[^"\n\\]|\\.)*(?:"|\\?$)|'(?:[^'\n\\]|\\.)*(?:'|\\?$)/my;
const NOT_IN_NAME = /[^a-zA-Z0-9_."]/u;

/** The words of a JSON text as JsonFormat.java sees them, with the line and column that its exceptions name. */
export class Tokenizer {
  readonly #text: string;
  #at = 0;
  #token = "";
  #tokenAt = 0;
  #previousAt = 0;

  constructor(text: string) {
    this.#text = text;
    this.#next();
  }

  get token(): string {
    return this.#token;
  }

  get atEnd(): boolean {
    return this.#token === "";
  }

  tryConsume(token: string): boolean {
    if (this.#token !== token) return false;
    this.#next();
    return true;
  }

  consume(token: string): void {
    if (!this.tryConsume(token)) throw this.complaint(`Expected "${token}".`);
  }

  identifier(): string {
    const bad = NOT_IN_NAME.exec(this.#token)?.[0];
    if (bad !== undefined) throw this.complaint(`Expected identifier. -${bad}`);
    const name = this.#token.replaceAll('"', "");
    this.#next();
    return name;
  }

  /** A text as it stands between its quotes. */
  quoted(): string {
    const token = this.#token;
    const quote = token[0];
    if (quote !== '"' && quote !== "'") throw this.complaint("Expected string.");
    if (token.length < 2 || !token.endsWith(quote)) throw this.complaint("String missing ending quote.");
    this.#next();
    return token.slice(1, -1);
  }

  /** A text, its escapes resolved. */
  string(): string {
    if (!this.#token.includes("\\")) return this.quoted();
    const [text, problem] = unescaped(this.#token.slice(1, -1));
    this.quoted();
    if (problem !== undefined) throw this.complaintBefore(problem);
    return text;
  }

  /** A bare integer of so many bits: text in quotes is refused. */
  integer(bits: 32 | 64): bigint {
    const token = this.#token;
    const value = parsedInteger(token, (text) => this.complaint(`Couldn't parse integer: ${text}`));
    if (BigInt.asIntN(bits, value) !== value) {
      throw this.complaint(`Couldn't parse integer: Number out of range for ${bits}-bit signed integer: ${token}`);
    }
    this.#next();
    return value;
  }

  boolean(): boolean {
    const token = this.#token;
    if (token !== "true" && token !== "false") throw this.complaint('Expected "true" or "false".');
    this.#next();
    return token === "true";
  }

  /** A complaint about the word that comes next. */
  complaint(text: string): Error {
    return parseException(`${this.#place(this.#tokenAt)}: ${text}`);
  }

  /** A complaint about the word that has just been taken. */
  complaintBefore(text: string): Error {
    return parseException(`${this.#place(this.#previousAt)}: ${text}`);
  }

  #next(): void {
    this.#previousAt = this.#tokenAt;
    SPACE.lastIndex = this.#at;
    this.#tokenAt = SPACE.test(this.#text) ? SPACE.lastIndex : this.#at;
    TOKEN.lastIndex = this.#tokenAt;
    this.#at = TOKEN.test(this.#text) ? TOKEN.lastIndex : Math.min(this.#tokenAt + 1, this.#text.length);
    this.#token = this.#text.slice(this.#tokenAt, this.#at);
  }

  #place(at: number): string {
    const before = this.#text.slice(0, at).split("\n");
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  }
}

const RADIX_DIGITS: { readonly [radix: number]: RegExp } = {
  8: /^[-+]?[0-7]+$/,
  10: /^[-+]?\d+$/,
  16: /^[-+]?[\da-f]+$/i,
};
const PREFIXES: { readonly [radix: number]: string } = { 8: "0o", 10: "", 16: "0x" };
/** Java's BigInteger reads so many digits at a time, and names the group that it cannot read. */
const GROUPS: { readonly [radix: number]: number } = { 8: 10, 10: 9, 16: 7 };
const LONG_ENOUGH_FOR_BIG = 16;

/** As in C a 0 begins an octal number, and 0x one in hex. */
function parsedInteger(token: string, complaint: (text: string) => Error): bigint {
  const negative = token.startsWith("-");
  const text = negative ? token.slice(1) : token;
  const radix = text.startsWith("0x") ? 16 : text.startsWith("0") ? 8 : 10;
  const digits = radix === 16 ? text.slice(2) : text;
  if (RADIX_DIGITS[radix]?.test(digits) !== true) {
    const group = digits.length % (GROUPS[radix] ?? 1) || (GROUPS[radix] ?? 1);
    const shown = digits.length < LONG_ENOUGH_FOR_BIG ? digits : digits.slice(0, group);
    throw complaint(`For input string: "${shown}"${radix === 10 ? "" : ` under radix ${radix}`}`);
  }
  const sign = digits.startsWith("-") !== negative ? -1n : 1n;
  return sign * BigInt((PREFIXES[radix] ?? "") + digits.replace(/^[-+]/, ""));
}

const ESCAPES: { readonly [letter: string]: string } = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

/** A text without its escapes, and what is wrong with the first that is none. */
function unescaped(text: string): [text: string, problem?: string] {
  let problem: string | undefined;
  const resolved = text.replaceAll(/\\(u.{0,4}|[^u]|$)/gs, (_all, letters: string) => {
    const known = letters.startsWith("u") ? codeUnit(letters) : ESCAPES[letters];
    if (known === undefined) problem ??= escapeProblem(letters);
    return known ?? "";
  });
  return problem === undefined ? [resolved] : [resolved, problem];
}

/** @throws {JavaError} four characters that are no hex */
function codeUnit(letters: string): string | undefined {
  const digits = letters.slice(1);
  if (digits.length < 4) return undefined;
  if (!/^[\da-f]{4}$/i.test(digits)) throw numberFormatException(`For input string: "${digits}" under radix 16`);
  return String.fromCharCode(Number.parseInt(digits, 16));
}

function escapeProblem(letters: string): string {
  if (letters === "") return "Invalid escape sequence: '\\' at end of string.";
  if (letters.startsWith("u")) return "Invalid escape sequence: '\\u' at end of string.";
  return `Invalid escape sequence: '\\${letters}'`;
}
