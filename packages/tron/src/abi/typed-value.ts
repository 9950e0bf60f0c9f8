import { t } from "@vscode/l10n";
import { isChainError } from "../errors/chain-error.ts";
import { counted } from "../format/amounts.ts";
import { type Address, parseAddress, parseAnyAddress } from "../primitives/address.ts";
import { isHexPairs, stripHexPrefix } from "../primitives/bytes.ts";
import { wholeNumberIn } from "../primitives/parse-amount.ts";
import { nameText, rawText } from "../primitives/plain-text.ts";
import type { AbiParameter, AbiType } from "./abi-type.ts";
import type { AbiInput, InputValue } from "./encode-abi.ts";

/** Mismatch between a value and its type: the location, such as `lines[1].cups`, and the expected form. */
export interface Misfit {
  readonly path: string;
  readonly reason: string;
}

/** Value of the type, or all mismatches. */
export type Typed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly misfits: readonly Misfit[] };

/** Returns the address of an account by its name. */
export type AddressOf = (name: string) => Address | undefined;

/**
 * Converts values to the parameter types of a function. Numbers can be text; addresses can be base58, hex or the name
 * of an account; tuples can be lists or objects with field names.
 */
export function typedValues(
  parameters: readonly AbiParameter[],
  input: readonly InputValue[],
  addressOf: AddressOf,
): Typed<readonly AbiInput[]> {
  if (parameters.length !== input.length)
    return misfit("", neededOf(needed(parameters.length, t`argument`, t`arguments`), input.length));
  return all(
    parameters.map(({ name, type }, index) =>
      typedValue(type, input[index] ?? "", addressOf, nameText(name, t`argument ${index + 1}`)),
    ),
  );
}

/** Converts one value to its type. `path` is its name in mismatches. */
export function typedValue(type: AbiType, input: InputValue, addressOf: AddressOf, path: string): Typed<AbiInput> {
  switch (type.kind) {
    case "uint":
    case "int":
      return integer(type, input, path);
    case "bool":
      return flag(input, path);
    case "address":
      return address(input, addressOf, path);
    case "string":
      return typeof input === "string" ? { ok: true, value: input } : misfit(path, t`write a text`);
    case "bytes":
      return bytes(undefined, input, path);
    case "fixed-bytes":
      return bytes(type.size, input, path);
    case "array":
      return array(type, input, addressOf, path);
    case "tuple":
      return tuple(type.fields, input, addressOf, path);
  }
}

/**
 * Converts the text of one input box: JSON for a list or a tuple, else the text itself.
 *
 * @returns the text unchanged if it is not the required JSON: the mismatch then reports it
 */
export function inputFromText(type: AbiType, text: string): InputValue {
  if (type.kind !== "array" && type.kind !== "tuple") return text.trim();
  try {
    return fromJson(JSON.parse(quotedIntegers(text)));
  } catch {
    return text;
  }
}

function integer(type: Extract<AbiType, { kind: "uint" | "int" }>, input: InputValue, path: string): Typed<AbiInput> {
  const value = typeof input === "bigint" ? input : integerFromText(input);
  if (value === undefined) return misfit(path, t`write a whole number, such as 1000000 or 0x2a`);
  const fits = type.kind === "uint" ? BigInt.asUintN(type.bits, value) : BigInt.asIntN(type.bits, value);
  if (fits === value) return { ok: true, value };
  if (value >= 0n) return misfit(path, t`this is too large for ${type.text}`);
  return misfit(
    path,
    type.kind === "uint" ? t`${type.text} cannot be negative` : t`this is too small for ${type.text}`,
  );
}

function integerFromText(input: InputValue): bigint | undefined {
  if (typeof input !== "string") return undefined;
  const text = input.trim();
  if (/^0x[\da-f]{1,64}$/i.test(text)) return BigInt(text);
  const [, sign, digits] = /^(-?)(\d.*)$/.exec(text) ?? [];
  const value = digits === undefined ? undefined : wholeNumberIn(digits);
  return value !== undefined && sign === "-" ? -value : value;
}

function flag(input: InputValue, path: string): Typed<AbiInput> {
  const value = typeof input === "string" ? { true: true, false: false }[input.trim().toLowerCase()] : input;
  return typeof value === "boolean" ? { ok: true, value } : misfit(path, t`write true or false`);
}

function address(input: InputValue, addressOf: AddressOf, path: string): Typed<AbiInput> {
  if (typeof input !== "string" || input.trim() === "")
    return misfit(path, t`write an address, or the name of an account`);
  const known = addressOf(input.trim());
  if (known !== undefined) return { ok: true, value: known };
  try {
    return { ok: true, value: /^0x/i.test(input.trim()) ? parseAnyAddress(input) : parseAddress(input) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    const looksLikeOne =
      error.code === "ADDRESS_CHECKSUM_MISMATCH" || /^T\w{20,}$|^(0x)?41[\da-f]{20,}$/i.test(input.trim());
    return misfit(path, looksLikeOne ? error.message : t`"${input.trim()}" is neither an account name nor an address`);
  }
}

function bytes(size: number | undefined, input: InputValue, path: string): Typed<AbiInput> {
  const digits = typeof input === "string" ? stripHexPrefix(input.trim()).toLowerCase() : undefined;
  if (digits === undefined || (digits !== "" && !isHexPairs(digits)))
    return misfit(path, t`write bytes in hex, such as 0x00ff`);
  if (size !== undefined && digits.length !== 2 * size) return misfit(path, t`write exactly ${size} bytes in hex`);
  return { ok: true, value: digits };
}

function array(
  type: Extract<AbiType, { kind: "array" }>,
  input: InputValue,
  addressOf: AddressOf,
  path: string,
): Typed<AbiInput> {
  if (!isList(input)) return misfit(path, t`write a list as JSON, such as ["…", "…"]`);
  if (type.length !== undefined && input.length !== type.length)
    return misfit(path, neededOf(needed(type.length, t`item`, t`items`), input.length));
  return all(input.map((item, index) => typedValue(type.element, item, addressOf, `${path}[${index}]`)));
}

function tuple(
  fields: readonly AbiParameter[],
  input: InputValue,
  addressOf: AddressOf,
  path: string,
): Typed<AbiInput> {
  const named = fields.map(({ name }, index) => rawText(name) || String(index));
  const listed = fields.map(({ name }, index) => nameText(name, String(index))).join(", ");
  if (typeof input !== "object") return misfit(path, t`write a list or an object as JSON: ${listed}`);
  if (isList(input) && input.length !== fields.length)
    return misfit(path, t`${needed(fields.length, t`value`, t`values`)}: ${listed}`);
  const unknown = isList(input) ? [] : Object.keys(input).filter((name) => !named.includes(name));
  if (unknown.length > 0) return misfit(path, t`there is no ${unknown.join(", ")}; the fields are ${listed}`);
  return all(
    fields.map(({ name: fieldName, type }, index) => {
      const name = named[index] ?? "";
      const shown = nameText(fieldName, String(index));
      const value = isList(input) ? input[index] : input[name];
      return value === undefined
        ? misfit(`${path}.${shown}`, t`it is missing`)
        : typedValue(type, value, addressOf, `${path}.${shown}`);
    }),
  );
}

function isList(input: InputValue): input is readonly InputValue[] {
  return Array.isArray(input);
}

function all(results: readonly Typed<AbiInput>[]): Typed<readonly AbiInput[]> {
  const misfits = results.flatMap((it) => (it.ok ? [] : it.misfits));
  if (misfits.length > 0) return { ok: false, misfits };
  return { ok: true, value: results.flatMap((it) => (it.ok ? [it.value] : [])) };
}

function misfit(path: string, reason: string): { readonly ok: false; readonly misfits: readonly Misfit[] } {
  return { ok: false, misfits: [{ path, reason }] };
}

function needed(count: number, one: string, many: string): string {
  const things = counted(count, one, many);
  return count === 1 ? t`${things} is needed` : t`${things} are needed`;
}

function neededOf(what: string, actual: number): string {
  return actual === 1 ? t`${what}, but there is ${actual}` : t`${what}, but there are ${actual}`;
}

/** Integers in JSON keep every digit as strings. `000` is no JSON integer, so `[1,000]` is refused. */
function quotedIntegers(json: string): string {
  return json.replaceAll(
    /("(?:[^"\\]|\\.)*")|-?\b(?:0|[1-9]\d*)\b(?![.eE])/g,
    (found, quoted?: string) => quoted ?? `"${found}"`,
  );
}

function fromJson(json: unknown): InputValue {
  if (typeof json === "string" || typeof json === "boolean") return json;
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json !== "object" || json === null) throw new SyntaxError(t`no such value`);
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, fromJson(value)]));
}
