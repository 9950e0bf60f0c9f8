import { keccak_256 } from "@noble/hashes/sha3.js";
import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import { isJsonObject, type Json, quoteJson } from "../primitives/json.ts";

/** Type of a field of typed data (TIP-712), by its name in `types`. */
export type FieldType =
  | { readonly kind: "uint" | "int"; readonly bits: number }
  | { readonly kind: "fixed-bytes"; readonly size: number }
  | { readonly kind: "address" | "bool" | "string" | "bytes" }
  | { readonly kind: "list"; readonly item: FieldType; readonly length: number | undefined }
  | { readonly kind: "struct"; readonly name: string };

export interface TypedField {
  readonly name: string;
  /** As written, because the type is hashed by its text. */
  readonly text: string;
  readonly type: FieldType;
}

interface Struct {
  readonly fields: readonly TypedField[];
  /** Keccak-256 of its text, 32 bytes. */
  readonly typeHash: Uint8Array;
}

/** Structs by name. Each field has a known type, and no struct contains itself. */
export type StructTypes = ReadonlyMap<string, Struct>;

type StructFields = ReadonlyMap<string, readonly TypedField[]>;

/** Struct of the domain, which `types` can list. */
export const DOMAIN_TYPE = "EIP712Domain";

const MOST_STRUCTS = 64;
const MOST_FIELDS = 256;
const DEEPEST_LIST = 32;
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,99}$/;

/**
 * Reads `types`. Names are identifiers, because other characters would let two types have one text.
 *
 * @throws {ChainError} `TYPED_DATA_MALFORMED`
 */
export function readStructTypes(json: Json | undefined): StructTypes {
  if (!isJsonObject(json)) throw malformed("types", t`it is not an object`);
  const entries = Object.entries(json);
  if (entries.length > MOST_STRUCTS) throw malformed("types", t`it has more than ${MOST_STRUCTS} types`);
  const names = new Set(entries.map(([name]) => name));
  const structs = new Map(entries.map(([name, fields]) => [name, readFields(name, fields, names)]));
  for (const name of names) requireNoCycle(structs, name);
  const typeHash = (name: string) => keccak_256(Buffer.from(typeText(structs, name)));
  return new Map([...structs].map(([name, fields]) => [name, { fields, typeHash: typeHash(name) }]));
}

/** Returns the name of the one struct that no other struct contains. @throws {ChainError} `TYPED_DATA_MALFORMED` */
export function onlyPrimaryType(structs: StructTypes): string {
  const fields = [...structs.values()].flatMap((it) => it.fields);
  const contained = new Set(fields.flatMap(({ type }) => structIn(type) ?? []));
  const [first, second] = [...structs.keys()].filter((name) => name !== DOMAIN_TYPE && !contained.has(name));
  if (first === undefined || second !== undefined)
    throw malformed("primaryType", t`it is missing, and several types are possible`);
  return first;
}

/** Returns the text that is hashed for a struct: its fields, then the structs in them by name. */
function typeText(structs: StructFields, name: string): string {
  const contained = [...containedIn(structs, name, new Set())].filter((it) => it !== name).sort();
  return [name, ...contained].map((it) => ownText(it, structs.get(it) ?? [])).join("");
}

function ownText(name: string, fields: readonly TypedField[]): string {
  return `${name}(${fields.map((field) => `${field.text} ${field.name}`).join(",")})`;
}

function containedIn(structs: StructFields, name: string, found: Set<string>): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const { type } of structs.get(name) ?? []) {
    const inner = structIn(type);
    if (inner !== undefined) containedIn(structs, inner, found);
  }
  return found;
}

function structIn(type: FieldType): string | undefined {
  if (type.kind === "list") return structIn(type.item);
  return type.kind === "struct" ? type.name : undefined;
}

function readFields(struct: string, json: Json | undefined, names: ReadonlySet<string>): readonly TypedField[] {
  const path = `types.${struct.slice(0, 40)}`;
  if (!IDENTIFIER.test(struct)) throw malformed(path, t`the name of a type must be an identifier`);
  if (valueType(struct) !== undefined) throw malformed(path, t`this name belongs to a basic type`);
  if (!Array.isArray(json)) throw malformed(path, t`it is not a list of fields`);
  if (json.length > MOST_FIELDS) throw malformed(path, t`it has more than ${MOST_FIELDS} fields`);
  const fields = json.map((field: Json, index) => readField(`${path}[${index}]`, field, names));
  if (new Set(fields.map(({ name }) => name)).size < fields.length) throw malformed(path, t`two fields have one name`);
  return fields;
}

function readField(path: string, json: Json, names: ReadonlySet<string>): TypedField {
  const { name, type: text } = isJsonObject(json) ? json : {};
  if (typeof name !== "string" || !IDENTIFIER.test(name))
    throw malformed(path, t`the name of a field must be an identifier`);
  const type = typeof text === "string" ? typeOf(text, names) : undefined;
  if (typeof text !== "string" || type === undefined) throw malformed(path, t`${quoteJson(text)} is not a type`);
  return { name, text, type };
}

/** Returns the type of a text: a basic type, a struct of `types`, or a list of either. */
function typeOf(text: string, names: ReadonlySet<string>): FieldType | undefined {
  const [, base = "", brackets = ""] = /^([\w$]+)((?:\[\d{0,6}\])*)$/.exec(text) ?? [];
  const lengths = [...brackets.matchAll(/\[(\d*)\]/g)].map(([, digits = ""]) => digits);
  const isWritten = lengths.every((digits) => digits === "" || /^[1-9]/.test(digits));
  const item: FieldType | undefined = valueType(base) ?? (names.has(base) ? { kind: "struct", name: base } : undefined);
  if (item === undefined || !isWritten || lengths.length > DEEPEST_LIST) return undefined;
  return lengths.reduce<FieldType>(
    (of, digits) => ({ kind: "list", item: of, length: digits === "" ? undefined : Number(digits) }),
    item,
  );
}

/** Short forms such as `uint` are no types here: they are hashed by their text, and wallets refuse them. */
function valueType(text: string): FieldType | undefined {
  if (text === "address" || text === "bool" || text === "string" || text === "bytes") return { kind: text };
  // ID of a TRC-10 token: an integer whose own name is hashed.
  if (text === "trcToken") return { kind: "uint", bits: 256 };
  const [, kind, digits] = /^(uint|int|bytes)([1-9]\d{0,2})$/.exec(text) ?? [];
  const size = Number(digits);
  if (kind === "bytes") return size <= 32 ? { kind: "fixed-bytes", size } : undefined;
  if ((kind !== "uint" && kind !== "int") || size % 8 !== 0 || size > 256) return undefined;
  return { kind, bits: size };
}

/** @throws {ChainError} `TYPED_DATA_MALFORMED` if the struct contains itself */
function requireNoCycle(structs: StructFields, start: string): void {
  const inner = (structs.get(start) ?? []).flatMap(({ type }) => structIn(type) ?? []);
  const found = new Set<string>();
  for (const name of inner) containedIn(structs, name, found);
  if (found.has(start)) throw malformed(`types.${start}`, t`the type contains itself`);
}

export function malformed(path: string, reason: string): ChainError {
  return new ChainError("TYPED_DATA_MALFORMED", { path, reason });
}
