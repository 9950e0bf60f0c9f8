import { parseException } from "./java-error.ts";

const SPACE = /(?:[ \t\n\v\f\r]|#.*$)+/my;
const TOKEN =
  /[a-zA-Z_][0-9a-zA-Z_+-]*|[.]?[0-9+-][0-9a-zA-Z_.+-]*|"(?:[^"\n\\]|\\.)*(?:"|\\?$)|'(?:[^'\n\\]|\\.)*(?:'|\\?$)/my;
const NAME = /^[a-zA-Z0-9_."]$/;
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;

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
    const bad = [...this.#token].find((character) => !NAME.test(character));
    if (bad !== undefined) throw this.complaint(`Expected identifier. -${bad}`);
    const name = this.#token.replaceAll(/["']/g, "");
    this.#next();
    return name;
  }

  string(): string {
    const token = this.#token;
    const quote = token[0];
    if (quote !== '"' && quote !== "'") throw this.complaint("Expected string.");
    if (token.length < 2 || !token.endsWith(quote)) throw this.complaint("String missing ending quote.");
    this.#next();
    return unescaped(token.slice(1, -1));
  }

  /** An int64, a bare one: text in quotes is refused. */
  integer(): bigint {
    const token = this.#token;
    if (!/^-?\d+$/.test(token)) throw this.complaint(`Couldn't parse integer: For input string: "${token}"`);
    const value = BigInt(token);
    if (value < INT64[0] || value > INT64[1]) {
      const text = `Couldn't parse integer: Number out of range for 64-bit signed integer: ${token}`;
      throw this.complaint(text);
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
    this.#tokenAt = this.#at + (SPACE.exec(this.#text)?.[0].length ?? 0);
    TOKEN.lastIndex = this.#tokenAt;
    this.#token = TOKEN.exec(this.#text)?.[0] ?? this.#text.slice(this.#tokenAt, this.#tokenAt + 1);
    this.#at = this.#tokenAt + this.#token.length;
  }

  #place(at: number): string {
    const before = this.#text.slice(0, at).split("\n");
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  }
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text.replaceAll("\\'", "'").replaceAll(/(?<!\\)"/g, '\\"')}"`) as string;
  } catch {
    return text;
  }
}
