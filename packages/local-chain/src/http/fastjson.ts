import { jsonInteger, parseJson } from "@finality/tron/primitives";
import type { NodeVersion } from "../chain/parameters.ts";
import { jsonException, parseJacksonBody, parseJacksonValue } from "./jackson.ts";
import {
  Decimal,
  fastjsonException,
  isMembers,
  JavaError,
  type Members,
  numberFormatException,
  type Value,
} from "./java-values.ts";

const END = "\u001A";
const BOM = "\uFEFF";
/** Matches numbers with a point or an exponent, and similar text in strings. */
const FRACTION = /[[:,]\s*-?\d+[.eE]/;

/**
 * Parses a body as the node's first parser of a version does, with its messages. Numbers keep every digit.
 *
 * @returns undefined for an empty body and for `null`
 * @throws {JavaError} fastjson's exception
 */
export function parseBody(text: string, version: NodeVersion = "4.8.0"): Members | undefined {
  if (version !== "4.8.0") return parseJacksonBody(text);
  const body = text.startsWith(BOM) ? text.slice(1) : text;
  const value = parseValue(body);
  if (value === null) return undefined;
  if (!isMembers(value)) throw fastjsonException("can not cast to JSONObject.");
  return value;
}

/** Parses any value. @throws {JavaError} fastjson's exception, or Jackson's */
export function parseValue(text: string, version: NodeVersion = "4.8.0"): Value {
  if (version !== "4.8.0") return parseJacksonValue(text);
  if (!FRACTION.test(text)) {
    try {
      return parseJson(text);
    } catch {
      // Text that is not JSON may still be readable.
    }
  }
  return new LenientReader(text).read();
}

type Token =
  | "{"
  | "}"
  | "["
  | "]"
  | ","
  | ":"
  | "("
  | ")"
  | ";"
  | "."
  | "string"
  | "int"
  | "float"
  | "true"
  | "false"
  | "null"
  | "undefined"
  | "ident"
  | "error"
  | "EOF";

const PUNCTUATION = /^[{}[\],:();.]$/;
const SPACE = /[ \t\b\n\f\r]/;
const VALUES: ReadonlySet<Token> = new Set(["string", "int", "float", "true", "false", "null", "undefined"]);
const WORDS: { readonly [first: string]: "true" | "false" | "null" } = { t: "true", f: "false", n: "null" };
const MEANINGS: ReadonlyMap<string, Value> = new Map([
  ["true", true],
  ["false", false],
]);
const AFTER_WORD = new Set([..." ,}]\n\r\t\f\b:/", END]);
const ESCAPES: { readonly [letter: string]: string } = {
  b: "\b",
  f: "\f",
  F: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  '"': '"',
  "'": "'",
  "/": "/",
  "\\": "\\",
};
const ESCAPED_DIGIT = /[0-7]/;
const FIRST_OF_NAME = /[A-Za-z_$\u0100-\uFFFF]/;
const IN_NAME = /[\w$\u0100-\uFFFF]/;

/**
 * Reader of fastjson's lenient JSON: single quotes, unquoted names, comments, extra commas. It follows
 * DefaultJSONParser, with its messages.
 */
class LenientReader {
  readonly #text: string;
  #at = 0;
  #token: Token = "error";
  /** Value of the current text or number token. */
  #value: Value = null;
  /** Start of the newest token outside an object, which messages name. */
  #tokenAt = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Value {
    this.#next();
    const value = this.#any();
    if (this.#token !== "EOF") throw fastjsonException(`not close json text, token : ${this.#token}`);
    return value;
  }

  get #character(): string {
    return this.#text[this.#at] ?? END;
  }

  #any(): Value {
    switch (this.#token) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case "EOF":
        if (this.#text.trim() === "") return null;
        throw fastjsonException(`unterminated json string, ${this.#place()}`);
      default:
        return this.#simple();
    }
  }

  #simple(): Value {
    const [token, value] = [this.#token, this.#value];
    const noNumber = token === "ident" && value === "NaN";
    if (!VALUES.has(token) && !noNumber) throw fastjsonException(`syntax error, ${this.#place()}`);
    this.#next();
    return noNumber ? null : value;
  }

  #array(): Value[] {
    const items: Value[] = [];
    this.#next();
    for (;;) {
      while (this.#token === ",") this.#next();
      if (this.#token === "]") break;
      if (this.#token === "EOF") throw fastjsonException("unclosed jsonArray");
      items.push(this.#any());
    }
    this.#next();
    return items;
  }

  /** Reads an object by characters between names and values, not by tokens. */
  #object(): Members {
    const object: Record<string, Value> = {};
    for (;;) {
      this.#skipSpace();
      while (this.#character === ",") this.#skipPast();
      if (this.#character === "}") break;
      const name = this.#name();
      this.#skipPast();
      object[name] = this.#memberValue(name);
      if (this.#token === "}") return this.#closed(object);
    }
    this.#at += 1;
    return this.#closed(object);
  }

  #closed(object: Members): Members {
    this.#next();
    return object;
  }

  #skipPast(): void {
    this.#at += 1;
    this.#skipSpace();
  }

  /** Reads a name up to its colon. */
  #name(): string {
    const first = this.#character;
    if (first === END || first === ",") throw fastjsonException("syntax error");
    if (/[-\d]/.test(first)) return this.#numberName();
    const name = first === '"' || first === "'" ? this.#quoted("unclosed.str", "unclosed.str.lit") : this.#bareName();
    this.#skipSpace();
    if (this.#character === ":") return name;
    throw fastjsonException(`expect ':' at ${this.#tokenAt}${this.#nameComplaint(first, name)}`);
  }

  #nameComplaint(first: string, name: string): string {
    if (first === "'") return "";
    return first === '"' ? `, name ${name}` : `, actual ${this.#character}`;
  }

  #numberName(): string {
    const number = this.#number();
    if (this.#character !== ":") throw fastjsonException(`parse number key error${this.#place()}`);
    return String(number);
  }

  #bareName(): string {
    if (!FIRST_OF_NAME.test(this.#character)) {
      throw fastjsonException(`illegal identifier : ${this.#character}${this.#place()}`);
    }
    const begin = this.#at;
    while (IN_NAME.test(this.#text[this.#at] ?? "")) this.#at += 1;
    return this.#text.slice(begin, this.#at);
  }

  /** Reads a value and its comma; the token is the brace at the end. */
  #memberValue(name: string): Value {
    this.#token = "error";
    const first = this.#character;
    if (first === '"' || /[-\d]/.test(first)) return this.#plainValue(name);
    this.#next();
    const value = this.#any();
    const after = this.#taken();
    if (after === "}" || after === ",") return value;
    if (first === "[") throw fastjsonException("syntax error");
    if (first === "{") throw fastjsonException(`syntax error, ${after}`);
    throw fastjsonException(`syntax error, position at ${this.#tokenAt}, name ${name}`);
  }

  #taken(): Token {
    return this.#token;
  }

  #plainValue(name: string): Value {
    const value = this.#character === '"' ? this.#quoted("unclosed string : ", "unclosed string : ") : this.#number();
    this.#skipSpace();
    const after = this.#character;
    if (after !== "," && after !== "}") {
      throw fastjsonException(`syntax error, position at ${this.#tokenAt}, name ${name}`);
    }
    this.#at += 1;
    this.#token = after;
    return value;
  }

  #next(): void {
    this.#skipSpace();
    this.#tokenAt = this.#at;
    const first = this.#character;
    if (this.#at >= this.#text.length) this.#token = "EOF";
    else if (first === '"' || first === "'")
      this.#take("string", this.#quoted("unclosed string : ", "unclosed string : "));
    else if (/[-+\d]/.test(first)) this.#takeNumber(first);
    else if (PUNCTUATION.test(first)) this.#takeCharacter(first as Token);
    else if (WORDS[first] !== undefined) this.#takeWord(WORDS[first]);
    else if (/[TNSu]/.test(first)) this.#takeIdentifier();
    else if (first === "x") throw this.#noHex();
    else this.#takeCharacter("error");
  }

  #take(token: Token, value: Value): void {
    this.#token = token;
    this.#value = value;
  }

  #takeCharacter(token: Token): void {
    this.#at += 1;
    this.#token = token;
  }

  #takeNumber(first: string): void {
    if (first === "+") this.#at += 1;
    const value = this.#number();
    this.#take(value instanceof Decimal ? "float" : "int", value);
  }

  #takeWord(word: "true" | "false" | "null"): void {
    const rest = this.#text.slice(this.#at, this.#at + word.length);
    if (rest !== word) throw fastjsonException(`error parse ${rest.startsWith("ne") ? "new" : word}`);
    this.#at += word.length;
    if (!AFTER_WORD.has(this.#character)) throw fastjsonException(`scan ${word} error`);
    this.#take(word, MEANINGS.get(word) ?? null);
  }

  /** Takes an identifier; of the uppercase ones only NaN is a value. */
  #takeIdentifier(): void {
    const word = /^\w+/.exec(this.#text.slice(this.#at))?.[0] ?? "";
    this.#at += word.length;
    this.#take(word === "undefined" ? "undefined" : "ident", word === "NaN" ? word : null);
  }

  /** Reports bytes in hex (x'…'), which are not accepted. */
  #noHex(): Error {
    return fastjsonException(`illegal state. ${this.#text[this.#at + 1] ?? END}`);
  }

  #number(): Value {
    const rest = this.#text.slice(this.#at);
    const text = /^-?\d*(?:\.\d*)?(?:[eE][-+]?\d*)?/.exec(rest)?.[0] ?? "";
    this.#at += text.length;
    if (/[.eE]/.test(text)) return Decimal.parse(text);
    if (text === "-") throw fastjsonException("illegal number format : -");
    return jsonInteger(BigInt(text));
  }

  /** @param unclosed - the complaint about a text that does not end; one that ends with a blank gets the character */
  #quoted(unclosed: string, badEscape: string): string {
    const quote = this.#character;
    let text = "";
    for (this.#at += 1; this.#character !== quote; this.#at += 1) {
      if (this.#at >= this.#text.length) throw fastjsonException(withCharacter(unclosed, END));
      text += this.#character === "\\" ? this.#escaped(badEscape) : this.#character;
    }
    this.#at += 1;
    return text;
  }

  #escaped(complaint: string): string {
    this.#at += 1;
    const letter = this.#character;
    if (ESCAPED_DIGIT.test(letter)) return String.fromCharCode(Number(letter));
    if (letter === "u") return this.#codePoint(4);
    if (letter === "x") return this.#codePoint(2);
    const meant = ESCAPES[letter];
    if (meant === undefined) throw fastjsonException(withCharacter(complaint, letter));
    return meant;
  }

  #codePoint(length: number): string {
    const digits = this.#text.slice(this.#at + 1, this.#at + 1 + length).padEnd(length, END);
    if (!/^[\da-fA-F]+$/.test(digits)) throw numberFormatException(`For input string: "${digits}" under radix 16`);
    this.#at += length;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #skipSpace(): void {
    for (;;) {
      if (SPACE.test(this.#character)) this.#at += 1;
      else if (this.#character === "/") this.#skipComment();
      else return;
    }
  }

  #skipComment(): void {
    const opening = this.#text.slice(this.#at, this.#at + 2);
    if (opening !== "//" && opening !== "/*") throw fastjsonException("invalid comment");
    const [end, length] = opening === "//" ? ["\n", 1] : ["*/", 2];
    const found = this.#text.indexOf(end, this.#at + 2);
    this.#at = found < 0 ? this.#text.length : found + length;
  }

  #place(): string {
    const before = this.#text.slice(0, this.#at).split("\n");
    return `pos ${this.#at}, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}${this.#text}`;
  }
}

function withCharacter(complaint: string, character: string): string {
  return complaint.endsWith(" ") ? complaint + character : complaint;
}

/** Returns a member as an object, also parsed from text (JSONObject.getJSONObject). @throws {JavaError} another value */
export function objectIn(members: Members, name: string, version: NodeVersion): Members | undefined {
  const value = members[name];
  if (version !== "4.8.0" && value !== undefined && value !== null && typeof value !== "string" && !isMembers(value)) {
    throw jsonException(`Field '${name}' is not an object`);
  }
  return objectOf(value, version);
}

/** Returns a value as an object, also parsed from text. @throws {JavaError} another value */
export function objectOf(value: Value | undefined, version: NodeVersion = "4.8.0"): Members | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return parseBody(value, version);
  if (isMembers(value)) return value;
  throw classCast(value, "com.alibaba.fastjson.JSONObject");
}

/** Returns a list, also parsed from text (JSONObject.getJSONArray). @throws {JavaError} another value */
export function listIn(members: Members, name: string, version: NodeVersion): readonly Value[] | undefined {
  const value = members[name];
  if (value === undefined || value === null) return undefined;
  const list = typeof value === "string" ? parseValue(value, version) : value;
  if (Array.isArray(list)) return list as readonly Value[];
  if (version !== "4.8.0") throw jsonException(`Field '${name}' is not an array`);
  throw classCast(list, "com.alibaba.fastjson.JSONArray");
}

function classCast(value: Value, target: string): JavaError {
  const type = javaClassOf(value);
  const places = type.startsWith("java.")
    ? `(${type} is in module java.base of loader 'bootstrap'; ${target} is in unnamed module of loader 'app')`
    : `(${type} and ${target} are in unnamed module of loader 'app')`;
  return new JavaError("java.lang.ClassCastException", `class ${type} cannot be cast to class ${target} ${places}`);
}

function javaClassOf(value: Value): string {
  switch (typeof value) {
    case "boolean":
      return "java.lang.Boolean";
    case "string":
      return "java.lang.String";
    case "object":
      if (value instanceof Decimal) return "java.math.BigDecimal";
      return `com.alibaba.fastjson.${Array.isArray(value) ? "JSONArray" : "JSONObject"}`;
    default:
      return value === (Number(value) | 0) ? "java.lang.Integer" : "java.lang.Long";
  }
}
