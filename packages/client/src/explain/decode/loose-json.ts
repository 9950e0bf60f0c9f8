import type { Json, JsonObject } from "@finality/tron/primitives";

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
