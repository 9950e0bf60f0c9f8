import { hexToBytes } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { CodeSources } from "../../traces/code-sources.ts";
import type { ByteRange } from "../../traces/source-outline.ts";
import type { FunctionNode, StatementNode, VariableNode } from "../../traces/syntax-tree.ts";
import { type ContractFacts, contractFacts, type NumberedFunction } from "./contract-facts.ts";
import { type DebugFrame, type DebugValue, missingValue } from "./debug-value.ts";
import {
  blockStart,
  endsFrame,
  type FunctionCalls,
  functionCalls,
  indexOfStep,
  unorderedSteps,
} from "./function-calls.ts";
import { argumentValue, callDataValue, memoryValue } from "./memory-values.ts";
import { runIndex, type StackView } from "./run-index.ts";
import type { SolidityType } from "./solidity-type.ts";
import { declarationOf, isInside, type StackLayout, stackLayout, stackSizeOf, statementAt } from "./stack-layout.ts";
import { storageView } from "./state-values.ts";
import { storageValue } from "./storage-values.ts";
import { wordValue } from "./word-value.ts";

const SELECTOR_DIGITS = 8;
/** The selector and the return address are below the parameters of a function that call data selects. */
const SELECTED_BASE = 2;

/** Instruction inside a function, with the source. */
interface LocalContext {
  readonly frame: DebugFrame;
  readonly code: CodeSources;
  readonly facts: ContractFacts;
  readonly calls: FunctionCalls;
  /** Of the instruction, as an index of the instructions of the frame. */
  readonly index: number;
  readonly step: number;
  readonly file: number;
  readonly range: ByteRange;
}

/** Stack position of the first word of a function, and the stack to read it from. */
interface StackBase {
  readonly base: number;
  readonly stack: StackView;
  /** Reason why a variable has no certain value there; undefined for one that has. */
  reasonOf(variable: VariableNode): string | undefined;
}

/** Returns parameters, returned values and local variables of the function that runs at an instruction. */
export function localValues(frame: DebugFrame, step: number): readonly DebugValue[] {
  const context = contextAt(frame, step);
  if (context === undefined) return [];
  if (context.facts.contracts.length === 0) return [missingValue("…", "", t`the artifact has no syntax tree`)];
  const innermost = functionAt(context);
  if (innermost === undefined) return [];
  const running = runningFunction(context);
  const layout = running && stackLayout(context.facts, running, context.range);
  const base = running && layout ? stackBase(context, running, layout) : undefined;
  if (layout === undefined || base === undefined || typeof base === "string") {
    const reason = typeof base === "string" ? base : reasonWithoutBase(context);
    const shown = layout ?? stackLayout(context.facts, innermost.node, context.range);
    return (shown?.visible ?? []).flatMap(({ node }) => missingLocal(context, node, reason));
  }
  return layout.visible.flatMap(({ node, position }) => {
    if (node.name === "") return [];
    const reason = position === undefined ? t`several modifiers of this name exist` : base.reasonOf(node);
    if (reason !== undefined || position === undefined) return missingLocal(context, node, reason ?? "");
    return [localValue(context, node, base.stack, base.base + position)];
  });
}

/** Returns the value of a variable that has no position on the stack: the argument, or the reason. */
function missingLocal(context: LocalContext, node: VariableNode, reason: string): readonly DebugValue[] {
  if (node.name === "") return [];
  const { label } = context.facts.types.typeOf(node.type);
  return [argumentOf(context, node) ?? missingValue(node.name, label, reason)];
}

/** External functions run once in a frame: a parameter that the function does not write is as in the call data. */
function argumentOf({ frame, facts, file, range }: LocalContext, node: VariableNode): DebugValue | undefined {
  const { input = "" } = frame.trace.frames[frame.frame] ?? {};
  const definition = facts.functions.find((it) => it.file === file && isInside(it.node, range))?.node;
  const at = definition?.parameters.indexOf(node) ?? -1;
  if (definition?.visibility !== "external" || at < 0 || node.location === "memory") return undefined;
  if (definition.selector === undefined || definition.selector !== input.slice(0, SELECTOR_DIGITS)) return undefined;
  if (definition.writes.some(({ variable }) => variable === node.id)) return undefined;
  const parameters = definition.parameters.map(({ name, type }) => ({ name, type: facts.types.typeOf(type) }));
  return argumentValue(hexToBytes(input.slice(SELECTOR_DIGITS)), parameters, at);
}

function contextAt(frame: DebugFrame, step: number): LocalContext | undefined {
  const { trace, code } = frame;
  if (code === undefined) return undefined;
  const calls = functionCalls(frame, code);
  const index = indexOfStep(calls.steps, step);
  const at = code.instructions.indexAt(trace.steps?.pc[step] ?? 0);
  if (index < 0 || at < 0) return undefined;
  const { file, start, length } = code.instructions.range(at);
  const facts = contractFacts(code.compiled);
  return { frame, code, facts, calls, index, step, file, range: { start, end: start + length } };
}

/** Returns the function whose source contains the instruction. */
function functionAt({ facts, file, range }: LocalContext): NumberedFunction | undefined {
  return facts.functions.find((it) => it.file === file && isInside(it.node, range));
}

/** Returns the function that was called last and runs still, by the source of its first instruction. */
function runningFunction(context: LocalContext): FunctionNode | undefined {
  const { facts, calls, index, code } = context;
  const call = calls.calls[index] ?? 0;
  if (call === 0) return code.compiled.kind === "creation" ? constructorAt(context) : selectedFunction(context);
  const source = sourceAt(context, calls.entries[call] ?? 0);
  if (source === undefined) return undefined;
  const { file, range } = source;
  return facts.functions.find(
    ({ node, file: own }) => own === file && node.start === range.start && node.end === range.end,
  )?.node;
}

function constructorAt(context: LocalContext): FunctionNode | undefined {
  const found = functionAt(context)?.node;
  return found?.kind === "constructor" ? found : undefined;
}

/** Returns the function that the selector of the call data names: the optimizer may leave out the jump into it. */
function selectedFunction({ frame, facts }: LocalContext): FunctionNode | undefined {
  const selector = frame.trace.frames[frame.frame]?.input.slice(0, SELECTOR_DIGITS);
  for (const { id } of facts.contracts) {
    const found = facts.functions.find(({ node }) => node.contract === id && node.selector === selector);
    if (found !== undefined) return found.node;
  }
  return undefined;
}

/** Returns the source of an instruction of the frame. */
function sourceAt(
  { frame, calls, code }: LocalContext,
  index: number,
): { readonly file: number; readonly range: ByteRange } | undefined {
  const pc = frame.trace.steps?.pc[calls.steps[index] ?? 0];
  const at = pc === undefined ? -1 : code.instructions.indexAt(pc);
  if (at < 0) return undefined;
  const { file, start, length } = code.instructions.range(at);
  return { file, range: { start, end: start + length } };
}

function reasonWithoutBase({ code, frame }: LocalContext): string {
  if (code.compiled.isViaIr) return t`code that is compiled via IR does not say where variables are`;
  if (frame.trace.steps?.stack === undefined) return t`the trace has no stack`;
  return code.compiled.isUnoptimized
    ? t`this code is not in a function that was called`
    : t`the optimizer moved or merged this code`;
}

/** Returns where the variables of a function are, or the reason why that is not known. */
function stackBase(context: LocalContext, running: FunctionNode, layout: StackLayout): StackBase | string {
  const { frame, code, step } = context;
  if (code.compiled.isViaIr) return reasonWithoutBase(context);
  const stack = runIndex(frame.trace).stack(step);
  const base = baseOf(context, running);
  if (stack === undefined || base === undefined) return reasonWithoutBase(context);
  if (code.compiled.isUnoptimized) {
    const isLeft = !hasReturnAddress(context, running, stack, base) || stack.height < base + (layout.height ?? 0);
    return isLeft ? t`the function is starting or ending` : { base, stack, reasonOf: () => undefined };
  }
  return optimizedBase(context, running, layout, base);
}

/** Returns the position of the first parameter. */
function baseOf({ frame, facts, calls, index, code }: LocalContext, running: FunctionNode): number | undefined {
  const call = calls.calls[index] ?? 0;
  if (call > 0) {
    const entry = runIndex(frame.trace).stack(calls.steps[calls.entries[call] ?? 0] ?? 0);
    const base = (entry?.height ?? 0) - stackSizeOf(running.parameters);
    return base > 0 ? base : undefined;
  }
  if (code.compiled.kind === "runtime") return SELECTED_BASE;
  // The constructors of bases run inside those of derived contracts, after the parameters of these.
  let base = 0;
  for (const { id } of facts.contracts) {
    const own = facts.functions.find(({ node }) => node.contract === id && node.kind === "constructor")?.node;
    if (own?.id === running.id) return base;
    base += stackSizeOf(own?.parameters ?? []);
  }
  return undefined;
}

/** Returns whether the return address is where the call of the function put it. */
function hasReturnAddress(
  { frame, calls, index }: LocalContext,
  running: FunctionNode,
  stack: StackView,
  base: number,
): boolean {
  const call = calls.calls[index] ?? 0;
  if (call === 0) return running.kind === "constructor" || stack.at(0) === BigInt(`0x${running.selector ?? "0"}`);
  const entry = runIndex(frame.trace).stack(calls.steps[calls.entries[call] ?? 0] ?? 0);
  return entry !== undefined && entry.at(base - 1) === stack.at(base - 1);
}

/**
 * Reads variables at the start of straight code: the optimizer changes the order inside such code only. Variables that
 * the code does not write have the same value at the instruction.
 */
function optimizedBase(
  context: LocalContext,
  running: FunctionNode,
  layout: StackLayout,
  base: number,
): StackBase | string {
  const start = certainStart(context, running, layout, base);
  if (start === undefined) return t`the optimizer moved or merged this code`;
  const { stack } = start;
  const reasonOf = (node: VariableNode): string | undefined => {
    const position = layout.visible.find((it) => it.node === node)?.position;
    const isThere = position !== undefined && base + position < stack.height;
    const isCertain =
      isThere && isDeclaredAt(start, running, layout, node) && !isWrittenFrom(start, running, layout, node);
    return isCertain ? undefined : t`the optimizer may have moved it`;
  };
  return { base, stack, reasonOf };
}

/** Start of straight code whose stack has variables at their positions. */
interface CertainStart {
  readonly stack: StackView;
  /** Source of the start. */
  readonly source: ByteRange;
  /** Statement of the instruction. */
  readonly statement: StatementNode;
  /** True at the first instruction of the function. */
  readonly isEntry: boolean;
}

function certainStart(
  context: LocalContext,
  running: FunctionNode,
  { definition }: StackLayout,
  base: number,
): CertainStart | undefined {
  const { frame, calls, index, file, range } = context;
  const start = blockStart(frame, calls, index);
  if (start === undefined || calls.calls[start.index] !== calls.calls[index]) return undefined;
  const stack = runIndex(frame.trace).stack(calls.steps[start.index] ?? 0);
  const found = sourceAt(context, start.source);
  if (stack === undefined || found === undefined || !hasReturnAddress(context, running, stack, base)) return undefined;
  const source = found.range;
  if (found.file !== file || !isInside(definition, source)) return undefined;
  const call = calls.calls[index] ?? 0;
  const isEntry = call > 0 && start.index === calls.entries[call];
  const isWhole = source.start === definition.start && source.end === definition.end;
  if (isWhole && !(isEntry && definition === running)) return undefined;
  const statement = statementAt(definition.body, range);
  if (statement === undefined || source.start >= statement.end) return undefined;
  // Compilers merge equal code that ends a call, even if the variables below it are others.
  const isMerged = endsFrame(frame, calls, index) && !isCertainHeight(context, running, source, stack.height - base);
  return isMerged ? undefined : { stack, source, statement, isEntry };
}

/** Returns whether a variable is written between the start of straight code and the end of the statement. */
function isWrittenFrom(
  { source, statement }: CertainStart,
  running: FunctionNode,
  { definition }: StackLayout,
  { id }: VariableNode,
): boolean {
  const first = isInside(statement, source) ? Math.min(source.start, statement.start) : source.start;
  return (
    definition.writes.some((it) => it.variable === id && it.end > first && it.start < statement.end) ||
    (definition !== running && running.writes.some((it) => it.variable === id))
  );
}

/** Returns whether a variable is on the stack at the start of straight code. */
function isDeclaredAt(
  { source, isEntry }: CertainStart,
  running: FunctionNode,
  { definition }: StackLayout,
  node: VariableNode,
): boolean {
  if (running.parameters.includes(node)) return true;
  if (isEntry) return false;
  if (definition.parameters.includes(node) || running.returns.includes(node)) return true;
  const found = declarationOf(definition.body, node);
  if (found === undefined) return false;
  const { declaration, scope } = found;
  if (declaration.kind === "clause") return isInside(declaration, source);
  if (scope === undefined || !isInside(scope, source)) return false;
  return declaration.end <= source.start || (scope.kind === "for" && scope.children[0] === declaration);
}

/** Returns whether the stack has the height that the source says at the start of straight code. */
function isCertainHeight({ facts }: LocalContext, running: FunctionNode, range: ByteRange, height: number): boolean {
  const layout = stackLayout(facts, running, range);
  const statement = statementAt(layout?.definition.body, range);
  return statement?.start === range.start && layout?.height === height;
}

function localValue(context: LocalContext, node: VariableNode, stack: StackView, position: number): DebugValue {
  const { frame, step, facts, code } = context;
  const { name, location } = node;
  const type = facts.types.typeOf(node.type);
  const word = stack.at(position);
  if (word === undefined) return missingValue(name, type.label, t`it is not on the stack`);
  const unordered = unorderedSteps(frame, step);
  const variable = { name, type, evaluateName: name };
  switch (location) {
    case "memory": {
      const memory = runIndex(frame.trace).memory(frame.frame);
      if (memory === undefined) return missingValue(name, type.label, t`the trace has no memory`);
      return memoryValue({ memory, step, unordered }, { ...variable, offset: word, depth: 0 });
    }
    case "storage": {
      const view = storageView(frame, step, false);
      if (view === undefined) return missingValue(name, type.label, t`it is not on the stack`);
      return storageValue(view, { ...variable, slot: word, offset: 0 });
    }
    case "calldata": {
      const data = hexToBytes(frame.trace.frames[frame.frame]?.input ?? "");
      return callDataValue(data, { ...variable, offset: word, depth: 0 }, stack.at(position + 1));
    }
    default:
      return stackValue({ name, type, code, facts }, word, stack.at(position + 1));
  }
}

interface StackVariable {
  readonly name: string;
  readonly type: SolidityType;
  readonly code: CodeSources;
  readonly facts: ContractFacts;
}

function stackValue({ name, type, code, facts }: StackVariable, word: bigint, next: bigint | undefined): DebugValue {
  const common = { name, type: type.label, evaluateName: name };
  if (type.kind !== "function") {
    const value = wordValue(type, word);
    return value === undefined ? missingValue(name, type.label, t`the type is unknown`) : { ...common, ...value };
  }
  if (type.isExternal) {
    // An address and a selector, each in a word.
    const joined = ((word << 32n) | ((next ?? 0n) & 0xffffffffn)) << 64n;
    return { ...common, ...(wordValue(type, joined) ?? { text: type.label }) };
  }
  const at = code.instructions.indexAt(Number(word & 0xffffffffn));
  const range = at < 0 ? undefined : code.instructions.range(at);
  const target = facts.functions.find(
    ({ file, node }) => file === range?.file && node.start === range.start && node.end === range.start + range.length,
  );
  return { ...common, text: target === undefined ? type.label : target.node.name };
}
