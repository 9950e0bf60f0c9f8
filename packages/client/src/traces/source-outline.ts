import { isToken, KIND, type SourceTokens, tokenText } from "../call-sites/source-tokens.ts";
import { partsOf, stepOver } from "../call-sites/source-value.ts";
import type { SourceText } from "./source-text.ts";

/** Range in bytes of a source; `end` is excluded. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

type FunctionKind = "function" | "modifier" | "constructor" | "fallback" | "receive";

/** Definition with code: a function, a modifier or a constructor. */
export interface FunctionDefinition extends ByteRange {
  readonly kind: FunctionKind;
  /** Empty for constructor, fallback and receive. */
  readonly name: string;
  /** Absent for free functions. */
  readonly contract?: string;
  /** Number of parameters. */
  readonly arity: number;
  /** Tokens of the body, without its braces; absent for declarations. */
  readonly body?: readonly [first: number, end: number];
}

interface ContractDefinition extends ByteRange {
  readonly kind: "contract" | "interface" | "library";
  readonly name: string;
  /** Names of the direct bases, as written. */
  readonly bases: readonly string[];
}

/** Contracts and functions of a source, in source order. */
export interface SourceOutline {
  /** Paths of its imports, as written. */
  readonly imports: readonly string[];
  readonly contracts: readonly ContractDefinition[];
  readonly functions: readonly FunctionDefinition[];
}

/** Lists contracts, functions and modifiers of a source. Total: incomplete code gives its readable part. */
export function outlineOf(source: SourceText): SourceOutline {
  const tokens = source.tokens();
  const contracts: ContractDefinition[] = [];
  const functions: FunctionDefinition[] = [];
  const imports: string[] = [];
  for (let at = 0; at < tokens.count; at = stepOver(tokens, at)) {
    if (isToken(tokens, at, "import")) imports.push(...importAt(tokens, at));
    const found = contractAt(tokens, at) ?? functionAt(tokens, at);
    if (found === undefined) continue;
    if ("bases" in found.definition) {
      contracts.push(found.definition);
      readMembers(tokens, found.definition.name, found.body, functions);
    } else functions.push(found.definition);
    at = found.last;
  }
  return { imports, contracts, functions };
}

/** Returns the path of `import "a.sol"`, `import {A} from "a.sol"` and `import * as a from "a.sol"`. */
function importAt(tokens: SourceTokens, from: number): readonly string[] {
  for (let at = from; at < tokens.count && !isToken(tokens, at, ";"); at = stepOver(tokens, at))
    if (tokens.kinds[at] === KIND.text) return [tokenText(tokens, at).slice(1, -1)];
  return [];
}

interface Found<T> {
  readonly definition: T;
  readonly body: readonly [number, number];
  /** Last token of the definition. */
  readonly last: number;
}

function contractAt(tokens: SourceTokens, at: number): Found<ContractDefinition> | undefined {
  const kind = (["contract", "interface", "library"] as const).find((word) => isToken(tokens, at, word));
  if (kind === undefined || tokens.kinds[at + 1] !== KIND.word) return undefined;
  const opener = nextOf(tokens, at + 2, "{");
  if (opener === undefined) return undefined;
  const last = closerOf(tokens, opener);
  const first = isToken(tokens, at - 1, "abstract") ? at - 1 : at;
  const definition = {
    kind,
    name: tokenText(tokens, at + 1),
    bases: basesOf(tokens, at + 2, opener),
    ...rangeOf(tokens, first, last),
  };
  return { definition, body: [opener + 1, last], last };
}

function basesOf(tokens: SourceTokens, from: number, to: number): readonly string[] {
  if (!isToken(tokens, from, "is")) return [];
  const bases: string[] = [];
  for (let at = from + 1; at < to; at = stepOver(tokens, at))
    if (tokens.kinds[at] === KIND.word && !isToken(tokens, at + 1, ".")) bases.push(tokenText(tokens, at));
  return bases;
}

function readMembers(
  tokens: SourceTokens,
  contract: string,
  [from, to]: readonly [number, number],
  functions: FunctionDefinition[],
): void {
  for (let at = from; at < to; at = stepOver(tokens, at)) {
    const found = functionAt(tokens, at, contract);
    if (found === undefined) continue;
    functions.push(found.definition);
    at = found.last;
  }
}

const SPECIAL = ["constructor", "fallback", "receive"] as const;

function functionAt(tokens: SourceTokens, at: number, contract?: string): Found<FunctionDefinition> | undefined {
  const head = headAt(tokens, at, contract);
  if (head === undefined) return undefined;
  const { next, ...named } = head;
  const hasParameters = isToken(tokens, next, "(");
  const arity = hasParameters ? partsOf(tokens, next).length : 0;
  const end = bodyOrEnd(tokens, hasParameters ? closerOf(tokens, next) + 1 : next);
  if (end === undefined) return undefined;
  const hasBody = isToken(tokens, end, "{");
  const last = hasBody ? closerOf(tokens, end) : end;
  const definition = {
    ...named,
    arity,
    ...(contract !== undefined && { contract }),
    ...(hasBody && { body: [end + 1, last] as const }),
    ...rangeOf(tokens, at, last),
  };
  return { definition, body: [end + 1, last], last };
}

interface FunctionHead {
  readonly kind: FunctionKind;
  readonly name: string;
  /** First token after the name. */
  readonly next: number;
}

function headAt(tokens: SourceTokens, at: number, contract: string | undefined): FunctionHead | undefined {
  const special = SPECIAL.find((word) => isToken(tokens, at, word));
  if (special !== undefined && isToken(tokens, at + 1, "(")) return { kind: special, name: "", next: at + 1 };
  const isModifier = isToken(tokens, at, "modifier");
  if (!isModifier && !isToken(tokens, at, "function")) return undefined;
  if (isToken(tokens, at + 1, "(")) return { kind: "fallback", name: "", next: at + 1 };
  if (tokens.kinds[at + 1] !== KIND.word) return undefined;
  const name = tokenText(tokens, at + 1);
  // Constructors before Solidity 0.5 have the name of their contract.
  const kind = isModifier ? "modifier" : name === contract ? "constructor" : "function";
  return { kind, name: kind === "constructor" ? "" : name, next: at + 2 };
}

/** Returns the `{` or `;` after a head. */
function bodyOrEnd(tokens: SourceTokens, from: number): number | undefined {
  for (let at = from; at < tokens.count; at = stepOver(tokens, at)) {
    if (isToken(tokens, at, "{") || isToken(tokens, at, ";")) return at;
    if (isToken(tokens, at, "}") || isToken(tokens, at, "=")) return undefined;
  }
  return undefined;
}

function nextOf(tokens: SourceTokens, from: number, expected: string): number | undefined {
  for (let at = from; at < tokens.count; at = stepOver(tokens, at)) {
    if (isToken(tokens, at, expected)) return at;
    if (isToken(tokens, at, ";") || isToken(tokens, at, "}")) return undefined;
  }
  return undefined;
}

/** Returns the matching bracket; the last token if it is missing. */
function closerOf(tokens: SourceTokens, opener: number): number {
  const closer = tokens.partners[opener] ?? -1;
  return closer < 0 ? tokens.count - 1 : closer;
}

function rangeOf({ starts, ends }: SourceTokens, first: number, last: number): ByteRange {
  return { start: starts[first] ?? 0, end: ends[last] ?? 0 };
}
