import { type AbiParameter, type AbiType, type AbiValue, typeLabel } from "@finality/tron/abi";
import { hexToBytes, isForeignText, nameText, rawText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { DebugValue } from "./debug-value.ts";
import { elementaryOf } from "./solidity-type.ts";
import { bytesValue, packedValue, previewOf } from "./word-value.ts";

/** Returns decoded arguments or results as values; unnamed ones are numbered from 0. */
export function abiValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): readonly DebugValue[] {
  return parameters.flatMap((parameter, at) => {
    const value = values[at];
    const name = nameText(parameter.name, `[${at}]`);
    return value === undefined ? [] : [abiValue(name, parameter, value)];
  });
}

type TypedParameter = Pick<AbiParameter, "type" | "struct" | "members">;

function abiValue(name: string, parameter: TypedParameter, value: AbiValue): DebugValue {
  const { type } = parameter;
  const common = { name, type: typeLabel(parameter) };
  if (!Array.isArray(value)) return { ...common, ...shownValue(type, value as Exclude<AbiValue, readonly AbiValue[]>) };
  const children = partsOf(parameter, value as readonly AbiValue[]);
  return {
    ...common,
    text: previewOf(children, type.kind === "array"),
    children: () => children,
    ...(type.kind === "array" && {
      length: BigInt(children.length),
      element: ({ raw }) => (typeof raw === "bigint" ? children[Number(raw)] : undefined),
    }),
  };
}

function partsOf({ type, struct }: TypedParameter, values: readonly AbiValue[]): readonly DebugValue[] {
  if (type.kind === "array") {
    const element = { type: type.element, ...(struct !== undefined && { struct }) };
    return values.map((it, at) => abiValue(`[${at}]`, element, it));
  }
  if (type.kind !== "tuple") return [];
  return type.fields.flatMap((field, at) => {
    const value = values[at];
    const name = nameText(field.name, `[${at}]`);
    return value === undefined ? [] : [abiValue(name, field, value)];
  });
}

function shownValue(type: AbiType, value: Exclude<AbiValue, readonly AbiValue[]>): Pick<DebugValue, "text" | "raw"> {
  const solidity = elementaryOf(type.text);
  if (typeof value === "bigint") return { text: `${value}`, raw: value };
  if (typeof value === "boolean") return { text: `${value}`, raw: value };
  if (isForeignText(value)) return bytesValue(solidity, Buffer.from(rawText(value), "utf8"));
  if (typeof value === "object")
    return bytesValue({ kind: "bytes", label: "bytes" }, hexToBytes((value as { bytes: string }).bytes));
  const digits = value as string;
  if (type.kind === "address") return packedValue(solidity, digits.slice(2)) ?? { text: digits };
  return type.kind === "bytes"
    ? bytesValue(solidity, hexToBytes(digits))
    : { text: digits === "" ? t`empty` : `0x${digits}`, raw: `0x${digits}` };
}
