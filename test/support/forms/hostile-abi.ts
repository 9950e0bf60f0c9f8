import type { JsonAbiEntry } from "../../../packages/tron/src/abi/abi-index.ts";
import type { JsonParameter } from "../../../packages/tron/src/abi/abi-type.ts";

const numbered = (count: number, type: string): readonly JsonParameter[] =>
  Array.from({ length: count }, (_, at) => ({ name: `p${at}`, type }));

/** A struct in a struct, and so on. */
function nested(depth: number): JsonParameter {
  const inner = { name: "leaf", type: "uint8" };
  return Array.from({ length: depth }).reduce<JsonParameter>(
    (field, _, at) => ({ name: `level${depth - at}`, type: "tuple", components: [field] }),
    inner,
  );
}

/** Names that are markup, links, commands, icons, text that runs from right to left, equal, or empty. */
const NAMES = [
  ...["<img src=x onerror=alert(1)>", "[Send](command:finality.sendCoins)", "$(trash)", "\u202eyenom\u202c", "\u200f"],
  ...["a\nb\u0000c", "same", "same", "", "x".repeat(5_000), "__proto__", "a.0"],
];

/** Inputs of functions that a form has to offer although no compiler emits them, by the function's name. */
export const USABLE: Readonly<Record<string, readonly JsonParameter[]>> = {
  many: numbered(500, "uint8"),
  lists: numbered(100, "uint8[100]"),
  names: NAMES.map((name) => ({ name, type: "uint8" })),
  fields: [{ name: "struct", type: "tuple", components: NAMES.map((name) => ({ name, type: "bool" })) }],
  deep: [nested(30)],
  brackets: [{ name: "list", type: `uint8${"[1]".repeat(30)}` }],
  open: [{ name: "list", type: `uint8${"[]".repeat(30)}` }],
  none: [
    { name: "list", type: "uint8[0]" },
    { name: "structs", type: "tuple[0]", components: [{ name: "a", type: "uint8" }] },
    { name: "struct", type: "tuple", components: [] },
    { name: "structs", type: "tuple[]", components: [] },
  ],
};

/** A list of a fixed length that has no fields on a page. */
export const HUGE: readonly JsonParameter[] = [{ name: "list", type: "uint256[100000]" }];

/** Inputs of functions that no form can offer. */
export const REFUSED: Readonly<Record<string, readonly JsonParameter[]>> = {
  fixed: [{ name: "price", type: "fixed128x18" }],
  unknown: [{ name: "data", type: "Lib.Data storage" }],
  blank: [{ name: "data", type: "" }],
  tooMany: numbered(1_001, "uint8"),
  tooManyFields: [{ name: "struct", type: "tuple", components: numbered(1_000, "uint8") }],
  tooDeep: [nested(40)],
  tooLong: [{ name: "list", type: "uint8[9999999999]" }],
  fieldless: [{ name: "struct", type: "tuple" }],
};

/** Returns a function that reads. */
export function entryOf(name: string, inputs: readonly JsonParameter[]): JsonAbiEntry {
  return { type: "function", name, inputs, outputs: [{ name: "", type: "uint256" }], stateMutability: "view" };
}

/** Drops the names of parameters and fields. */
export function withoutNames(inputs: readonly JsonParameter[]): readonly JsonParameter[] {
  return inputs.map(({ type, components }) => ({
    type,
    ...(components === undefined ? {} : { components: withoutNames(components) }),
  }));
}
