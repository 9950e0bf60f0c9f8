import { candidateFromJson, functionsOf, type JsonAbiEntry, keyOf, tryDecode } from "@finality/tron/abi";
import { hexToBytes } from "@finality/tron/primitives";
import type { TraceFrame } from "@finality/tron/traces";
import { isToken, KIND } from "../call-sites/source-tokens.ts";
import { stepOver } from "../call-sites/source-value.ts";
import { type CodeSources, locationOf, type SourceFile, type SourceLocation } from "./code-sources.ts";
import type { FrameRun } from "./frame-run.ts";
import { inheritanceOf, relatedFunctions } from "./related-functions.ts";
import type { ByteRange, FunctionDefinition } from "./source-outline.ts";

/** Failure before the first statement of a frame. */
export interface EntryFailure {
  /** Absent if several checks can have failed. */
  readonly cause?: "value" | "arguments" | "no-function";
  /** Definition of the function or the contract; absent if it is not certain. */
  readonly location?: SourceLocation;
}

const SELECTOR_BYTES = 4;

/**
 * Returns the failure of a check that the compiler adds for each function: coins, call data, or no such function.
 * Undefined if a statement ran, or if none of these checks fails.
 */
export function failureAtEntry(frame: TraceFrame, run: FrameRun, code: CodeSources): EntryFailure | undefined {
  if (hasStatement(run, code)) return undefined;
  const { abi } = code.compiled;
  if (frame.kind === "create" || frame.kind === "create2") {
    const entry = abi.find(({ type }) => type === "constructor");
    if (frame.value === 0n || (entry !== undefined && isPayable(entry))) return undefined;
    return failureWith("value", definitionLocation(code, ({ kind }) => kind === "constructor") ?? contractName(code));
  }
  const selector = frame.input.slice(0, 2 * SELECTOR_BYTES);
  const entry = abi.find((it) => {
    const candidate = candidateFromJson(it, "");
    return candidate?.kind === "function" && keyOf(candidate) === selector;
  });
  return entry === undefined ? failureWithoutFunction(frame, code) : failureOfFunction(frame, entry, code);
}

function hasStatement(run: FrameRun, code: CodeSources): boolean {
  for (let step = 0; step < run.count; step += 1)
    if (code.sourceAt(run.counters[step] ?? 0).kind === "expression") return true;
  return false;
}

function failureWith(cause: EntryFailure["cause"], location: SourceLocation | undefined): EntryFailure {
  return { ...(cause && { cause }), ...(location && { location }) };
}

function isPayable({ stateMutability, payable }: JsonAbiEntry): boolean {
  return stateMutability === "payable" || payable === true;
}

/** Returns the failure of call data that name no function: they start the fallback function, or the one for coins. */
function failureWithoutFunction({ input, value }: TraceFrame, code: CodeSources): EntryFailure | undefined {
  const { abi } = code.compiled;
  const receive = input === "" ? abi.find(({ type }) => type === "receive") : undefined;
  const special = receive ?? abi.find(({ type }) => type === "fallback");
  if (special === undefined) {
    const location = contractName(code);
    return location && failureWith("no-function", location);
  }
  if (value === 0n || isPayable(special)) return undefined;
  return failureWith(
    "value",
    definitionLocation(code, ({ kind }) => kind === special.type),
  );
}

function failureOfFunction(
  { value, input }: TraceFrame,
  entry: JsonAbiEntry,
  code: CodeSources,
): EntryFailure | undefined {
  const { name, inputs = [] } = entry;
  const location = (): SourceLocation | undefined =>
    definitionLocation(code, (it) => it.kind === "function" && it.name === name && it.arity === inputs.length);
  if (value > 0n && !isPayable(entry)) return failureWith("value", location());
  const [called] = functionsOf([entry]);
  const data = hexToBytes(input).subarray(SELECTOR_BYTES);
  const values = called && tryDecode(called.parameters, data);
  if (called !== undefined && values === undefined) return failureWith("arguments", location());
  const types = inputs.map(({ internalType }) => String(internalType ?? ""));
  if (!JSON.stringify(inputs).includes('"enum ')) return undefined;
  const isOutside = types.some((type, at) => Number(values?.[at]) >= membersOf(type, code));
  // An enum inside an array or a struct can be out of range too.
  return isOutside ? failureWith("arguments", location()) : {};
}

/** Returns the number of members of an enum, such as `enum Vault.Color`; NaN if that is not known. */
function membersOf(type: string, code: CodeSources): number {
  const [, name] = /^enum (?:[\w$]+\.)*([\w$]+)$/.exec(type) ?? [];
  const counts = new Set(name === undefined ? [] : code.files().flatMap((file) => enumsIn(file, name)));
  const [count = Number.NaN, ...others] = counts;
  return others.length > 0 ? Number.NaN : count;
}

function enumsIn({ source }: SourceFile, name: string): readonly number[] {
  const tokens = source.tokens();
  const counts: number[] = [];
  for (let at = 0; at + 2 < tokens.count; at += 1) {
    if (!isToken(tokens, at, "enum") || !isToken(tokens, at + 1, name) || !isToken(tokens, at + 2, "{")) continue;
    const end = stepOver(tokens, at + 2);
    let members = 0;
    for (let member = at + 3; member < end; member += 1) if (tokens.kinds[member] === KIND.word) members += 1;
    counts.push(members);
  }
  return counts;
}

/** Returns the only definition that fits in the most derived contract with one; undefined if there are several. */
function definitionLocation(
  code: CodeSources,
  fits: (definition: FunctionDefinition) => boolean,
): SourceLocation | undefined {
  const found = relatedFunctions(code).filter(({ definition }) => fits(definition));
  const order = found.length > 1 ? inheritanceOf(code) : [];
  const owner = order.find((name) => found.some(({ definition }) => definition.contract === name));
  const [first, ...others] = owner === undefined ? found : found.filter((it) => it.definition.contract === owner);
  if (first === undefined || others.length > 0 || isLibrary(code, first.definition.contract)) return undefined;
  const { start, kind, name } = first.definition;
  return locationOf(first.file, { start, end: start + (name === "" ? kind.length : kind.length + 1 + name.length) });
}

/** Returns whether a function is one of a library that another contract uses. */
function isLibrary({ compiled, ...code }: CodeSources, contract: string | undefined): boolean {
  return (
    contract !== compiled.contract &&
    code.files().some(({ outline }) => outline.contracts.some((it) => it.name === contract && it.kind === "library"))
  );
}

/** Returns the location of the name of a contract; undefined for a library, whose calls have other checks. */
function contractName(code: CodeSources): SourceLocation | undefined {
  const { contract, path } = code.compiled;
  const definitions = code.files().flatMap((file) => file.outline.contracts.map((it) => ({ file, ...it })));
  const own = definitions.filter((it) => it.name === contract && it.file.path === path);
  const [first] = own;
  if (first === undefined || own.some(({ kind }) => kind === "library")) return undefined;
  return locationOf(first.file, nameRange(first));
}

function nameRange({ start, kind, name }: ByteRange & { readonly kind: string; readonly name: string }): ByteRange {
  return { start, end: start + kind.length + 1 + name.length };
}
