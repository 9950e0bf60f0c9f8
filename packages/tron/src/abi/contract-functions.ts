import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import type { Hex } from "../primitives/bytes.ts";
import { defined } from "../primitives/defined.ts";
import { isJsonObject, type Json, type JsonObject } from "../primitives/json.ts";
import { type ForeignText, foreignText, rawText } from "../primitives/plain-text.ts";
import type { JsonAbiEntry } from "./abi-index.ts";
import { signatureText } from "./abi-signature.ts";
import { type AbiParameter, type JsonParameter, parameterFromJson, unlessMalformed } from "./abi-type.ts";
import { type AbiInput, encodeCall } from "./encode-abi.ts";

/** State mutability: `pure` and `view` functions only read, and only `payable` functions accept coins. */
export type Mutability = "pure" | "view" | "nonpayable" | "payable";

/** Function of a contract that can be called. */
export interface ContractFunction {
  readonly name: ForeignText;
  /** Canonical signature. */
  readonly signature: string;
  readonly parameters: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
  readonly mutability: Mutability;
}

/** Largest number of parameters and their fields, for inputs and for outputs: no compiler emits more. */
const MAX_FIELDS = 1_000;

/**
 * Returns the functions of an ABI in their order. Functions with calls that cannot be encoded are omitted. Their tuples
 * lost their fields, which a chain does not store, a type is unknown, or there are more than 1,000 parameters.
 */
export function functionsOf(abi: readonly JsonAbiEntry[]): readonly ContractFunction[] {
  return abi.filter(isFunction).flatMap((it) => encodableFunction(it) ?? []);
}

/** Names of functions whose calls cannot be encoded. */
export function lostFunctions(abi: readonly JsonAbiEntry[]): readonly string[] {
  return abi.filter((it) => isFunction(it) && encodableFunction(it) === undefined).flatMap(({ name }) => name ?? []);
}

function isFunction({ type = "function" }: JsonAbiEntry): boolean {
  return type.toLowerCase() === "function";
}

function encodableFunction(entry: JsonAbiEntry): ContractFunction | undefined {
  return unlessMalformed(() => functionOf(entry));
}

/**
 * Returns the parameters of a deployment. A contract without a constructor accepts no arguments and no coins.
 *
 * @throws {ChainError} `ABI_MALFORMED`
 */
export function constructorOf(abi: readonly JsonAbiEntry[]): ContractFunction {
  const entry = abi.find(({ type }) => type?.toLowerCase() === "constructor");
  return functionOf({ ...entry, name: "constructor" });
}

/** Returns true if a call changes no state, so that no transaction is needed. */
export function onlyReads({ mutability }: ContractFunction): boolean {
  return mutability === "view" || mutability === "pure";
}

/**
 * Returns the functions that a name or a signature may mean: all matches, and of several with one name those with this
 * number of arguments.
 *
 * @param named - `transfer`, or `transfer(address,uint256)`.
 */
export function functionsNamed(
  functions: readonly ContractFunction[],
  named: string,
  argumentCount?: number,
): readonly ContractFunction[] {
  const searched = named.replaceAll(/\s/g, "");
  const exact = functions.filter(({ signature }) => signature === searched);
  if (exact.length > 0) return exact;
  const alike = functions.filter(({ name }) => rawText(name) === searched);
  return alike.length < 2 ? alike : alike.filter(({ parameters }) => parameters.length === (argumentCount ?? -1));
}

/**
 * Returns the data of a call: the selector and the encoded arguments.
 *
 * @throws {ChainError} `ABI_MALFORMED` if a value does not fit its type
 */
export function functionDataOf({ name, parameters }: ContractFunction, values: readonly AbiInput[]): Hex {
  return encodeCall(signatureText({ name: rawText(name), parameters }), parameters, values);
}

function functionOf(entry: JsonAbiEntry): ContractFunction {
  const { name = "" } = entry;
  const parameters = parametersOf(entry.inputs);
  const outputs = parametersOf(entry.outputs);
  return {
    name: foreignText(name),
    parameters,
    outputs,
    signature: signatureText({ name, parameters }),
    mutability: mutabilityOf(entry),
  };
}

/** Returns the ABI entry of a function, the inverse of `functionsOf`. */
export function abiEntryOf({ name, parameters, outputs, mutability }: ContractFunction): JsonAbiEntry {
  const inputs = parameters.map(jsonParameter);
  return {
    type: "function",
    name: rawText(name),
    inputs,
    outputs: outputs.map(jsonParameter),
    stateMutability: mutability,
  };
}

function jsonParameter({ name, type, members, struct }: AbiParameter): JsonParameter {
  let element = type;
  let suffix = "";
  while (element.kind === "array") {
    suffix = `[${element.length ?? ""}]${suffix}`;
    element = element.element;
  }
  if (element.kind !== "tuple")
    return { name: rawText(name), type: element.text + suffix, ...defined({ members: members?.map(rawText) }) };
  const internalType = struct === undefined ? undefined : `struct ${rawText(struct)}${suffix}`;
  const components = element.fields.map(jsonParameter);
  return { name: rawText(name), type: `tuple${suffix}`, components, ...defined({ internalType }) };
}

/** Old compilers wrote `constant` and `payable`. */
function mutabilityOf({ stateMutability, constant, payable }: JsonAbiEntry): Mutability {
  const mutability = stateMutability?.toLowerCase();
  if (mutability === "pure" || mutability === "view" || mutability === "payable" || mutability === "nonpayable")
    return mutability;
  if (constant === true) return "view";
  return payable === true ? "payable" : "nonpayable";
}

function parametersOf(list: readonly JsonParameter[] = []): readonly AbiParameter[] {
  if (fieldCount(list) > MAX_FIELDS) throw malformed(t`it has more than ${MAX_FIELDS} parameters and fields`);
  if (list.some(lostItsFields)) throw malformed(t`it does not list the fields of a tuple`);
  return list.map((one) => parameterFromJson(one));
}

/** Counts up to the first parameter beyond the limit. */
function fieldCount(list: readonly JsonParameter[]): number {
  let count = 0;
  for (const { components = [] } of list) {
    count += 1 + fieldCount(components);
    if (count > MAX_FIELDS) break;
  }
  return count;
}

function malformed(reason: string): ChainError {
  return new ChainError("ABI_MALFORMED", { reason });
}

function lostItsFields({ type, components }: JsonParameter): boolean {
  if (!type.startsWith("tuple")) return false;
  return components === undefined || components.some(lostItsFields);
}

/** Returns the entries of an ABI: a list, JSON text of one, or the form in which chains store it, `{entrys: […]}`. */
export function abiEntries(abi: Json | undefined): Json | undefined {
  const json = typeof abi === "string" ? parsed(abi) : abi;
  const entries = isJsonObject(json) ? json.entrys : json;
  return Array.isArray(entries) ? entries.map((it: Json) => (isJsonObject(it) ? compilerSpelling(it) : it)) : entries;
}

/** Returns an entry in the spelling of compilers: the chain stores `Function` and `View`, and omits empty lists. */
export function compilerSpelling(entry: JsonObject): JsonObject {
  const { type, stateMutability } = entry;
  if (type !== undefined && !isCapital(type)) return entry;
  return {
    inputs: [],
    outputs: [],
    ...entry,
    type: typeof type === "string" ? type.toLowerCase() : "function",
    ...(typeof stateMutability === "string" ? { stateMutability: stateMutability.toLowerCase() } : {}),
  };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isCapital(json: Json): boolean {
  return typeof json === "string" && /^[A-Z]/.test(json);
}
