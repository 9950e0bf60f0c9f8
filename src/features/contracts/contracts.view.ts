import { argumentList } from "@finality/client/explain";
import {
  type AbiInput,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  type AddressOf,
  type ContractFunction,
  inputFromText,
  typedValue,
  typeLabel,
} from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { bothUnits, type Checked, grouped } from "@finality/tron/format";
import {
  type Address,
  type Hex,
  isForeignText,
  nameText,
  parseAmount,
  rawText,
  type Sun,
  toBase58,
  visibleLine,
  wholeNumberIn,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Validates an argument while the user types. Returns the error, or the value in its other form. */
export function checkArgument({ name, type }: AbiParameter, text: string, addressOf: AddressOf): Checked<AbiInput> {
  if (text === "" && type.kind !== "string" && type.kind !== "bytes") return { kind: "empty" };
  const typed = typedValue(type, inputFromText(type, text), addressOf, nameText(name, type.text));
  if (typed.ok) return { kind: "good", value: typed.value, message: otherForm(type, typed.value) };
  const [misfit] = typed.misfits;
  return { kind: "wrong", message: misfit === undefined ? "" : t`${misfit.path}: ${misfit.reason}.` };
}

interface SunCheck {
  /** Symbol of the network's coin. */
  readonly symbol?: string | undefined;
  readonly warnBelow?: Sun | undefined;
}

/** Validates an amount while the user types: sun without a unit, otherwise coins. Shows both. */
export function checkSun(text: string, { symbol, warnBelow }: SunCheck = {}): Checked<Sun> {
  if (text.trim() === "") return { kind: "empty" };
  try {
    const value = parseAmount(text);
    const short = warnBelow !== undefined && value < warnBelow;
    return {
      kind: "good",
      value,
      message: `${bothUnits(value, symbol)}${short ? t` · too small: ${bothUnits(warnBelow, symbol)} needed` : ""}`,
    };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", message: error.message };
  }
}

/** Validates a whole number between two bounds. */
export function checkInteger(text: string, least: bigint, most: bigint): Checked<bigint> {
  if (text.trim() === "") return { kind: "empty" };
  const value = wholeNumberIn(text);
  if (value === undefined || value < least || value > most)
    return { kind: "wrong", message: t`Write a whole number from ${String(least)} to ${String(most)}.` };
  return { kind: "good", value, message: "" };
}

/** Returns the prompt of an argument. */
export function argumentPrompt(parameter: AbiParameter, at: number): { prompt: string; placeholder: string } {
  const { name, type } = parameter;
  return { prompt: `${nameText(name, t`Argument ${at + 1}`)} (${typeLabel(parameter)})`, placeholder: exampleOf(type) };
}

/** Largest number of functions or fields that a text names. */
export const MOST_NAMES = 20;

/** Describes a function in a list: its signature and its mutability. */
export function functionItem(fn: ContractFunction): { label: string; description: string } {
  const outputs = outputsText(fn);
  const label = `$(symbol-method) ${functionText(fn)}`;
  return { label, description: [fn.mutability, outputs].filter(Boolean).join(" ") };
}

/** Returns the name of a function with its parameters, in at most 400 characters. */
export function functionText({ name, parameters }: Pick<ContractFunction, "name" | "parameters">): string {
  const list = parameters.map((it) => [typeLabel(it), nameText(it.name)].filter(Boolean).join(" "));
  return visibleLine(`${nameText(name)}(${list.join(", ")})`);
}

/** Returns the types that a function returns; empty for none. */
export function outputsText({ outputs }: Pick<ContractFunction, "outputs">): string {
  return outputs.length === 0 ? "" : `→ ${outputs.map(typeLabel).join(", ")}`;
}

/** Returns the result of a call in one line. */
export function readText(call: string, outputs: readonly AbiParameter[], values: readonly AbiValue[]): string {
  return `${call} = ${outputs.length === 0 ? t`nothing` : argumentList(outputs, values)}`;
}

/** Formats a decoded value as JSON without loss: integers and addresses become strings. */
export type PlainValue = string | boolean | readonly PlainValue[];

export function plainValue(type: AbiType, value: AbiValue | undefined): PlainValue {
  if (value === undefined) return "";
  if (type.kind === "array") return listOf(value).map((it) => plainValue(type.element, it));
  if (type.kind === "tuple") return type.fields.map((field, index) => plainValue(field.type, listOf(value)[index]));
  if (type.kind === "address") return toBase58(value as Address);
  if (type.kind === "bytes" || type.kind === "fixed-bytes") return `0x${value as Hex}`;
  if (typeof value === "object" && "bytes" in value) return rawText(value.text);
  if (isForeignText(value)) return rawText(value);
  return typeof value === "boolean" ? value : String(value);
}

function listOf(value: AbiValue): readonly AbiValue[] {
  return Array.isArray(value) ? (value as readonly AbiValue[]) : [];
}

function otherForm(type: AbiType, value: AbiInput): string {
  if (type.kind === "address") return `${toBase58(value as Address)} = ${String(value)}`;
  return typeof value === "bigint" ? grouped(value) : "";
}

/** Returns an example of a value, as a placeholder. */
export function exampleOf(type: AbiType): string {
  switch (type.kind) {
    case "uint":
      return "1000000";
    case "int":
      return "-5";
    case "bool":
      return "true";
    case "address":
      return t`the name of an account, T…, or 41…`;
    case "string":
      return t`text`;
    case "bytes":
      return "0x00ff";
    case "fixed-bytes":
      return `0x${"ff".padStart(type.size * 2, "0")}`;
    case "array":
      return t`a list as JSON: [ … ]`;
    case "tuple": {
      const fields = type.fields.map(({ name }, index) => `"${nameText(name, String(index))}": …`);
      return `JSON: { ${fields.slice(0, MOST_NAMES).join(", ")}${fields.length > MOST_NAMES ? ", …" : ""} }`;
    }
  }
}
