import type { StorageLayout } from "../../traces/storage-variables.ts";
import type { SyntaxTree, TypeDefinition, TypeNode, VariableNode } from "../../traces/syntax-tree.ts";

/** Type of a value in Solidity. */
export type SolidityType = { readonly label: string } & (
  | { readonly kind: "uint" | "int"; readonly bits: number }
  | { readonly kind: "bool" | "address" | "bytes" | "string" | "unknown" }
  | { readonly kind: "enum"; readonly bits: number; readonly members: readonly string[] }
  | { readonly kind: "fixed-bytes"; readonly size: number }
  | { readonly kind: "function"; readonly isExternal: boolean }
  | { readonly kind: "array"; readonly element: SolidityType; readonly length: number | undefined }
  | { readonly kind: "struct"; members(): readonly TypedMember[] }
  | { readonly kind: "mapping"; readonly key: SolidityType; readonly value: SolidityType }
);

export interface TypedMember {
  readonly name: string;
  readonly type: SolidityType;
}

const BYTE_BITS = 8;
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const FUNCTION_BYTES = { external: 24, internal: 8 };

/** Returns the type of an elementary name, or of a name that starts with `contract`, `enum` or `struct`. */
export function elementaryOf(label: string): SolidityType {
  const [, kind, digits = ""] = /^(uint|int|bytes)(\d{0,3})$/.exec(label) ?? [];
  if (kind === "bytes") {
    const size = Number(digits);
    return digits === "" ? { kind: "bytes", label } : { kind: "fixed-bytes", size, label };
  }
  if (kind === "uint" || kind === "int") return { kind, bits: Number(digits === "" ? "256" : digits), label };
  if (label === "trcToken") return { kind: "uint", bits: 256, label };
  if (label === "bool" || label === "string") return { kind: label, label };
  if (/^(?:address|contract|interface|library)\b/.test(label)) return { kind: "address", label };
  return { kind: "unknown", label };
}

/** Types of the declarations of a compilation. */
export class TypeSpace {
  readonly #definitions = new Map<number, TypeDefinition>();

  constructor(trees: readonly SyntaxTree[]) {
    for (const { types } of trees) for (const [id, definition] of types) this.#definitions.set(id, definition);
  }

  typeOf(node: TypeNode): SolidityType {
    switch (node.kind) {
      case "elementary":
        return elementaryOf(node.text);
      case "function":
        return { kind: "function", label: node.text, isExternal: node.isExternal };
      case "mapping": {
        const [key, value] = [this.typeOf(node.key), this.typeOf(node.value)];
        return { kind: "mapping", key, value, label: `mapping(${key.label} => ${value.label})` };
      }
      case "array": {
        const element = this.typeOf(node.base);
        return { kind: "array", element, length: node.length, label: `${element.label}[${node.length ?? ""}]` };
      }
      case "named":
        return this.#named(node.id, node.text);
    }
  }

  #named(id: number, text: string): SolidityType {
    const definition = this.#definitions.get(id);
    switch (definition?.kind) {
      case "contract":
        return { kind: "address", label: `contract ${definition.name}` };
      case "enum": {
        const { members } = definition;
        return { kind: "enum", label: `enum ${definition.name}`, members, bits: members.length > 256 ? 16 : 8 };
      }
      case "value":
        return { ...this.typeOf(definition.underlying), label: definition.name };
      case "struct":
        return {
          kind: "struct",
          label: `struct ${definition.name}`,
          members: () => definition.members.map((it) => this.#member(it)),
        };
      default:
        return elementaryOf(text);
    }
  }

  #member({ name, type }: VariableNode): TypedMember {
    return { name, type: this.typeOf(type) };
  }
}

/** Returns the type of a variable of a storage layout, without the names of the members of enums. */
export function layoutType(layout: StorageLayout, id: string): SolidityType {
  const found = layout.types.get(id);
  if (found === undefined) return { kind: "unknown", label: id };
  const { encoding, label, bytes, key = "", value = "", base, members } = found;
  if (encoding === "mapping")
    return { kind: "mapping", key: layoutType(layout, key), value: layoutType(layout, value), label };
  if (encoding === "bytes") return { kind: label === "string" ? "string" : "bytes", label };
  if (base !== undefined) {
    const [, length] = /\[(\d+)\]$/.exec(label) ?? [];
    const count = encoding === "dynamic_array" || length === undefined ? undefined : Number(length);
    return { kind: "array", element: layoutType(layout, base), length: count, label };
  }
  if (label.startsWith("struct"))
    return {
      kind: "struct",
      label,
      members: () => members.map((it) => ({ name: it.label, type: layoutType(layout, it.type) })),
    };
  if (label.startsWith("enum")) return { kind: "enum", label, members: [], bits: BYTE_BITS * bytes };
  if (label.startsWith("function")) return { kind: "function", label, isExternal: / external\b/.test(label) };
  const known = elementaryOf(label);
  // The layout names a value type that a user defined, but not the type below it.
  return known.kind === "unknown" && bytes <= WORD_BYTES ? { kind: "uint", bits: BYTE_BITS * bytes, label } : known;
}

/** Returns the bytes of a value in a slot; undefined if it begins a slot of its own. */
export function packedBytes(type: SolidityType): number | undefined {
  switch (type.kind) {
    case "uint":
    case "int":
    case "enum":
      return type.bits / BYTE_BITS;
    case "bool":
      return 1;
    case "address":
      return ADDRESS_BYTES;
    case "fixed-bytes":
      return type.size;
    case "function":
      return type.isExternal ? FUNCTION_BYTES.external : FUNCTION_BYTES.internal;
    default:
      return undefined;
  }
}

/** Returns the slots that a variable occupies, without what its hashes point to. */
export function slotCount(type: SolidityType): bigint {
  if (type.kind === "struct") return locateMembers(type.members()).slots;
  if (type.kind !== "array" || type.length === undefined) return 1n;
  const bytes = packedBytes(type.element);
  if (bytes === undefined) return BigInt(type.length) * slotCount(type.element);
  return BigInt(Math.ceil(type.length / Math.floor(WORD_BYTES / bytes)));
}

export interface LocatedMember extends TypedMember {
  /** From the first slot of the struct. */
  readonly slot: bigint;
  /** Lowest byte, counted from the right of the slot. */
  readonly offset: number;
}

/** Returns the slot and offset of each member of a struct, as the compiler does. */
export function locateMembers(members: readonly TypedMember[]): {
  readonly located: readonly LocatedMember[];
  readonly slots: bigint;
} {
  let slot = 0n;
  let offset = 0;
  const located = members.map((member) => {
    const bytes = packedBytes(member.type);
    if (offset > 0 && (bytes === undefined || offset + bytes > WORD_BYTES)) {
      slot += 1n;
      offset = 0;
    }
    const locatedMember = { ...member, slot, offset };
    if (bytes === undefined) slot += slotCount(member.type);
    else offset += bytes;
    return locatedMember;
  });
  const slots = offset > 0 ? slot + 1n : slot;
  return { located, slots: slots === 0n ? 1n : slots };
}
