import { bytesToHex, decodeBase58, equalBytes, type Hex, isHexPairs, sha256 } from "@finality/tron/primitives";
import { nullPointerException } from "./java-error.ts";
import { looseHex } from "./java-values.ts";
import { Tokenizer } from "./json-tokenizer.ts";

/**
 * How the node reads a field. When `visible` is true, an address is base58 and a name is the text itself; other bytes
 * are always hex.
 */
export type FieldKind =
  | "address"
  | "name"
  | "bytes"
  | "text"
  | "int64"
  | "int32"
  | "bool"
  | Enumeration
  | Message
  | Repeated;

/** A field whose value is a name or a number. */
export interface Enumeration {
  readonly enumeration: string;
  /** By their numbers. */
  readonly names: readonly (string | undefined)[];
}
export interface Message {
  readonly fields: Fields;
}
export interface Repeated {
  readonly each: FieldKind;
}
/** In the order of their numbers: a single digit in the place of a name means the field in that place. */
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
  const word = tokenizer.identifier();
  const name = fieldNamed(fields, word);
  const kind = name === undefined ? undefined : fields[name];
  if (name === undefined || kind === undefined) {
    skipField(tokenizer);
    return;
  }
  tokenizer.consume(":");
  // A message that is named by its number is read as the bytes of one, and nobody sends that.
  if (name !== word && isMessage(isRepeated(kind) ? kind.each : kind)) return void tokenizer.quoted();
  const items = readItems(reading, isRepeated(kind) ? kind.each : kind);
  const last = items.at(-1);
  if (isRepeated(kind)) values[name] = [...((values[name] as Value[] | undefined) ?? []), ...items];
  else if (last !== undefined) values[name] = last;
}

function fieldNamed(fields: Fields, name: string): string | undefined {
  if (Object.hasOwn(fields, name)) return name;
  return /^\d$/.test(name) ? Object.keys(fields)[Number(name) - 1] : undefined;
}

/** A list may stand where one value is meant (the last one counts), and one value where a list is. */
function readItems(reading: Reading, kind: FieldKind): Value[] {
  const { tokenizer } = reading;
  const items: Value[] = [];
  const take = (): void => {
    if (!isMessage(kind) && tokenizer.tryConsume("null")) return;
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
  if (isMessage(kind)) return readInner(reading, kind.fields);
  if (typeof kind === "object") {
    return "enumeration" in kind ? readEnumeration(tokenizer, kind) : readItems(reading, kind.each);
  }
  switch (kind) {
    case "address":
      return visible ? readBase58(tokenizer) : readHex(tokenizer);
    case "name":
      return visible ? readName(tokenizer) : readHex(tokenizer);
    case "bytes":
      return readHex(tokenizer);
    case "text":
      return tokenizer.string();
    case "int64":
      return tokenizer.integer(64);
    case "int32":
      return tokenizer.integer(32);
    case "bool":
      return tokenizer.boolean();
  }
}

/** A message in a field, which unlike the outermost one complains where the text ends. */
function readInner(reading: Reading, fields: Fields): Values {
  const { tokenizer } = reading;
  const values: Record<string, Value> = {};
  tokenizer.consume("{");
  while (!tokenizer.tryConsume("}")) {
    if (tokenizer.atEnd) throw tokenizer.complaint('Expected "}".');
    do readField(reading, fields, values);
    while (tokenizer.tryConsume(","));
  }
  return values;
}

function readHex(tokenizer: Tokenizer): string {
  const text = tokenizer.quoted();
  if (isHexPairs(text)) return text.toLowerCase();
  try {
    return bytesToHex(looseHex(text));
  } catch {
    throw tokenizer.complaintBefore("INVALID hex String");
  }
}

function readName(tokenizer: Tokenizer): string {
  return bytesToHex(new TextEncoder().encode(tokenizer.quoted()));
}

function readBase58(tokenizer: Tokenizer): string {
  const text = tokenizer.quoted();
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
  if (/^[-+\d]/.test(tokenizer.token)) {
    const number = Number(tokenizer.integer(32));
    if (names[number] !== undefined) return number;
    throw tokenizer.complaintBefore(`Enum type "${enumeration}" has no value with number ${number}.`);
  }
  const word = tokenizer.identifier();
  const name = /^[a-z]+$/.test(word) ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word;
  const index = names.indexOf(name);
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
  if (/^[-+\d]/.test(tokenizer.token)) tokenizer.integer(64);
  else if (/^(?:true|false)$/.test(tokenizer.token)) tokenizer.boolean();
  else tokenizer.string();
}

function isRepeated(kind: FieldKind): kind is Repeated {
  return typeof kind === "object" && "each" in kind;
}

function isMessage(kind: FieldKind): kind is Message {
  return typeof kind === "object" && "fields" in kind;
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
