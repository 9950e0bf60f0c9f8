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

/** The value if it is text. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value if it is an object, or an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value if it is a list, or an empty one. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The fields of the one contract of a `raw_data`, or none. */
export function contractValue(rawData: Json | undefined): JsonObject {
  const contract = objectOf(listOf(objectOf(rawData).contract)[0]);
  return objectOf(objectOf(contract.parameter).value);
}

/** Hex with or without 0x as bytes; undefined when it is none. */
export function bytesOf(value: Json | undefined): Uint8Array | undefined {
  if (typeof value !== "string") return undefined;
  const digits = stripHexPrefix(value);
  return digits === "" || isHexPairs(digits) ? hexToBytes(digits) : undefined;
}

/** Result of reading a whole text as JSON. */
export interface JsonText {
  readonly json: Json;
  /** True if the text ended before the JSON did. */
  readonly cut: boolean;
  /** True if it is strict JSON, as an HTTP client needs it. */
  readonly isStrict: boolean;
}

/**
 * Reads a text that is an object or a list and nothing else: as JSON, or what is not quite that. Undefined for other
 * texts.
 */
export function readJsonText(text: string): JsonText | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    if (!HUGE_NUMBER.test(text)) return { json: parseJson(text), cut: false, isStrict: true };
  } catch {
    // The loose reader takes what is not quite JSON.
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

/** Making a bigint of very many digits takes time that grows with their square. */
const HUGE_NUMBER = /\d{100}/;

/** A value that was read from the middle of a text. */
export interface LooseValue {
  readonly value: Json;
  /** Offset of the end of the value. */
  readonly end: number;
  /** True if the text ended before the value did. */
  readonly cut: boolean;
}

interface Cursor {
  readonly text: string;
  at: number;
  cut: boolean;
}

const MAX_DEPTH = 64;

/**
 * Reads an object or a list as JSON, as a JavaScript console prints it (bare names, single quotes, trailing commas),
 * with comments, or cut off. A missing end is closed. Undefined for anything else. Takes time linear in the text.
 *
 * @param start - where `{` or `[` stands
 */
export function parseLoosely(text: string, start = 0): LooseValue | undefined {
  const cursor: Cursor = { text, at: start, cut: false };
  const value = readValue(cursor, 0);
  return value === NOTHING || typeof value !== "object" ? undefined : { value, end: cursor.at, cut: cursor.cut };
}

/** Marks what cannot be read; `undefined` is a value of the console. */
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

/** Returns true if the list is over: closed, or cut off. */
function ends(cursor: Cursor, close: string): boolean {
  skipBlanks(cursor);
  if (cursor.at >= cursor.text.length) cursor.cut = true;
  if (cursor.cut) return true;
  if (cursor.text[cursor.at] !== close) return false;
  cursor.at++;
  return true;
}

/** Passes a comma; false when neither that nor the end follows. */
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

/** By the rules of JSON, which is quick for a million escapes, or as a console means them. */
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

/** A number, a constant, or what a console prints for what it leaves out: `[Object]`, `undefined`. */
function readWord(cursor: Cursor): Read<Json> {
  WORD.lastIndex = cursor.at;
  const word = WORD.exec(cursor.text)?.[0] ?? "";
  if (word === "") return cursor.at >= cursor.text.length ? null : NOTHING;
  cursor.at += word.length;
  if (word === "true" || word === "false") return word === "true";
  if (word === "null" || word === "undefined") return null;
  return NUMBER.test(word) ? numberOf(word) : word;
}

function readName(cursor: Cursor): string {
  NAME.lastIndex = cursor.at;
  const name = NAME.exec(cursor.text)?.[0] ?? "";
  cursor.at += name.length;
  return name;
}

const WORD = /[\w$.+-]+/y;
const NAME = /[A-Za-z_$][\w$.-]*/y;
/** Blanks, or one comment. */
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

/** A part of a text. */
export interface Span {
  readonly start: number;
  /** The offset after it. */
  readonly end: number;
}

/** An object in a text, as JSON or as a console prints it. */
export interface FoundObject extends Span {
  readonly json: Json;
  /** True if the text ended before the object did. */
  readonly cut: boolean;
}

/** Matches an opening brace, an optional comment, a name and a colon. */
const OBJECT =
  /\{\s{0,80}(?:(?:\/\*[^*]{0,200}\*\/|\/\/[^\n]{0,200}\n)\s{0,80})?(?:"[^"]{0,80}"|'[^']{0,80}'|[A-Za-z_$][\w$.-]{0,80})\s{0,8}:/g;

/** Returns the offsets at which objects may begin in a text, including nested ones, in order. */
export function* objectStarts(text: string): Generator<number> {
  for (const { index } of text.matchAll(OBJECT)) yield index;
}

/**
 * The object that begins at an offset; undefined when what stands there is none. One that is cut off ends with the
 * text.
 */
export function objectAt(text: string, start: number): FoundObject | undefined {
  const read = parseLoosely(text, start);
  return read && { start, end: read.end, json: read.value, cut: read.cut };
}

/** An answer to a broadcast whose fields stand as pairs. */
export interface FoundPairs extends Span {
  readonly json: JsonObject;
}

const CODE = /\b(?:code|result|status|error)["']?\s?[:=]\s?["']?([A-Z][A-Z_]{4,40})\b["']?/g;
const MESSAGE =
  /\b(?:message|resMessage|errorMessage)["']?\s?[:=]\s?(?:(?:<ByteString\b[^>"\n]{0,80}\bcontents=)?"([^"\n]{1,4000})"|'([^'\n]{1,4000})'|([^\s"'][^\n,;&]{0,4000}))/g;
/** Fields of one answer stand near each other. */
const NEAR = 400;
const MAX_CODES = 64;

/**
 * The answers to broadcasts in a text whose fields are no JSON: lines of YAML, pairs of logfmt, the text form of
 * protobuf. A code of a broadcast with a message beside it, in order.
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

/** The message after the code, or else the last one before it. */
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

/** A value without quotes ends where the next pair begins. */
function withoutPairsAfter(value: string): string {
  return value.replace(/\s[\w.]{1,40}[:=](?=\S)[\s\S]*$/, "").trimEnd();
}
