import { hexToBytes, isHexPairs, type JsonObject } from "@finality/tron/primitives";
import type { NodeVersion } from "../chain/parameters.ts";

/** A value as fastjson reads it; numbers with a point or an exponent keep their digits. */
export type Value = null | boolean | number | bigint | string | Decimal | readonly Value[] | Members;
/** An object as fastjson reads it. */
export interface Members {
  readonly [name: string]: Value | undefined;
}

/** Objects that Jackson has read, or would have made. */
const ordered = new WeakSet<object>();

/** Marks an object as Jackson's: it is printed with its nulls, in the order of its names. */
export function inOrder(members: Members): Members {
  ordered.add(members);
  return members;
}

export function isMembers(value: Value | undefined): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

const DECIMAL = /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/;
/** Zeros after the point above which a BigDecimal is printed with an exponent. */
const PLAIN_ZEROS = 6;
const LONG = [-(2n ** 63n), 2n ** 63n - 1n] as const;
/** Most digits of a long. */
const LONG_DIGITS = 19;

/** java.math.BigDecimal: digits and scale. */
export class Decimal {
  readonly #unscaled: bigint;
  readonly #scale: number;

  private constructor(unscaled: bigint, scale: number) {
    this.#unscaled = unscaled;
    this.#scale = scale;
  }

  /** @throws {JavaError} not a number, in the words of BigDecimal's constructor */
  static parse(text: string): Decimal {
    const [, sign = "", whole = "", part = "", exponent = "0"] = DECIMAL.exec(text) ?? [];
    if (whole + part === "") throw notDecimal(text);
    return new Decimal(BigInt(`${sign === "-" ? "-" : ""}${whole}${part}`), part.length - Number(exponent));
  }

  /** Returns the number without zeros at its end, as Jackson keeps it. */
  stripped(): Decimal {
    if (this.#unscaled === 0n) return new Decimal(0n, 0);
    const zeros = /0*$/.exec(String(this.#unscaled))?.[0].length ?? 0;
    return new Decimal(this.#unscaled / 10n ** BigInt(zeros), this.#scale - zeros);
  }

  /** @throws {JavaError} a fraction, or beyond 64 bits */
  longValueExact(): bigint {
    const digits = String(this.#unscaled).replace("-", "").length;
    if (this.#unscaled === 0n) return 0n;
    if (digits - this.#scale > LONG_DIGITS) throw arithmeticException("Overflow");
    if (digits - this.#scale <= 0) throw arithmeticException("Rounding necessary");
    return exactLong(this.#unscaled, this.#scale);
  }

  /** Returns the integer part, wrapped to 32 bits. */
  intValue(): number {
    const power = 10n ** BigInt(Math.abs(this.#scale));
    return Number(BigInt.asIntN(32, this.#scale > 0 ? this.#unscaled / power : this.#unscaled * power));
  }

  toString(): string {
    const sign = this.#unscaled < 0n ? "-" : "";
    const digits = String(this.#unscaled).replace("-", "");
    const exponent = digits.length - 1 - this.#scale;
    if (this.#scale >= 0 && exponent >= -PLAIN_ZEROS) return sign + withPoint(digits, this.#scale);
    const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`;
    return `${sign}${mantissa}${exponent === 0 ? "" : `E${exponent > 0 ? "+" : ""}${exponent}`}`;
  }
}

function withPoint(digits: string, scale: number): string {
  if (scale === 0) return digits;
  const padded = digits.padStart(scale + 1, "0");
  return `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function exactLong(unscaled: bigint, scale: number): bigint {
  const power = 10n ** BigInt(Math.abs(scale));
  if (scale > 0 && unscaled % power !== 0n) throw arithmeticException("Rounding necessary");
  const value = scale > 0 ? unscaled / power : unscaled * power;
  if (value < LONG[0] || value > LONG[1]) throw arithmeticException("Overflow");
  return value;
}

function notDecimal(text: string): JavaError {
  const odd = /[^-+\d.eE]/.exec(text)?.[0] ?? (/^[-+]?\d/.test(text) ? undefined : /[eE]/.exec(text)?.[0]);
  if (odd === undefined) return new JavaError("java.lang.NumberFormatException", "null");
  return numberFormatException(
    `Character ${odd} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`,
  );
}

/** Returns a value as fastjson's `getString`: other types are printed. */
export function textValue(members: Members | JsonObject, key: string): string | undefined {
  const value = members[key] as Value | undefined;
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" && !(value instanceof Decimal) ? printMembers(value) : String(value);
}

/** Returns an integer, or 0 if missing (Util.getJsonLongValue). @throws {JavaError} not an integer of 64 bits */
export function longValue(members: Members | JsonObject, key: string): bigint {
  return decimalValue(members, key)?.longValueExact() ?? 0n;
}

/** @throws {JavaError} there is none, or it is no integer of 64 bits */
export function requiredLong(members: Members, key: string): bigint {
  const value = decimalValue(members, key);
  if (value === undefined)
    throw new JavaError("java.security.InvalidParameterException", `key [${key}] does not exist`);
  return value.longValueExact();
}

function decimalValue(members: Members | JsonObject, key: string): Decimal | undefined {
  const value = members[key] as Value | undefined;
  if (value instanceof Decimal) return value;
  if (isMembers(value) && !ordered.has(value) && Object.keys(value).length === 0) return undefined;
  const text = textValue(members, key);
  return text === undefined || text === "" || text.toLowerCase() === "null" ? undefined : Decimal.parse(text);
}

/** Returns an integer of 32 bits (JSONObject.getInteger, unboxed). @throws {JavaError} null or no number */
export function intValue(value: Value): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "number" || typeof value === "bigint") return Number(BigInt.asIntN(32, BigInt(value)));
  if (value instanceof Decimal) return value.intValue();
  if (typeof value === "string" && value !== "" && value.toLowerCase() !== "null") return parseInt32(value);
  if (typeof value === "object" && value !== null) {
    throw new JavaError("com.alibaba.fastjson.JSONException", `can not cast to int, value : ${printMembers(value)}`);
  }
  throw nullPointerException('Cannot invoke "java.lang.Integer.intValue()" because the return value is null');
}

function parseInt32(text: string): number {
  const digits = text.replaceAll(",", "").replace(/\.0*$/, "");
  const value = /^[-+]?\d+$/.test(digits) ? Number(digits) : Number.NaN;
  if (value !== (value | 0)) throw numberFormatException(`For input string: "${digits}"`);
  return value;
}

/** Parses as Long.parseLong. @throws {JavaError} */
export function parseLong(text: string | undefined): bigint {
  if (text === undefined) throw numberFormatException("Cannot parse null string");
  const value = /^[-+]?\d+$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
  if (value === undefined || value < LONG[0] || value > LONG[1]) {
    throw numberFormatException(`For input string: "${text}"`);
  }
  return value;
}

/** Parses as Integer.parseInt. @throws {JavaError} */
export function parseInteger(text: string): number {
  const value = parseLong(text);
  if (BigInt.asIntN(32, value) !== value) throw numberFormatException(`For input string: "${text}"`);
  return Number(value);
}

/** Prints a value as fastjson does, in the order of Java's hash table and without nulls, or as Jackson does. */
export function printMembers(value: Value): string {
  if (Array.isArray(value)) return `[${value.map((it: Value) => printMembers(it)).join(",")}]`;
  if (!isMembers(value)) return typeof value === "string" ? JSON.stringify(value) : String(value);
  const given = Object.keys(value).filter((it) => value[it] !== undefined);
  const names = ordered.has(value) ? given : javaOrder(given.filter((it) => value[it] !== null));
  return `{${names.map((it) => `${JSON.stringify(it)}:${printMembers(value[it] ?? null)}`).join(",")}}`;
}

const BLANK = /[ \n\r\t]/;
const NO_HEX = "exception decoding Hex string: invalid characters encountered in Hex string";

/**
 * Decodes hex as the node does: optional 0x, spaces anywhere, and a leading 0 for an odd length
 * (ByteArray.fromHexString).
 *
 * @throws {JavaError} not hex
 */
export function looseHex(text: string): Uint8Array {
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  return decodeHex(digits.length % 2 === 0 ? digits : `0${digits}`);
}

/**
 * Decodes pairs of digits, with spaces anywhere.
 *
 * @throws {JavaError} invalid hex, with the message of the node's decoder
 */
export function decodeHex(text: string): Uint8Array {
  if (isHexPairs(text)) return hexToBytes(text);
  const end = text.replace(/[ \n\r\t]+$/, "").length;
  const bytes: number[] = [];
  for (let at = 0; at < end; ) {
    const [first, afterFirst] = digitFrom(text, at, end);
    const [second, afterSecond] = digitFrom(text, afterFirst, end);
    if (Number.isNaN(first + second)) throw hexException(NO_HEX);
    bytes.push(first * 16 + second);
    at = afterSecond;
  }
  return Uint8Array.from(bytes);
}

function digitFrom(text: string, from: number, end: number): [digit: number, after: number] {
  let at = from;
  while (at < end && BLANK.test(text[at] ?? "")) at += 1;
  const character = text[at];
  if (character === undefined) throw hexException(`exception decoding Hex string: String index out of range: ${at}`);
  if (character > "\u007F") throw hexException("exception decoding Hex string: null");
  return [/[\da-fA-F]/.test(character) ? Number.parseInt(character, 16) : Number.NaN, at + 1];
}

const USUAL_ROOM = 16;
const LOAD = 0.75;

/** Returns keys in the iteration order of a Java hash map. @param capacity - its initial capacity */
export function javaOrder(keys: readonly string[], capacity = USUAL_ROOM): string[] {
  let places = capacity;
  while (keys.length > places * LOAD) places *= 2;
  const placed = keys.map((key) => ({ key, place: spread(hashCode(key)) & (places - 1) }));
  return placed.sort((one, other) => one.place - other.place).map(({ key }) => key);
}

/** Returns the initial capacity of a copied map. */
export function capacityOfCopy(size: number): number {
  return size === 0 ? USUAL_ROOM : 2 ** Math.ceil(Math.log2(Math.floor(size / LOAD + 1)));
}

function spread(hash: number): number {
  return hash ^ (hash >>> 16);
}

function hashCode(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/** A Java exception that servlets print: `{"Error":"class <class> : <text>"}`. */
export class JavaError extends Error {
  override readonly name = "JavaError";
  readonly javaClass: string;

  constructor(javaClass: string, message: string) {
    super(message);
    this.javaClass = javaClass;
  }

  /** Returns the exception of a version: 4.8.2 has classes of its own in place of fastjson's. */
  ofVersion(version: NodeVersion): JavaError {
    if (version === "4.8.0") return this;
    const renamed = (text: string): string => text.replaceAll("com.alibaba.fastjson.", "org.tron.json.");
    return new JavaError(renamed(this.javaClass), renamed(this.message));
  }
}

const VALIDATE_EXCEPTION = "org.tron.core.exception.ContractValidateException";
export const PARSE_EXCEPTION = "org.tron.core.services.http.JsonFormat$ParseException";
const FASTJSON_EXCEPTION = "com.alibaba.fastjson.JSONException";
const HEX_EXCEPTION = "org.bouncycastle.util.encoders.DecoderException";

export function validateException(message: string): JavaError {
  return new JavaError(VALIDATE_EXCEPTION, message);
}

export function badItem(message: string): JavaError {
  return new JavaError("org.tron.core.exception.BadItemException", message);
}

export function parseException(message: string): JavaError {
  return new JavaError(PARSE_EXCEPTION, message);
}

export function fastjsonException(message: string): JavaError {
  return new JavaError(FASTJSON_EXCEPTION, message);
}

/** Exception of the node's hex decoder. */
function hexException(message: string): JavaError {
  return new JavaError(HEX_EXCEPTION, message);
}

function arithmeticException(message: string): JavaError {
  return new JavaError("java.lang.ArithmeticException", message);
}

/** Null pointer exception; its text depends on the JVM, only the class is stable. */
export function nullPointerException(message: string): JavaError {
  return new JavaError("java.lang.NullPointerException", message);
}

export function numberFormatException(message: string): JavaError {
  return new JavaError("java.lang.NumberFormatException", message);
}

export function bodyTooBig(limit: number): JavaError {
  return new JavaError("java.lang.Exception", `body size is too big, the limit is ${limit}`);
}
