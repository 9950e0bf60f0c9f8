import type { AbiParameter, AbiType } from "../abi/abi-type.ts";
import type { AbiValue } from "../abi/decode-abi.ts";
import { type Address, toBase58 } from "../primitives/address.ts";
import type { DecodedField } from "./explanation.ts";

/** Decoded values as a tree, with names and types. */
export function fieldsOfValues(
  parameters: readonly AbiParameter[],
  values: readonly AbiValue[],
): readonly DecodedField[] {
  return parameters.map(({ name, type }, index) =>
    fieldOfValue(name === "" ? `[${index}]` : name, type, values[index]),
  );
}

/** The arguments in one line, as a call shows them. */
export function argumentList(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  return parameters
    .map(({ name, type }, index) => (name === "" ? "" : `${name}: `) + valueText(type, values[index]))
    .join(", ");
}

const MAX_ITEMS = 200;
const MAX_TEXT = 120;

function fieldOfValue(name: string, type: AbiType, value: AbiValue | undefined): DecodedField {
  const base = { name, type: type.text };
  if (type.kind === "tuple") {
    const children = fieldsOfValues(type.fields, listOf(value));
    return { ...base, kind: "list", value: `${type.fields.length} fields`, children };
  }
  if (type.kind === "array") {
    const items = listOf(value);
    const children = items.slice(0, MAX_ITEMS).map((item, index) => fieldOfValue(`[${index}]`, type.element, item));
    return { ...base, kind: "list", value: `${items.length} items`, children };
  }
  if (typeof value === "object" && !Array.isArray(value) && "bytes" in value) {
    return { ...base, kind: "text", value: value.text, children: [{ name: "hex", value: value.bytes, kind: "hex" }] };
  }
  return { ...base, kind: kindOf(type), value: fullText(type, value) };
}

function kindOf(type: AbiType): DecodedField["kind"] {
  if (type.kind === "uint" || type.kind === "int") return "number";
  if (type.kind === "address") return "address";
  return type.kind === "bytes" || type.kind === "fixed-bytes" ? "hex" : "text";
}

function fullText(type: AbiType, value: AbiValue | undefined): string {
  if (type.kind === "address") return toBase58(value as Address);
  if (type.kind === "bytes" || type.kind === "fixed-bytes") return `0x${String(value)}`;
  return String(value);
}

function valueText(type: AbiType, value: AbiValue | undefined): string {
  if (type.kind === "tuple") return `(${argumentList(type.fields, listOf(value))})`;
  if (type.kind === "array") {
    const items = listOf(value);
    const shown = items.slice(0, 4).map((item) => valueText(type.element, item));
    return `[${[...shown, ...(items.length > 4 ? ["…"] : [])].join(", ")}]`;
  }
  const text =
    typeof value === "object" && !Array.isArray(value) && "bytes" in value ? value.text : fullText(type, value);
  const short = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
  return type.kind === "string" ? JSON.stringify(short) : short;
}

function listOf(value: AbiValue | undefined): readonly AbiValue[] {
  return Array.isArray(value) ? value : [];
}
