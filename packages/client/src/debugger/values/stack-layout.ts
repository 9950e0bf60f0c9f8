import type { ByteRange } from "../../traces/source-outline.ts";
import type { FunctionNode, StatementNode, VariableNode } from "../../traces/syntax-tree.ts";
import type { ContractFacts } from "./contract-facts.ts";

/** Variable with its position on the stack, from the first word of its function. */
interface LocatedLocal {
  readonly node: VariableNode;
  readonly position: number;
}

/** Variables that the code at a source range sees. */
export interface StackLayout {
  /** Function or modifier that contains the range. */
  readonly definition: FunctionNode;
  /** Undefined positions are not decided by the source. */
  readonly visible: readonly (LocatedLocal | { readonly node: VariableNode; readonly position?: undefined })[];
  /** Words of all variables that are alive; undefined if the source does not decide it. */
  readonly height: number | undefined;
}

/** Returns the words that a variable has on the stack. */
function stackSize({ type, location }: VariableNode): number {
  if (type.kind === "function") return type.isExternal ? 2 : 1;
  if (location !== "calldata") return 1;
  const isText = type.kind === "elementary" && /^(?:bytes|string)\b/.test(type.text) && !/^bytes\d/.test(type.text);
  return isText || (type.kind === "array" && type.length === undefined) ? 2 : 1;
}

/** Returns the words of several variables. */
export function stackSizeOf(nodes: readonly VariableNode[]): number {
  return nodes.reduce((sum, it) => sum + stackSize(it), 0);
}

/**
 * Returns the variables at a source range inside a function. Code that is not made via the intermediate language places
 * parameters first. Returned values, variables of modifiers, and local variables in the order of their source follow.
 *
 * @param running - Function that was called.
 * @param range - Inside this function, or inside one of its modifiers.
 */
export function stackLayout(facts: ContractFacts, running: FunctionNode, range: ByteRange): StackLayout | undefined {
  const fixed = [...running.parameters, ...running.returns];
  const modifiers = modifiersOf(facts, running);
  if (isInside(running, range)) {
    const below = modifiers?.map((it) => sizeAtPlaceholder(it));
    const isDecided = below?.every((it) => it !== undefined) === true;
    const offset = isDecided ? below.reduce((sum, it) => sum + (it ?? 0), stackSizeOf(fixed)) : undefined;
    const locals = visibleLocals(running.body, range);
    return {
      definition: running,
      visible: [...locate(fixed, 0), ...locate(locals, offset)],
      height: offset === undefined ? undefined : offset + stackSizeOf(locals),
    };
  }
  const at = modifiers?.findIndex((it) => isInside(it, range)) ?? -1;
  const modifier = modifiers?.[at];
  if (modifiers === undefined || modifier === undefined || modifiers.lastIndexOf(modifier) !== at) return undefined;
  const below = modifiers.slice(0, at).map((it) => sizeAtPlaceholder(it));
  const isDecided = below.every((it) => it !== undefined);
  const offset = isDecided ? below.reduce<number>((sum, it) => sum + (it ?? 0), stackSizeOf(fixed)) : undefined;
  const own = [...modifier.parameters, ...visibleLocals(modifier.body, range)];
  return {
    definition: modifier,
    visible: locate(own, offset),
    height: offset === undefined ? undefined : offset + stackSizeOf(own),
  };
}

export function isInside(outer: ByteRange, inner: ByteRange): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function locate(nodes: readonly VariableNode[], start: number | undefined): StackLayout["visible"] {
  let position = start;
  return nodes.map((node) => {
    const located = position === undefined ? { node } : { node, position };
    if (position !== undefined) position += stackSize(node);
    return located;
  });
}

/** Returns the modifiers of a function in their order; undefined if the source does not decide which ones run. */
function modifiersOf(
  { functions, contracts }: ContractFacts,
  running: FunctionNode,
): readonly FunctionNode[] | undefined {
  const named = running.modifiers.flatMap((id) => functions.find(({ node }) => node.id === id)?.node ?? []);
  const resolved = named.map((it) => {
    const all = functions
      .filter(({ node }) => node.kind === "modifier" && node.name === it.name)
      .map(({ node }) => node);
    const inherited = contracts.flatMap(({ id }) => all.filter((node) => node.contract === id));
    // A name that several contracts define may be a virtual one or a qualified one.
    return inherited.length > 1 ? undefined : it;
  });
  return resolved.every((it) => it !== undefined) ? resolved : undefined;
}

/** Returns the words of a modifier while the function runs at its placeholder; undefined if placeholders differ. */
function sizeAtPlaceholder(modifier: FunctionNode): number | undefined {
  const sizes = new Set(placeholdersOf(modifier.body).map((it) => stackSizeOf(visibleLocals(modifier.body, it))));
  const [size] = sizes;
  return sizes.size === 1 && size !== undefined ? stackSizeOf(modifier.parameters) + size : undefined;
}

function placeholdersOf(statement: StatementNode | undefined): readonly StatementNode[] {
  if (statement === undefined) return [];
  return statement.kind === "placeholder" ? [statement] : statement.children.flatMap(placeholdersOf);
}

/** Returns the variables that are declared before a range and are alive there, in the order of their declarations. */
function visibleLocals(statement: StatementNode | undefined, range: ByteRange): readonly VariableNode[] {
  if (statement === undefined || !isInside(statement, range)) return [];
  const found: VariableNode[] = [];
  const hasScope = statement.kind === "block" || statement.kind === "for" || statement.kind === "clause";
  if (statement.kind === "clause") found.push(...statement.variables);
  for (const child of statement.children) {
    if (hasScope && child.kind === "declaration" && child.end <= range.start) found.push(...child.variables);
    if (isInside(child, range)) found.push(...visibleLocals(child, range));
  }
  return found;
}

/** Returns the innermost statement of a function that contains a range. */
export function statementAt(statement: StatementNode | undefined, range: ByteRange): StatementNode | undefined {
  if (statement === undefined || !isInside(statement, range)) return undefined;
  for (const child of statement.children) {
    const found = statementAt(child, range);
    if (found !== undefined) return found;
  }
  return statement;
}

/** Returns the statement of a function that declares a variable, and the one whose scope it has. */
export function declarationOf(
  statement: StatementNode | undefined,
  variable: VariableNode,
  scope?: StatementNode,
): { readonly declaration: StatementNode; readonly scope: StatementNode | undefined } | undefined {
  if (statement === undefined) return undefined;
  if (statement.variables.some(({ id }) => id === variable.id)) return { declaration: statement, scope };
  for (const child of statement.children) {
    const found = declarationOf(child, variable, statement);
    if (found !== undefined) return found;
  }
  return undefined;
}
