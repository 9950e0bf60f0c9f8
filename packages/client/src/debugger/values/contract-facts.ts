import type { CompiledCode } from "../../traces/compiled-code.ts";
import { readStorageLayout, type StorageLayout } from "../../traces/storage-variables.ts";
import type { ContractNode, FunctionNode, VariableNode } from "../../traces/syntax-tree.ts";
import { layoutType, locateMembers, type SolidityType, TypeSpace } from "./solidity-type.ts";

/** State variable with its slot. */
interface StateVariable {
  readonly name: string;
  readonly type: SolidityType;
  readonly slot: bigint;
  readonly offset: number;
  readonly isTransient: boolean;
}

/** Function with the number of its source. */
export interface NumberedFunction {
  readonly file: number;
  readonly node: FunctionNode;
}

/** Declarations of a compiled contract. */
export interface ContractFacts {
  readonly types: TypeSpace;
  /** Contract and its bases, the most derived first; empty without a syntax tree. */
  readonly contracts: readonly ContractNode[];
  readonly functions: readonly NumberedFunction[];
  /** In the order of their slots. */
  readonly state: readonly StateVariable[];
  readonly constants: readonly { readonly file: number; readonly node: VariableNode }[];
  readonly immutables: readonly VariableNode[];
}

const known = new WeakMap<CompiledCode, ContractFacts>();

/** Returns the declarations of a compiled contract, which are read once. */
export function contractFacts(compiled: CompiledCode): ContractFacts {
  const found = known.get(compiled) ?? readFacts(compiled);
  known.set(compiled, found);
  return found;
}

function readFacts(compiled: CompiledCode): ContractFacts {
  const { sources, path, contract } = compiled;
  const trees = [...sources].flatMap(([file, { tree, path: own }]) => (tree ? [{ file, tree, path: own }] : []));
  const types = new TypeSpace(trees.map(({ tree }) => tree));
  const nodes = trees.flatMap(({ file, tree }) => tree.contracts.map((node) => ({ file, node })));
  const own = trees.find((it) => it.path === path)?.tree.contracts.find(({ name }) => name === contract);
  const bases = (own?.bases ?? []).flatMap((id) => nodes.find(({ node }) => node.id === id) ?? []);
  const variables = bases.flatMap(({ node }) => node.variables);
  const free = trees.flatMap(({ file, tree }) => tree.variables.map((node) => ({ file, node })));
  const ofBases = bases.flatMap(({ file, node }) => node.variables.map((it) => ({ file, node: it })));
  return {
    types,
    contracts: bases.map(({ node }) => node),
    functions: trees.flatMap(({ file, tree }) => tree.functions.map((node) => ({ file, node }))),
    state: stateOf(
      compiled,
      types,
      bases.map(({ node }) => node),
    ),
    constants: [...ofBases, ...free].filter(({ node }) => node.mutability === "constant"),
    immutables: variables.filter(({ mutability }) => mutability === "immutable"),
  };
}

function stateOf(compiled: CompiledCode, types: TypeSpace, bases: readonly ContractNode[]): readonly StateVariable[] {
  const ordered = [...bases].reverse().flatMap(({ variables }) => variables);
  const layouts = [compiled.storageLayout, compiled.transientLayout].map(readStorageLayout);
  return [false, true].flatMap((isTransient, at) => {
    const layout = layouts[at];
    if (layout !== undefined) return fromLayout(layout, types, ordered, isTransient);
    if (bases.some(({ hasOwnLayout }) => hasOwnLayout) && !isTransient) return [];
    const stored = ordered.filter(
      ({ mutability, location }) => mutability === "mutable" && (location === "transient") === isTransient,
    );
    const members = stored.map(({ name, type }) => ({ name, type: types.typeOf(type) }));
    return locateMembers(members).located.map((it) => ({ ...it, isTransient }));
  });
}

function fromLayout(
  layout: StorageLayout,
  types: TypeSpace,
  declared: readonly VariableNode[],
  isTransient: boolean,
): readonly StateVariable[] {
  return layout.entries.map(({ id, label, slot, offset, type }) => {
    const node = declared.find((it) => it.id === id && it.name === label);
    return {
      name: label,
      type: node === undefined ? layoutType(layout, type) : types.typeOf(node.type),
      slot,
      offset,
      isTransient,
    };
  });
}
