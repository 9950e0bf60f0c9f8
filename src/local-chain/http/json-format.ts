import { decodeBase58 } from "../../core/primitives/address.ts";
import { bytesToHex, equalBytes, type Hex, isHexPairs, sha256 } from "../../core/primitives/bytes.ts";
import { nullPointerException, parseException } from "./java-error.ts";

/** How the node reads a field: an address is base58 when `visible` is true, other bytes are always hex. */
export type FieldKind = "address" | "bytes" | "text" | "int64" | "int32" | "bool" | Enumeration | Message | Repeated;

/** A field whose value is a name or a number. */
export interface Enumeration {
  readonly enumeration: string;
  readonly names: readonly string[];
}
export interface Message {
  readonly fields: Fields;
}
export interface Repeated {
  readonly each: FieldKind;
}
export type Fields = { readonly [name: string]: FieldKind };

/** What was read: bytes as hex, integers as bigint. Fields that were absent or null are absent. */
export type Value = string | bigint | boolean | number | readonly Value[] | Values;
export type Values = { readonly [name: string]: Value | undefined };

/**
 * Reads a body into the fields of a message as JsonFormat.java does: names it does not know are skipped, and whatever
 * does not fit is refused with line and column.
 *
 * @throws {JavaError}
 */
export function mergeJson(text: string, fields: Fields, visible: boolean): Values {
  const tokenizer = new Tokenizer(text);
  const values = readMessage({ tokenizer, visible }, fields);
  if (!tokenizer.atEnd) {
    throw tokenizer.complaint(
      "Expecting the end of the stream, but there seems to be more data!  Check the input for a valid JSON format.",
    );
  }
  return values;
}

interface Reading {
  readonly tokenizer: Tokenizer;
  readonly visible: boolean;
}

function readMessage(reading: Reading, fields: Fields): Values {
  const { tokenizer } = reading;
  const values: Record<string, Value> = {};
  tokenizer.consume("{");
  while (!tokenizer.tryConsume("}")) {
    do readField(reading, fields, values);
    while (tokenizer.tryConsume(","));
  }
  return values;
}

function readField(reading: Reading, fields: Fields, values: Record<string, Value>): void {
  const { tokenizer } = reading;
  const name = tokenizer.identifier();
  const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (kind === undefined) {
    skipField(tokenizer);
    return;
  }
  tokenizer.consume(":");
  const items = readItems(reading, isRepeated(kind) ? kind.each : kind);
  const last = items.at(-1);
  if (isRepeated(kind)) values[name] = items;
  else if (last !== undefined) values[name] = last;
}

/** A list may stand where one value is meant (the last one counts), and one value where a list is. */
function readItems(reading: Reading, kind: FieldKind): Value[] {
  const { tokenizer } = reading;
  const items: Value[] = [];
  const take = (): void => {
    if (tokenizer.tryConsume("null")) return;
    items.push(readValue(reading, kind));
  };
  if (!tokenizer.tryConsume("[")) {
    take();
    return items;
  }
  while (!tokenizer.tryConsume("]")) {
    take();
    tokenizer.tryConsume(",");
  }
  return items;
}

function readValue(reading: Reading, kind: FieldKind): Value {
  const { tokenizer, visible } = reading;
  if (typeof kind === "object") {
    if ("fields" in kind) return readMessage(reading, kind.fields);
    if ("enumeration" in kind) return readEnumeration(tokenizer, kind);
    return readItems(reading, kind.each);
  }
  switch (kind) {
    case "address":
      return visible ? readBase58(tokenizer) : readHex(tokenizer);
    case "bytes":
      return readHex(tokenizer);
    case "text":
      return tokenizer.string();
    case "int64":
    case "int32":
      return tokenizer.integer();
    case "bool":
      return tokenizer.boolean();
  }
}

function readHex(tokenizer: Tokenizer): string {
  const text = tokenizer.string();
  const digits = text.replace(/^0x/, "");
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  if (even !== "" && !isHexPairs(even)) throw tokenizer.complaintBefore("INVALID hex String");
  return even.toLowerCase();
}

function readBase58(tokenizer: Tokenizer): string {
  const text = tokenizer.string();
  const payload = base58Payload(text);
  switch (payload.kind) {
    case "payload":
      return payload.hex;
    case "illegal":
      throw tokenizer.complaintBefore(
        `INVALID base58 String, Illegal character ${payload.character} at ${payload.index}`,
      );
    case "refused":
      throw nullPointerException('Cannot read the array length because "bytes" is null');
  }
}

function readEnumeration(tokenizer: Tokenizer, { enumeration, names }: Enumeration): number {
  if (/^-?\d/.test(tokenizer.token)) {
    const number = Number(tokenizer.integer());
    if (names[number] !== undefined) return number;
    throw tokenizer.complaintBefore(`Enum type "${enumeration}" has no value with number ${number}.`);
  }
  const name = tokenizer.identifier();
  const index = names.findIndex((it) => it === name || it.toLowerCase() === name);
  if (index >= 0) return index;
  throw tokenizer.complaintBefore(`Enum type "${enumeration}" has no value named "${name}".`);
}

/** The node's skipper knows texts, booleans, null, integers, and objects and lists that are not empty. */
function skipField(tokenizer: Tokenizer): void {
  tokenizer.tryConsume(":");
  if (tokenizer.tryConsume("{")) {
    do {
      tokenizer.identifier();
      skipField(tokenizer);
    } while (tokenizer.tryConsume(","));
    tokenizer.consume("}");
    return;
  }
  if (tokenizer.tryConsume("[")) {
    do skipField(tokenizer);
    while (tokenizer.tryConsume(","));
    tokenizer.consume("]");
    return;
  }
  skipValue(tokenizer);
}

function skipValue(tokenizer: Tokenizer): void {
  if (tokenizer.tryConsume("null")) return;
  if (/^[-+\d]/.test(tokenizer.token)) tokenizer.integer();
  else if (/^(?:true|false)$/.test(tokenizer.token)) tokenizer.boolean();
  else tokenizer.string();
}

function isRepeated(kind: FieldKind): kind is Repeated {
  return typeof kind === "object" && "each" in kind;
}

const SPACE = /(?:[ \t\n\v\f\r]|#.*$)+/my;
const TOKEN =
  /[a-zA-Z_][0-9a-zA-Z_+-]*|[.]?[0-9+-][0-9a-zA-Z_.+-]*|"(?:[^"\n\\]|\\.)*(?:"|\\?$)|'(?:[^'\n\\]|\\.)*(?:'|\\?$)/my;
const NAME = /^[a-zA-Z0-9_."]$/;
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;

/** The words of a JSON text as JsonFormat.java sees them, with the line and column that its exceptions name. */
class Tokenizer {
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

const ADDRESS_LENGTH = 21;
/** Characters; an address and its checksum have at most 35. */
const LONGEST = 64;

/** What the node makes of a base58 text: an address, a complaint about a character, or `null`. */
export type Base58Payload =
  | { readonly kind: "payload"; readonly hex: Hex }
  | { readonly kind: "illegal"; readonly character: string; readonly index: number }
  | { readonly kind: "refused" };

/** Reads base58check as Commons.decodeFromBase58Check does: the alphabet first, then length, checksum and prefix. */
export function base58Payload(text: string): Base58Payload {
  const index = [...text].findIndex((character) => decodeBase58(character) === undefined);
  if (index >= 0) return { kind: "illegal", character: text[index] ?? "", index };
  const bytes = text.length <= LONGEST ? decodeBase58(text) : undefined;
  if (bytes === undefined) return { kind: "refused" };
  const payload = bytes.subarray(0, -4);
  const checksum = sha256(sha256(payload)).subarray(0, 4);
  const valid = payload.length === ADDRESS_LENGTH && payload[0] === 0x41 && equalBytes(bytes.subarray(-4), checksum);
  return valid ? { kind: "payload", hex: bytesToHex(payload) } : { kind: "refused" };
}
