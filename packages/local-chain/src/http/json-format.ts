import { create, type DescField, type Message, ScalarType } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import {
  bytesToHex,
  decodeBase58,
  equalBytes,
  type Hex,
  hexToBytes,
  isHexPairs,
  sha256,
} from "@finality/tron/primitives";
import { contractResults, contractTypeName, enumNames, visibleFormat } from "@finality/tron/transaction";
import type { NodeVersion } from "../chain/parameters.ts";
import {
  isMembers,
  looseHex,
  type Value as Member,
  type Members,
  nullPointerException,
  numberFormatException,
  parseException,
} from "./java-values.ts";

/** Type of a field. With `visible` an address is base58 and a name is text; other bytes are always hex. */
type FieldKind =
  | "address"
  | "name"
  | "bytes"
  | "text"
  | "int64"
  | "int32"
  | "bool"
  | Enumeration
  | MessageKind
  | Repeated;

/** A field whose value is a name or a number. */
interface Enumeration {
  readonly enumeration: string;
  /** By number. */
  readonly names: readonly (string | undefined)[];
}
interface MessageKind {
  readonly fields: Fields;
}
interface Repeated {
  readonly each: FieldKind;
}
/** Fields in the order of their numbers: a single digit as a name selects a field by position. */
export type Fields = { readonly [name: string]: FieldKind };

/** A decoded value: bytes as hex, integers as bigint. Absent and null fields are absent. */
export type Value = string | bigint | boolean | number | readonly Value[] | Values;
export type Values = { readonly [name: string]: Value | undefined };

/**
 * Reads a body into the fields of a message as JsonFormat.java does: unknown names are skipped, and mismatches are
 * refused with line and column.
 *
 * @throws {JavaError}
 */
export function mergeJson(text: string, fields: Fields, visible: boolean, version: NodeVersion = "4.8.0"): Values {
  const tokenizer = new Tokenizer(text, version === "4.8.0" ? Number.POSITIVE_INFINITY : MAX_DEPTH);
  const values = readMessage({ tokenizer, visible, isSince482: version !== "4.8.0" }, fields);
  if (!tokenizer.atEnd) {
    throw tokenizer.complaint(
      "Expecting the end of the stream, but there seems to be more data!  Check the input for a valid JSON format.",
    );
  }
  return values;
}

/** Deepest nesting on 4.8.2. */
const MAX_DEPTH = 20;

interface ReadContext {
  readonly tokenizer: Tokenizer;
  readonly visible: boolean;
  readonly isSince482: boolean;
  /** Full name of the field in progress. */
  readonly field?: string;
}

/** Message types of fields, which messages of 4.8.2 name. */
const typeNames = new WeakMap<Fields, string>();

/** Names the message type that fields belong to. */
export function fieldsNamed(typeName: string, fields: Fields): Fields {
  typeNames.set(fields, `protocol.${typeName}`);
  return fields;
}

function readMessage(reading: ReadContext, fields: Fields): Values {
  const { tokenizer } = reading;
  const values: Record<string, Value> = {};
  tokenizer.consume("{");
  while (!tokenizer.tryConsume("}")) readFieldRow(reading, fields, values);
  return values;
}

/** Reads a field, before 4.8.2 also those behind its comma: there a last comma needs another field. */
function readFieldRow(reading: ReadContext, fields: Fields, values: Record<string, Value>): void {
  const { tokenizer, isSince482 } = reading;
  do readField(reading, fields, values);
  while (tokenizer.tryConsume(",") && !isSince482);
}

function readField(reading: ReadContext, fields: Fields, values: Record<string, Value>): void {
  const { tokenizer } = reading;
  const word = tokenizer.identifier();
  const name = fieldNamed(fields, word);
  const kind = name === undefined ? undefined : fields[name];
  if (name === undefined || kind === undefined) {
    skipField(tokenizer);
    return;
  }
  tokenizer.consume(":");
  // A message selected by number is read as bytes, which no client sends.
  if (name !== word && isMessage(isRepeated(kind) ? kind.each : kind)) return void tokenizer.quoted();
  const field = `${typeNames.get(fields) ?? ""}.${name}`;
  const items = readItems({ ...reading, field }, isRepeated(kind) ? kind.each : kind);
  const last = items.at(-1);
  if (isRepeated(kind)) values[name] = [...((values[name] as Value[] | undefined) ?? []), ...items];
  else if (last !== undefined) values[name] = last;
}

function fieldNamed(fields: Fields, name: string): string | undefined {
  if (Object.hasOwn(fields, name)) return name;
  return /^\d$/.test(name) ? Object.keys(fields)[Number(name) - 1] : undefined;
}

/** Reads items: a list in place of one value (the last counts), or one value in place of a list. */
function readItems(reading: ReadContext, kind: FieldKind): Value[] {
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

function readValue(reading: ReadContext, kind: FieldKind): Value {
  const { tokenizer, visible } = reading;
  if (isMessage(kind)) return readInner(reading, kind.fields);
  if (typeof kind === "object") {
    return "enumeration" in kind ? readEnumeration(tokenizer, kind) : readItems(reading, kind.each);
  }
  switch (kind) {
    case "address":
      return visible ? readBase58(reading) : readHex(tokenizer);
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

/** Reads a nested message, which reports an unexpected end, unlike the outermost one. */
function readInner(reading: ReadContext, fields: Fields): Values {
  const { tokenizer } = reading;
  const values: Record<string, Value> = {};
  tokenizer.consume("{");
  tokenizer.enter();
  while (!tokenizer.tryConsume("}")) {
    if (tokenizer.atEnd) throw tokenizer.complaint('Expected "}".');
    readFieldRow(reading, fields, values);
  }
  tokenizer.leave();
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

function readBase58({ tokenizer, isSince482, field }: ReadContext): string {
  const text = tokenizer.quoted();
  const payload = base58Payload(text);
  if (payload.kind !== "payload" && isSince482) {
    throw tokenizer.complaintBefore(`invalid address for field: ${field}`);
  }
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

/** Skips an unknown field. The node's code handles texts, booleans, null, integers, and non-empty objects and lists. */
function skipField(tokenizer: Tokenizer): void {
  tokenizer.tryConsume(":");
  if (tokenizer.tryConsume("{")) {
    tokenizer.enter();
    do {
      tokenizer.identifier();
      skipField(tokenizer);
    } while (tokenizer.tryConsume(","));
    tokenizer.consume("}");
    tokenizer.leave();
    return;
  }
  if (tokenizer.tryConsume("[")) {
    tokenizer.enter();
    do skipField(tokenizer);
    while (tokenizer.tryConsume(","));
    tokenizer.consume("]");
    tokenizer.leave();
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

function isMessage(kind: FieldKind): kind is MessageKind {
  return typeof kind === "object" && "fields" in kind;
}

const ADDRESS_LENGTH = 21;
/** In characters; an address and its checksum have at most 35. */
const LONGEST = 64;

/** Result of decoding base58 on the node: an address, an error about a character, or `null`. */
export type Base58Payload =
  | { readonly kind: "payload"; readonly hex: Hex }
  | { readonly kind: "illegal"; readonly character: string; readonly index: number }
  | { readonly kind: "refused" };

/** Decodes base58check as Commons.decodeFromBase58Check does: alphabet, then length, checksum and prefix. */
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

const SPACE = /(?:[ \t\n\v\f\r]|#.*$)+/my;
const TOKEN =
  /[a-zA-Z_][0-9a-zA-Z_+-]*|[.]?[0-9+-][0-9a-zA-Z_.+-]*|"(?:[^"\n\\]|\\.)*(?:"|\\?$)|'(?:[^'\n\\]|\\.)*(?:'|\\?$)/my;
const NOT_IN_NAME = /[^a-zA-Z0-9_."]/u;

/** Tokenizer of JsonFormat.java, with the line and column of its exceptions. */
class Tokenizer {
  readonly #text: string;
  #at = 0;
  #token = "";
  #tokenAt = 0;
  #previousAt = 0;
  readonly #maxDepth: number;
  #depth = 0;

  /** @param maxDepth - most objects and lists inside each other */
  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#next();
  }

  /** @throws {JavaError} too deep */
  enter(): void {
    if (this.#depth >= this.#maxDepth) throw this.complaint("Hit recursion limit.");
    this.#depth += 1;
  }

  leave(): void {
    this.#depth -= 1;
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

  /** Reads a text with its escapes. */
  quoted(): string {
    const token = this.#token;
    const quote = token[0];
    if (quote !== '"' && quote !== "'") throw this.complaint("Expected string.");
    if (token.length < 2 || !token.endsWith(quote)) throw this.complaint("String missing ending quote.");
    this.#next();
    return token.slice(1, -1);
  }

  /** Reads a text, and resolves its escapes. */
  string(): string {
    if (!this.#token.includes("\\")) return this.quoted();
    const [text, problem] = unescaped(this.#token.slice(1, -1));
    this.quoted();
    if (problem !== undefined) throw this.complaintBefore(problem);
    return text;
  }

  /** Reads an unquoted integer. */
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

  /** Creates an error about the next token. */
  complaint(text: string): Error {
    return parseException(`${this.#place(this.#tokenAt)}: ${text}`);
  }

  /** Creates an error about the last token. */
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
/** Digits that Java's BigInteger reads at a time; its exception names the group. */
const GROUPS: { readonly [radix: number]: number } = { 8: 10, 10: 9, 16: 7 };
const LONG_ENOUGH_FOR_BIG = 16;

/** Parses an integer: 0 starts octal, 0x hex. */
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

/** Resolves escapes, and returns the problem of the first invalid one. */
function unescaped(text: string): [text: string, problem?: string] {
  let problem: string | undefined;
  const resolved = text.replaceAll(/\\(u.{0,4}|[^u]|$)/gs, (_all, letters: string) => {
    const fieldsBySchema = letters.startsWith("u") ? codeUnit(letters) : ESCAPES[letters];
    if (fieldsBySchema === undefined) problem ??= escapeProblem(letters);
    return fieldsBySchema ?? "";
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

/** Matches names that the node's reader does not take for a field number. */
const NAME = /^[A-Za-z_]\w*$/;
/** Matches text that JSON prints unchanged. */
const PLAIN_TEXT = /^[\w ./:-]*$/;
const INTEGER_BITS = { int32: 32, int64: 64 } as const;

/**
 * Reads an object like `mergeJson` without printing it, with `visible` off. It handles the plain values that nearly all
 * clients send.
 *
 * @returns undefined where only `mergeJson` gives the node's result
 */
export function plainValues(members: Members, fields: Fields): Values | undefined {
  const values: Record<string, Value> = {};
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined || member === null) continue;
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined) {
      if (!isSkipped(name, member)) return undefined;
      continue;
    }
    const value = plainValue(member, kind);
    if (value === undefined) return undefined;
    values[name] = value;
  }
  return values;
}

/** Returns whether a text or boolean of an unknown field is skipped. */
function isSkipped(name: string, member: Member): boolean {
  return NAME.test(name) && (typeof member === "string" || typeof member === "boolean");
}

function plainValue(member: Member, kind: FieldKind): Value | undefined {
  if (typeof kind === "object") return plainInner(member, kind);
  switch (kind) {
    case "address":
    case "name":
    case "bytes":
      return typeof member === "string" && isHexPairs(member) ? member.toLowerCase() : undefined;
    case "text":
      return typeof member === "string" && PLAIN_TEXT.test(member) ? member : undefined;
    case "int64":
    case "int32":
      return plainInteger(member, INTEGER_BITS[kind]);
    case "bool":
      return typeof member === "boolean" ? member : undefined;
  }
}

function plainInner(member: Member, kind: Exclude<FieldKind, string>): Value | undefined {
  if ("fields" in kind) return isMembers(member) ? plainValues(member, kind.fields) : undefined;
  if ("enumeration" in kind) return plainName(member, kind);
  if (!Array.isArray(member)) return undefined;
  const items = member.map((it: Member) => (it === null ? undefined : plainValue(it, kind.each)));
  return items.every((it) => it !== undefined) ? items : undefined;
}

function plainName(member: Member, { names }: Enumeration): number | undefined {
  const index = typeof member === "string" ? names.indexOf(member) : -1;
  return index < 0 ? undefined : index;
}

function plainInteger(member: Member, bits: number): bigint | undefined {
  if (typeof member !== "bigint" && !Number.isSafeInteger(member)) return undefined;
  const value = BigInt(member as number | bigint);
  return BigInt.asIntN(bits, value) === value ? value : undefined;
}

/** Byte formats in a body. One table serves both directions. */
const BYTES_KINDS = { address: "address", text: "name", hex: "bytes" } as const;
/** Names by number, with gaps where the protocol has some. */
const CONTRACT_TYPES = Array.from({ length: 60 }, (_, number) => {
  const name = contractTypeName(number);
  return name.startsWith("UNKNOWN") ? undefined : name;
});
const RESOURCE_CODE = "protocol.ResourceCode";
/** Java class names of enumerations in messages, by message and field. */
const ENUMERATION_CLASSES: { readonly [field: string]: string } = {
  "Permission.type": "protocol.Permission.PermissionType",
  "FreezeBalanceContract.resource": RESOURCE_CODE,
  "UnfreezeBalanceContract.resource": RESOURCE_CODE,
  "FreezeBalanceV2Contract.resource": RESOURCE_CODE,
  "UnfreezeBalanceV2Contract.resource": RESOURCE_CODE,
  "DelegateResourceContract.resource": RESOURCE_CODE,
  "UnDelegateResourceContract.resource": RESOURCE_CODE,
  "Entry.type": "protocol.SmartContract.ABI.Entry.EntryType",
  "Entry.stateMutability": "protocol.SmartContract.ABI.Entry.StateMutabilityType",
  "Contract.type": "protocol.Transaction.Contract.ContractType",
  "Result.ret": "protocol.Transaction.Result.code",
  "Result.contractRet": "protocol.Transaction.Result.contractResult",
  "AccountCreateContract.type": "protocol.AccountType",
};
/** Enumeration names around a contract that `enumNames` does not have. */
const OUTER_NAMES: { readonly [field: string]: readonly (string | undefined)[] } = {
  "Contract.type": CONTRACT_TYPES,
  "Result.ret": ["SUCESS", "FAILED"],
  "Result.contractRet": contractResults,
};

const fieldsBySchema = new Map<GenMessage<Message>, Fields>();

/** Returns the fields of a protobuf message in a body. */
export function fieldsOf(schema: GenMessage<Message>): Fields {
  const fields = fieldsBySchema.get(schema) ?? readFields(schema);
  fieldsBySchema.set(schema, fields);
  return fields;
}

function readFields(schema: GenMessage<Message>): Fields {
  const fields = schema.fields.filter((it) => it.fieldKind !== "map").sort((a, b) => a.number - b.number);
  return fieldsNamed(
    schema.typeName.replace(/^protocol\./, ""),
    Object.fromEntries(fields.map((field) => [field.name, kindOf(field)])),
  );
}

/** Creates the message of decoded values. */
export function messageOf(schema: GenMessage<Message>, values: Values): Message {
  const message = create(schema);
  const target = message as unknown as Record<string, unknown>;
  for (const field of schema.fields) {
    const value = values[field.name];
    if (value !== undefined) target[field.localName] = fieldValue(field, value);
  }
  return message;
}

function kindOf(field: DescField): FieldKind {
  const kind = singleKind(field);
  return field.fieldKind === "list" ? { each: kind } : kind;
}

function singleKind(field: DescField): FieldKind {
  const key = `${field.parent.name}.${field.name}`;
  const names = enumNames(field) ?? OUTER_NAMES[key];
  if (names !== undefined) return { enumeration: ENUMERATION_CLASSES[key] ?? key, names };
  if (field.message !== undefined) return { fields: fieldsOf(field.message as GenMessage<Message>) };
  switch (field.scalar) {
    case ScalarType.BYTES:
      return BYTES_KINDS[visibleFormat(field.name)];
    case ScalarType.STRING:
      return "text";
    case ScalarType.BOOL:
      return "bool";
    case ScalarType.INT32:
      return "int32";
    default:
      return "int64";
  }
}

function fieldValue(field: DescField, value: Value): unknown {
  return Array.isArray(value) ? value.map((it: Value) => singleValue(field, it)) : singleValue(field, value);
}

function singleValue(field: DescField, value: Value): unknown {
  if (field.message !== undefined) return messageOf(field.message as GenMessage<Message>, value as Values);
  if (field.scalar === ScalarType.BYTES) return hexToBytes(String(value));
  if (field.scalar === ScalarType.INT32) return Number(value);
  return value;
}
