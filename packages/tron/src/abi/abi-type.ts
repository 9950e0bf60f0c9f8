import { t } from "@vscode/l10n";
import { ChainError, isChainError } from "../errors/chain-error.ts";
import { type ForeignText, foreignText, nameText } from "../primitives/plain-text.ts";

/** Common part of all types: canonical name, size of the head in bytes, and whether the head is only an offset. */
interface Layout {
  readonly text: string;
  readonly head: number;
  readonly dynamic: boolean;
}

/** Type of the contract ABI, ready for decoding. */
export type AbiType = Layout &
  (
    | { readonly kind: "uint" | "int"; readonly bits: number }
    | { readonly kind: "address" | "bool" | "string" | "bytes" }
    | { readonly kind: "fixed-bytes"; readonly size: number }
    | { readonly kind: "array"; readonly element: AbiType; readonly length: number | undefined }
    | { readonly kind: "tuple"; readonly fields: readonly AbiParameter[] }
  );

export interface AbiParameter {
  /** Empty for an unnamed parameter. */
  readonly name: ForeignText;
  readonly type: AbiType;
  /** Members of an enum in their order, if the artifact names them. */
  readonly members?: readonly ForeignText[];
  /** Name of a struct, or of the structs in a list, if the ABI has it. */
  readonly struct?: ForeignText;
}

/** Parameter in the JSON of an ABI. */
export interface JsonParameter {
  readonly name?: string | undefined;
  readonly type: string;
  readonly components?: readonly JsonParameter[] | undefined;
  /** Type in the source, such as `enum Shop.State`. */
  readonly internalType?: string | undefined;
  /** Members of an enum; no compiler writes them, `withEnumMembers` adds them. */
  readonly members?: readonly string[] | undefined;
}

const WORD = 32;
const MAX_DEPTH = 32;
/** Limits of depth and length: no compiler emits more, and parsing it would only cost time. */
const MAX_TEXT = 4096;

/** @throws {ChainError} `ABI_MALFORMED` */
export function parameterFromJson(json: JsonParameter, depth = 0): AbiParameter {
  if (depth > MAX_DEPTH || json.type.length > MAX_TEXT) throw malformed(t`its types are nested too deeply`);
  return {
    name: foreignText(json.name ?? ""),
    type: withSuffixes(json.type, (base) => baseFromJson(base, json, depth)),
    ...membersOf(json),
    ...structOf(json),
  };
}

const STRUCT = /^struct (?:[\w$]+\.)*([\w$]{1,100})(?:\[\d*\])*$/;

/** The contract or library in front of the name is left out. */
function structOf({ internalType }: JsonParameter): Pick<AbiParameter, "struct"> {
  const [, name] = (typeof internalType === "string" && STRUCT.exec(internalType)) || [];
  return name === undefined ? {} : { struct: foreignText(name) };
}

/** The ABI may be from a chain, so its fields may have any type. */
function membersOf({ members }: JsonParameter): Pick<AbiParameter, "members"> {
  const isList = Array.isArray(members) && members.length <= 256 && members.every((it) => typeof it === "string");
  return isList ? { members: members.map((it) => foreignText(it)) } : {};
}

/** Returns the type of a parameter for display: structs by their names, or by their fields if the ABI has no name. */
export function typeLabel({ type, struct }: Pick<AbiParameter, "type" | "struct">): string {
  if (struct === undefined) return type.text;
  if (type.kind === "array") return `${typeLabel({ type: type.element, struct })}[${type.length ?? ""}]`;
  return type.kind === "tuple" ? nameText(struct) : type.text;
}

/** Parses the parameters of a list with their types and names. */
export function tupleOf(fields: readonly AbiParameter[]): AbiType {
  const dynamic = fields.some(({ type }) => type.dynamic);
  const size = fields.reduce((sum, { type }) => sum + type.head, 0);
  const text = `(${fields.map(({ type }) => type.text).join(",")})`;
  return { kind: "tuple", fields, text, dynamic, head: dynamic ? WORD : size };
}

/**
 * Returns the type of an elementary name.
 *
 * @throws {ChainError} `ABI_MALFORMED`
 */
export function elementaryType(name: string): AbiType {
  const found = known.get(name) ?? sized(name);
  if (found === undefined) throw malformed(t`"${name.slice(0, 40)}" is not a type`);
  known.set(found.text, found);
  return found;
}

/**
 * Applies the array brackets at the end of a type's text to the type before them.
 *
 * @throws {ChainError} `ABI_MALFORMED`
 */
export function withSuffixes(text: string, base: (text: string) => AbiType): AbiType {
  if (text.length > MAX_TEXT) throw malformed(t`a type is too long`);
  const lengths: (number | undefined)[] = [];
  let end = text.length;
  while (text[end - 1] === "]") {
    const open = text.lastIndexOf("[", end - 1);
    lengths.push(arrayLength(text.slice(open + 1, end - 1)));
    if (open < 0 || lengths.length > MAX_DEPTH) throw malformed(t`its array brackets do not match`);
    end = open;
  }
  return lengths.reduceRight(arrayOf, base(text.slice(0, end)));
}

function baseFromJson(base: string, json: JsonParameter, depth: number): AbiType {
  if (base !== "tuple") return elementaryType(base);
  return tupleOf((json.components ?? []).map((one) => parameterFromJson(one, depth + 1)));
}

function arrayOf(element: AbiType, length: number | undefined): AbiType {
  const dynamic = length === undefined || element.dynamic;
  const head = dynamic ? WORD : element.head * (length ?? 0);
  return { kind: "array", element, length, text: `${element.text}[${length ?? ""}]`, dynamic, head };
}

function arrayLength(digits: string): number | undefined {
  if (digits === "") return undefined;
  if (!/^\d{1,9}$/.test(digits)) throw malformed(t`the length of an array is not a number`);
  return Number(digits);
}

function sized(name: string): AbiType | undefined {
  const [, kind, digits = ""] = /^(uint|int|bytes)(\d{0,3})$/.exec(name) ?? [];
  const size = Number(digits === "" ? 256 : digits);
  if (kind === "bytes") {
    return size >= 1 && size <= WORD ? { kind: "fixed-bytes", size, ...one(`bytes${size}`) } : undefined;
  }
  if ((kind !== "uint" && kind !== "int") || size % 8 !== 0 || size < 8 || size > 256) return undefined;
  return { kind, bits: size, ...one(`${kind}${size}`) };
}

const one = (text: string): Layout => ({ text, head: WORD, dynamic: false });
const offset = (text: string): Layout => ({ text, head: WORD, dynamic: true });

const known = new Map<string, AbiType>([
  ["address", { kind: "address", ...one("address") }],
  ["bool", { kind: "bool", ...one("bool") }],
  ["string", { kind: "string", ...offset("string") }],
  ["bytes", { kind: "bytes", ...offset("bytes") }],
  ["function", { kind: "fixed-bytes", size: 24, ...one("function") }],
  // ID of a TRC-10 token: a number for the VM, with its own type name in signatures.
  ["trcToken", { kind: "uint", bits: 256, ...one("trcToken") }],
]);

/** Returns what `read` returns, or undefined for types that cannot be encoded, such as those of library functions. */
export function unlessMalformed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isChainError(error) && error.code === "ABI_MALFORMED") return undefined;
    throw error;
  }
}

function malformed(reason: string): ChainError {
  return new ChainError("ABI_MALFORMED", { reason });
}
