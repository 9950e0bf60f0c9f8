import { isBroadcastCode } from "@finality/tron/node-messages";
import {
  hexToBytes,
  isHexPairs,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  stripHexPrefix,
} from "@finality/tron/primitives";

/** Returns the value if it is text. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the value if it is an object, otherwise an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the value if it is a list, otherwise an empty one. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Returns the fields of the only contract of a `raw_data`, or none. */
export function contractValue(rawData: Json | undefined): JsonObject {
  const contract = objectOf(listOf(objectOf(rawData).contract)[0]);
  return objectOf(objectOf(contract.parameter).value);
}

/** Decodes hex with or without 0x; undefined if it is invalid. */
export function bytesOf(value: Json | undefined): Uint8Array | undefined {
  if (typeof value !== "string") return undefined;
  const digits = stripHexPrefix(value);
  return digits === "" || isHexPairs(digits) ? hexToBytes(digits) : undefined;
}

/** Result of parsing a whole text as JSON. */
export interface JsonText {
  readonly json: Json;
  /** True if the text ended before the JSON value. */
  readonly cut: boolean;
  /** True if it is strict JSON, as an HTTP client requires. */
  readonly isStrict: boolean;
}

/** Parses a text that is only an object or a list, as JSON or a similar format. Undefined for other texts. */
export function readJsonText(text: string): JsonText | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    if (!HUGE_NUMBER.test(text)) return { json: parseJson(text), cut: false, isStrict: true };
  } catch {
    // The lenient parser accepts what is not quite JSON.
  }
  const loose = parseLoosely(text);
  const whole = loose !== undefined && loose.end >= text.length;
  return whole ? { json: loose.value, cut: loose.cut, isStrict: isJson(text) } : undefined;
}

/** Returns whether a text is strict JSON. The values of its numbers are not checked. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Creating a bigint takes time quadratic in the number of digits. */
const HUGE_NUMBER = /\d{100}/;

/** Value that was parsed from the middle of a text. */
export interface LooseValue {
  readonly value: Json;
  /** Offset of the end of the value. */
  readonly end: number;
  /** True if the text ended before the value. */
  readonly cut: boolean;
}

interface Cursor {
  readonly text: string;
  at: number;
  cut: boolean;
}

const MAX_DEPTH = 64;

/**
 * Parses an object or a list as JSON, in the format of a JavaScript console (bare names, single quotes, trailing
 * commas), with comments, or truncated. A missing end is closed. Undefined for anything else. Takes time linear in the
 * text.
 *
 * @param start - Offset of `{` or `[`.
 */
export function parseLoosely(text: string, start = 0): LooseValue | undefined {
  const cursor: Cursor = { text, at: start, cut: false };
  const value = readValue(cursor, 0);
  return value === NOTHING || typeof value !== "object" ? undefined : { value, end: cursor.at, cut: cursor.cut };
}

/** Marks an unreadable value; `undefined` is a valid console value. */
const NOTHING = Symbol("nothing");
type Read<T> = T | typeof NOTHING;

function readValue(cursor: Cursor, depth: number): Read<Json> {
  if (depth > MAX_DEPTH) return NOTHING;
  skipBlanks(cursor);
  const character = cursor.text[cursor.at];
  if (character === "{") return readObject(cursor, depth);
  if (character === "[") return readList(cursor, depth);
  if (character === '"' || character === "'" || character === "`") return readString(cursor, character);
  return readWord(cursor);
}

function readObject(cursor: Cursor, depth: number): Read<JsonObject> {
  const object: { [key: string]: Json } = Object.create(null) as { [key: string]: Json };
  cursor.at++;
  while (!ends(cursor, "}")) {
    const key = readKey(cursor);
    if (key === NOTHING) return NOTHING;
    if (cursor.cut) break;
    const value = readValue(cursor, depth + 1);
    if (value === NOTHING) return NOTHING;
    object[key] = value;
    if (!separates(cursor, "}")) return NOTHING;
  }
  return { ...object };
}

function readList(cursor: Cursor, depth: number): Read<readonly Json[]> {
  const list: Json[] = [];
  cursor.at++;
  while (!ends(cursor, "]")) {
    const value = readValue(cursor, depth + 1);
    if (value === NOTHING) return NOTHING;
    list.push(value);
    if (!separates(cursor, "]")) return NOTHING;
  }
  return list;
}

/** Returns true at the end of the list: closed, or truncated. */
function ends(cursor: Cursor, close: string): boolean {
  skipBlanks(cursor);
  if (cursor.at >= cursor.text.length) cursor.cut = true;
  if (cursor.cut) return true;
  if (cursor.text[cursor.at] !== close) return false;
  cursor.at++;
  return true;
}

/** Skips a comma; false if neither a comma nor the end follows. */
function separates(cursor: Cursor, close: string): boolean {
  skipBlanks(cursor);
  const character = cursor.text[cursor.at];
  if (character === ",") cursor.at++;
  return character === "," || character === close || cursor.at >= cursor.text.length;
}

function readKey(cursor: Cursor): Read<string> {
  const quote = cursor.text[cursor.at];
  const key = quote === '"' || quote === "'" ? readString(cursor, quote) : readName(cursor);
  skipBlanks(cursor);
  if (cursor.at >= cursor.text.length) cursor.cut = true;
  if (key === "" || (!cursor.cut && cursor.text[cursor.at] !== ":")) return NOTHING;
  cursor.at++;
  return key;
}

function readString(cursor: Cursor, quote: string): string {
  const { text } = cursor;
  let end = cursor.at + 1;
  let escaped = false;
  for (; end < text.length && text[end] !== quote; end++) {
    if (text[end] !== "\\") continue;
    escaped = true;
    end++;
  }
  if (end >= text.length) cursor.cut = true;
  const content = text.slice(cursor.at + 1, Math.min(end, text.length));
  cursor.at = Math.min(end + 1, text.length);
  return escaped ? unescaped(content, quote) : content;
}

/** Parses a string by the rules of JSON, which is fast for a million escapes, or by those of a console. */
function unescaped(content: string, quote: string): string {
  if (quote !== '"') return withoutEscapes(content);
  try {
    return JSON.parse(`"${content}"`) as string;
  } catch {
    return withoutEscapes(content);
  }
}

const ESCAPES: { readonly [letter: string]: string } = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function withoutEscapes(content: string): string {
  return content.replace(/\\(?:u([0-9a-fA-F]{4})|([^u]|u))/g, (_all, digits?: string, letter = "") =>
    digits === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** Parses a number, a constant, or a placeholder of a console: `[Object]`, `undefined`. */
function readWord(cursor: Cursor): Read<Json> {
  WORD.lastIndex = cursor.at;
  const word = WORD.exec(cursor.text)?.[0] ?? "";
  if (word === "") return cursor.at >= cursor.text.length ? null : NOTHING;
  cursor.at += word.length;
  if (Object.hasOwn(CONSTANTS, word)) return CONSTANTS[word] ?? null;
  return NUMBER.test(word) ? numberOf(word) : word;
}

function readName(cursor: Cursor): string {
  NAME.lastIndex = cursor.at;
  const name = NAME.exec(cursor.text)?.[0] ?? "";
  cursor.at += name.length;
  return name;
}

/** Constants of JSON, of consoles and of Python. */
const CONSTANTS: { readonly [word: string]: boolean | null } = {
  true: true,
  false: false,
  null: null,
  undefined: null,
  True: true,
  False: false,
  None: null,
};
const WORD = /[\w$.+-]+/y;
const NAME = /[A-Za-z_$][\w$.-]*/y;
/** Skips whitespace, or one comment. */
const BLANKS = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const NUMBER = /^-?\d{1,40}(?:\.\d{1,40})?n?$/;

function numberOf(word: string): Json {
  const digits = word.endsWith("n") ? word.slice(0, -1) : word;
  const number = Number(digits);
  return Number.isSafeInteger(number) || digits.includes(".") ? number : BigInt(digits);
}

function skipBlanks(cursor: Cursor): void {
  BLANKS.lastIndex = cursor.at;
  while (BLANKS.test(cursor.text)) cursor.at = BLANKS.lastIndex;
}

/** Part of a text. */
export interface Span {
  readonly start: number;
  /** Offset after it. */
  readonly end: number;
}

/** Object in a text, as JSON or in a console's format. */
export interface FoundObject extends Span {
  readonly json: Json;
  /** True if the text ended before the object. */
  readonly cut: boolean;
}

/** Matches an opening brace, an optional comment, a name and a colon. */
const OBJECT =
  /\{\s{0,80}(?:(?:\/\*[^*]{0,200}\*\/|\/\/[^\n]{0,200}\n)\s{0,80})?(?:"[^"]{0,80}"|'[^']{0,80}'|[A-Za-z_$][\w$.-]{0,80})\s{0,8}:/g;

/** Returns the offsets at which objects may begin in a text, including nested ones, in order. */
export function* objectStarts(text: string): Generator<number> {
  for (const { index } of text.matchAll(OBJECT)) yield index;
}

/** Returns the object that begins at an offset; undefined if there is none. A truncated one ends with the text. */
export function objectAt(text: string, start: number): FoundObject | undefined {
  const read = parseLoosely(text, start);
  return read && { start, end: read.end, json: read.value, cut: read.cut };
}

/** Answer to a broadcast whose fields are written as pairs. */
export interface FoundPairs extends Span {
  readonly json: JsonObject;
}

const CODE = /\b(?:code|result|status|error)["']?\s?[:=]\s?["']?([A-Z][A-Z_]{4,40})\b["']?/g;
const MESSAGE =
  /\b(?:message|resMessage|errorMessage)["']?\s?[:=]\s?(?:(?:<ByteString\b[^>"\n]{0,80}\bcontents=)?"([^"\n]{1,4000})"|'([^'\n]{1,4000})'|([^\s"'][^\n,;&]{0,4000}))/g;
/** Fields of one answer are close to each other. */
const NEAR = 400;
const MAX_CODES = 64;

/**
 * Finds the answers to broadcasts whose fields are not JSON: lines of YAML, pairs of logfmt, protobuf text format. Each
 * has a broadcast code and a message near it.
 */
export function* pairsIn(text: string): Generator<FoundPairs> {
  let read = 0;
  let searched = 0;
  for (const code of text.matchAll(CODE)) {
    const [, name = ""] = code;
    if (code.index < read || !isBroadcastCode(name)) continue;
    if (searched++ >= MAX_CODES) return;
    const message = messageNear(text, code.index, read);
    if (message === undefined) continue;
    const start = Math.min(code.index, message.start);
    const end = Math.max(code.index + code[0].length, message.end);
    read = end;
    yield { start, end, json: { code: name, message: message.text } };
  }
}

/** Returns the message after the code, or else the last one before it. */
function messageNear(text: string, at: number, from: number): (Span & { readonly text: string }) | undefined {
  const begin = Math.max(from, at - NEAR);
  const near = [...text.slice(begin, at + NEAR + 4_000).matchAll(MESSAGE)].map(({ index, ...match }) => {
    const [whole, double, single, bare] = [match[0], match[1], match[2], match[3]];
    const said = double ?? single ?? withoutPairsAfter(bare ?? "");
    const length = bare === undefined ? whole.length : whole.length - bare.length + said.length;
    return { start: begin + index, end: begin + index + length, text: said };
  });
  return near.find(({ start }) => start > at && start - at < NEAR) ?? near.findLast(({ start }) => start < at);
}

/** An unquoted value ends where the next pair begins. */
function withoutPairsAfter(value: string): string {
  return value.replace(/\s[\w.]{1,40}[:=](?=\S)[\s\S]*$/, "").trimEnd();
}
