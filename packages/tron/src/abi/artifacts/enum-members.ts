import { isJsonObject, type Json } from "../../primitives/json.ts";
import type { JsonAbiEntry } from "../abi-index.ts";
import type { JsonParameter } from "../abi-type.ts";

const ENUM = /^enum ([\w$.]+)(?:\[\d*\])*$/;
/** Largest number of members that the compiler allows. */
const MOST_MEMBERS = 256;

/** Returns the ABI with the member names of its enums, which only the syntax tree of an artifact has. */
export function withEnumMembers(abi: readonly JsonAbiEntry[], ast: Json | undefined): readonly JsonAbiEntry[] {
  if (!isJsonObject(ast) || !abi.some(({ inputs = [] }) => inputs.some(hasEnum))) return abi;
  const members = new Map(enumsIn(ast.nodes, 0));
  return abi.map((entry) => {
    const { inputs } = entry;
    return inputs === undefined ? entry : { ...entry, inputs: inputs.map((it) => named(it, members)) };
  });
}

function hasEnum({ internalType, components = [] }: JsonParameter): boolean {
  return (typeof internalType === "string" && ENUM.test(internalType)) || components.some(hasEnum);
}

/** Enums are in the source unit, or in a contract of it. */
function enumsIn(nodes: Json | undefined, depth: number): readonly (readonly [string, readonly string[]])[] {
  if (!Array.isArray(nodes) || depth > 1) return [];
  return nodes.filter(isJsonObject).flatMap((node) => {
    if (node.nodeType !== "EnumDefinition") return enumsIn(node.nodes, depth + 1);
    const { canonicalName, members } = node;
    const names = (Array.isArray(members) ? members : []).map((it: Json) => (isJsonObject(it) ? it.name : undefined));
    const isNamed = names.every((it) => typeof it === "string") && names.length <= MOST_MEMBERS;
    return typeof canonicalName === "string" && isNamed ? [[canonicalName, names] as const] : [];
  });
}

function named(parameter: JsonParameter, enums: ReadonlyMap<string, readonly string[]>): JsonParameter {
  const { internalType, components } = parameter;
  const [, name = ""] = ENUM.exec(typeof internalType === "string" ? internalType : "") ?? [];
  const members = enums.get(name);
  return {
    ...parameter,
    ...(members === undefined ? {} : { members }),
    ...(components === undefined ? {} : { components: components.map((it) => named(it, enums)) }),
  };
}
