import { isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { listOf, objectOf } from "../explain/decode/json.ts";
import type { ByteRange } from "./source-outline.ts";

/** Type as a declaration writes it. */
export type TypeNode =
  | { readonly kind: "elementary"; readonly text: string }
  | { readonly kind: "named"; readonly id: number; readonly text: string }
  | { readonly kind: "array"; readonly base: TypeNode; readonly length?: number }
  | { readonly kind: "mapping"; readonly key: TypeNode; readonly value: TypeNode }
  | { readonly kind: "function"; readonly text: string; readonly isExternal: boolean };

export interface VariableNode extends ByteRange {
  readonly id: number;
  /** Empty for an unnamed parameter. */
  readonly name: string;
  readonly type: TypeNode;
  readonly location: "default" | "memory" | "storage" | "calldata" | "transient";
  /** A constant has no slot; an immutable is in the code. */
  readonly mutability: "mutable" | "immutable" | "constant";
  /** Range of the value of a constant. */
  readonly value?: ByteRange;
}

/** Statement with the statements and variables inside. */
export interface StatementNode extends ByteRange {
  /** `clause` is a part of a `try` statement, with its parameters as variables. */
  readonly kind: "block" | "declaration" | "for" | "placeholder" | "clause" | "assembly" | "other";
  readonly children: readonly StatementNode[];
  /** Variables that it declares, in the order of the source. */
  readonly variables: readonly VariableNode[];
}

/** Source range in which a variable is written. */
interface VariableWrite extends ByteRange {
  readonly variable: number;
}

/** Function, modifier or constructor. */
export interface FunctionNode extends ByteRange {
  readonly id: number;
  readonly name: string;
  readonly kind: "function" | "modifier" | "constructor" | "fallback" | "receive";
  readonly visibility: string;
  /** Id of its contract; absent for free functions. */
  readonly contract?: number;
  readonly selector?: string;
  readonly parameters: readonly VariableNode[];
  readonly returns: readonly VariableNode[];
  /** Ids of what its modifiers name: modifiers, and contracts for constructors of bases. */
  readonly modifiers: readonly number[];
  readonly body?: StatementNode;
  readonly writes: readonly VariableWrite[];
}

export interface ContractNode extends ByteRange {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  /** Ids of the contract and its bases, the most derived first. */
  readonly bases: readonly number[];
  /** True if its source says where its storage begins. */
  readonly hasOwnLayout: boolean;
  readonly variables: readonly VariableNode[];
}

/** Type that a source defines. */
export type TypeDefinition =
  | { readonly kind: "struct"; readonly name: string; readonly members: readonly VariableNode[] }
  | { readonly kind: "enum"; readonly name: string; readonly members: readonly string[] }
  | { readonly kind: "value"; readonly name: string; readonly underlying: TypeNode }
  | { readonly kind: "contract"; readonly name: string };

/** Declarations of a source, from the syntax tree of its compiler. */
export interface SyntaxTree {
  readonly contracts: readonly ContractNode[];
  readonly functions: readonly FunctionNode[];
  /** Constants outside of contracts. */
  readonly variables: readonly VariableNode[];
  readonly types: ReadonlyMap<number, TypeDefinition>;
}

/** Reads the `ast` of a compiler; undefined without one, or if it is in the form of compilers before 0.4.12. */
export function readSyntaxTree(json: Json | undefined): SyntaxTree | undefined {
  if (!isJsonObject(json) || json.nodeType !== "SourceUnit") return undefined;
  const tree = {
    contracts: [] as ContractNode[],
    functions: [] as FunctionNode[],
    variables: [] as VariableNode[],
    types: new Map<number, TypeDefinition>(),
  };
  for (const node of nodesOf(json.nodes)) readDefinition(node, tree);
  return tree;
}

interface OpenTree {
  readonly contracts: ContractNode[];
  readonly functions: FunctionNode[];
  readonly variables: VariableNode[];
  readonly types: Map<number, TypeDefinition>;
}

function readDefinition(node: JsonObject, tree: OpenTree, contract?: number): void {
  const id = numberOf(node.id);
  const name = textOf(node.canonicalName ?? node.name);
  switch (textOf(node.nodeType)) {
    case "ContractDefinition":
      readContract(node, tree);
      break;
    case "StructDefinition":
      tree.types.set(id, { kind: "struct", name, members: nodesOf(node.members).map(readVariable) });
      break;
    case "EnumDefinition":
      tree.types.set(id, { kind: "enum", name, members: nodesOf(node.members).map((it) => textOf(it.name)) });
      break;
    case "UserDefinedValueTypeDefinition":
      tree.types.set(id, { kind: "value", name, underlying: readType(node.underlyingType) });
      break;
    case "FunctionDefinition":
    case "ModifierDefinition":
      tree.functions.push(readFunction(node, contract));
      break;
    case "VariableDeclaration":
      if (contract === undefined) tree.variables.push(readVariable(node));
      break;
    default:
  }
}

function readContract(node: JsonObject, tree: OpenTree): void {
  const id = numberOf(node.id);
  const name = textOf(node.name);
  tree.types.set(id, { kind: "contract", name });
  const members = nodesOf(node.nodes);
  tree.contracts.push({
    ...rangeOf(node),
    id,
    name,
    kind: textOf(node.contractKind),
    bases: listOf(node.linearizedBaseContracts).map(numberOf),
    hasOwnLayout: isJsonObject(node.storageLayout),
    variables: members.filter(({ nodeType }) => nodeType === "VariableDeclaration").map(readVariable),
  });
  for (const member of members) readDefinition(member, tree, id);
}

const FUNCTION_KINDS = ["function", "constructor", "fallback", "receive"] as const;

function readFunction(node: JsonObject, contract: number | undefined): FunctionNode {
  const isModifier = node.nodeType === "ModifierDefinition";
  const body = isJsonObject(node.body) ? readStatement(node.body) : undefined;
  const returns = nodesOf(objectOf(node.returnParameters).parameters).map(readVariable);
  const writes: VariableWrite[] = [];
  collectWrites(node.body, returns, writes);
  return {
    ...rangeOf(node),
    id: numberOf(node.id),
    name: textOf(node.name),
    kind: isModifier ? "modifier" : (FUNCTION_KINDS.find((it) => it === node.kind) ?? "function"),
    visibility: textOf(node.visibility),
    ...(contract !== undefined && { contract }),
    ...(typeof node.functionSelector === "string" && { selector: node.functionSelector }),
    parameters: nodesOf(objectOf(node.parameters).parameters).map(readVariable),
    returns,
    modifiers: nodesOf(node.modifiers).map((it) => numberOf(objectOf(it.modifierName).referencedDeclaration)),
    ...(body !== undefined && { body }),
    writes,
  };
}

const LOCATIONS = ["memory", "storage", "calldata", "transient"] as const;

function readVariable(node: JsonObject): VariableNode {
  const isConstant = node.constant === true || node.mutability === "constant";
  return {
    ...rangeOf(node),
    id: numberOf(node.id),
    name: textOf(node.name),
    type: readType(node.typeName),
    location: LOCATIONS.find((it) => it === node.storageLocation) ?? "default",
    mutability: isConstant ? "constant" : node.mutability === "immutable" ? "immutable" : "mutable",
    ...(isConstant && isJsonObject(node.value) && { value: rangeOf(node.value) }),
  };
}

function readType(json: Json | undefined): TypeNode {
  const node = objectOf(json);
  const text = textOf(objectOf(node.typeDescriptions).typeString);
  switch (node.nodeType) {
    case "UserDefinedTypeName": {
      const id = numberOf(node.referencedDeclaration ?? objectOf(node.pathNode).referencedDeclaration);
      return { kind: "named", id, text };
    }
    case "ArrayTypeName": {
      const [, length] = /\[(\d+)\](?: .*)?$/.exec(text) ?? [];
      const base = readType(node.baseType);
      return length === undefined ? { kind: "array", base } : { kind: "array", base, length: Number(length) };
    }
    case "Mapping":
      return { kind: "mapping", key: readType(node.keyType), value: readType(node.valueType) };
    case "FunctionTypeName":
      return { kind: "function", text, isExternal: node.visibility === "external" };
    default:
      return { kind: "elementary", text };
  }
}

const STATEMENTS: { readonly [nodeType: string]: StatementNode["kind"] } = {
  Block: "block",
  UncheckedBlock: "block",
  VariableDeclarationStatement: "declaration",
  ForStatement: "for",
  PlaceholderStatement: "placeholder",
  TryCatchClause: "clause",
  InlineAssembly: "assembly",
};
/** Fields of statements that hold statements, in the order of the source. */
const PARTS = [
  "statements",
  "initializationExpression",
  "loopExpression",
  "trueBody",
  "falseBody",
  "body",
  "clauses",
  "block",
];

function readStatement(node: JsonObject): StatementNode {
  const kind = STATEMENTS[textOf(node.nodeType)] ?? "other";
  const parameters = kind === "clause" ? objectOf(node.parameters).parameters : node.declarations;
  return {
    ...rangeOf(node),
    kind,
    children: kind === "assembly" ? [] : PARTS.flatMap((part) => nodesOf(node[part]).map(readStatement)),
    variables: nodesOf(parameters).map(readVariable),
  };
}

/** Adds the writes of an expression or a statement. A `return` writes the returned variables. */
function collectWrites(json: Json | undefined, returns: readonly VariableNode[], writes: VariableWrite[]): void {
  if (Array.isArray(json)) {
    for (const item of json as readonly Json[]) collectWrites(item, returns, writes);
    return;
  }
  if (!isJsonObject(json)) return;
  const range = typeof json.src === "string" ? rangeOf(json) : { start: 0, end: 0 };
  const add = (target: Json | undefined): void => {
    for (const variable of writtenBy(target)) writes.push({ ...range, variable });
  };
  if (json.nodeType === "Assignment") add(json.leftHandSide);
  if (json.nodeType === "UnaryOperation" && /^(?:\+\+|--|delete)$/.test(textOf(json.operator))) add(json.subExpression);
  if (json.nodeType === "FunctionCall" && /^(?:push|pop)$/.test(textOf(objectOf(json.expression).memberName)))
    add(objectOf(json.expression).expression);
  if (json.nodeType === "Return") for (const { id } of returns) writes.push({ ...range, variable: id });
  if (json.nodeType === "InlineAssembly") {
    for (const item of listOf(json.externalReferences)) {
      const named = objectOf(item);
      const { declaration } = "declaration" in named ? named : objectOf(Object.values(named)[0]);
      if (typeof declaration === "number") writes.push({ ...range, variable: declaration });
    }
    return;
  }
  for (const value of Object.values(json)) if (typeof value === "object") collectWrites(value, returns, writes);
}

/** Returns the variables at the root of an assigned expression: `a` of `a.b[1]`, and all of `(a, b)`. */
function writtenBy(json: Json | undefined): readonly number[] {
  const node = objectOf(json);
  switch (node.nodeType) {
    case "Identifier":
      return [numberOf(node.referencedDeclaration)];
    case "TupleExpression":
      return listOf(node.components).flatMap(writtenBy);
    case "IndexAccess":
      return writtenBy(node.baseExpression);
    case "MemberAccess":
      return writtenBy(node.expression);
    default:
      return [];
  }
}

function nodesOf(json: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(json) ? (json as readonly Json[]) : [json]).flatMap((it) => (isJsonObject(it) ? [it] : []));
}

function numberOf(json: Json | undefined): number {
  return typeof json === "number" ? json : -1;
}

function textOf(json: Json | undefined): string {
  return typeof json === "string" ? json : "";
}

/** Parses `start:length:file`. */
function rangeOf({ src }: JsonObject): ByteRange {
  const [start = 0, length = 0] = textOf(src).split(":").map(Number);
  return { start, end: start + length };
}
