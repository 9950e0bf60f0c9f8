import { candidateFromJson, type JsonAbiEntry, keyOf } from "@finality/tron/abi";
import type { TraceFrame } from "@finality/tron/traces";
import { isToken, type SourceTokens } from "../call-sites/source-tokens.ts";
import { stepOver } from "../call-sites/source-value.ts";
import { type CodeSources, contains, type InstructionSource, type SourceFile } from "./code-sources.ts";
import { entriesOfBlock, failureCode, jumpTarget, nextInstruction } from "./code-walk.ts";
import { canFail, type Failure } from "./failure-kind.ts";
import { type FailurePoint, tokenAt } from "./failure-points.ts";
import { type Activation, activationsOf, arrangesStack, type FrameRun, OPCODE } from "./frame-run.ts";
import {
  type EvaluatedRange,
  evaluationOrder,
  inheritanceOf,
  type RelatedFunction,
  reachedFrom,
  relatedFunctions,
  wordsIn,
} from "./related-functions.ts";
import type { ByteRange, FunctionDefinition } from "./source-outline.ts";

/** Expression or statement of a source. */
type SourceExpression = InstructionSource & { readonly kind: "expression" };

/** Place in a source where a frame failed. */
export interface FailureLocation {
  readonly file: SourceFile;
  readonly range: ByteRange;
  /** Construct that failed; absent if only the range is certain. */
  readonly point?: FailurePoint;
}

/** Failed frame with what is known of its code. */
interface FailedRun {
  readonly frame: TraceFrame;
  readonly run: FrameRun;
  readonly code: CodeSources;
  readonly failure: Failure;
  readonly activations: readonly Activation[];
  readonly functions: readonly RelatedFunction[];
  /** Functions that can run; undefined if the called function is unknown. */
  readonly reachable: ReadonlySet<RelatedFunction> | undefined;
}

/**
 * Returns where a frame failed; undefined if the source map does not decide it. Optimizers merge equal blocks, so the
 * last instruction counts only if its block has one entry. Otherwise the jump into the block counts, or the ranges
 * around it. Exactly one construct there must be able to cause this failure.
 */
export function locateFailure(
  frame: TraceFrame,
  run: FrameRun,
  code: CodeSources,
  failure: Failure,
): FailureLocation | undefined {
  const functions = relatedFunctions(code);
  const activations = activationsOf(run, code, run.count - 1);
  const entries = entriesOf(frame, code, functions);
  const reachable = entries && withReached(entries, functions);
  const failed = { frame, run, code, failure, activations, functions, reachable };
  const evidence = findEvidence(failed);
  if (evidence.kind === "at") return resolveRange(failed, evidence);
  if (failure.kind === "forced") return undefined;
  return resolveBetween(failed, evidence) ?? resolveByOrder(failed, evidence);
}

function withReached(
  entries: readonly RelatedFunction[],
  functions: readonly RelatedFunction[],
): ReadonlySet<RelatedFunction> {
  const words = new Set(entries.flatMap((it) => [...it.words]));
  return new Set([...entries, ...reachedFrom(words, functions)]);
}

/** Returns the functions of the contract that a call starts; undefined if they are not known. */
function entriesOf(
  { kind, input }: TraceFrame,
  { compiled }: CodeSources,
  functions: readonly RelatedFunction[],
): readonly RelatedFunction[] | undefined {
  if (kind === "create" || kind === "create2") return undefined;
  const selector = input.slice(0, 8);
  const called = compiled.abi.flatMap((entry) => {
    const candidate = candidateFromJson(entry, "");
    return candidate?.kind === "function" && keyOf(candidate) === selector ? [candidate] : [];
  });
  const [candidate] = called;
  if (candidate === undefined) return specialEntries(compiled.abi, functions);
  // A function of the ABI without a definition reads a variable, and has no statements.
  return functions.filter(
    ({ definition }) =>
      definition.kind === "function" &&
      definition.name === candidate.name &&
      definition.arity === candidate.parameters.length,
  );
}

/** Returns the functions for other call data; undefined if there are none, as in libraries. */
function specialEntries(
  abi: readonly JsonAbiEntry[],
  functions: readonly RelatedFunction[],
): readonly RelatedFunction[] | undefined {
  if (!abi.some(({ type }) => type === "fallback" || type === "receive")) return undefined;
  return functions.filter(({ definition: { kind } }) => kind === "fallback" || kind === "receive");
}

/** `at`: the failure belongs to this range. `between`: it happened after one range and before another. */
type Evidence =
  | { readonly kind: "at"; readonly source: SourceExpression; readonly step: number }
  | {
      readonly kind: "between";
      readonly before: SourceExpression | undefined;
      readonly after: SourceExpression | undefined;
      readonly step: number;
    };

/**
 * Walks back from the failure to the first instruction whose range decides. It is the failing one, one of the straight
 * code that leads to it, a jump into a function of the compiler, or the jump into the block that fails.
 */
function findEvidence(failed: FailedRun): Evidence {
  const { run, activations } = failed;
  const last = run.count - 1;
  const own = expressionAt(failed, last);
  // The machine ends a frame at any instruction, whatever led to it.
  const isForced = failed.failure.kind === "forced";
  if (own !== undefined && (isForced || isOwnFailure(failed, own, last)))
    return { kind: "at", source: own, step: last };
  let step = last;
  for (;;) {
    const activation = activations[step];
    const start = blockStart(failed, step);
    const failing = isForced ? undefined : failingStep(failed, start, step);
    if (failing !== undefined) return failing;
    const isEntry = activation !== undefined && activation.jump >= 0 && start <= activation.entry;
    const isHelper = isInHelper(failed, step);
    const jump = isEntry || isHelper ? (activation?.jump ?? -1) : previousStep(failed, start);
    // A call that returned before this block does not lead to the failure.
    const leadsHere = isEntry || isHelper || jump + 1 === start;
    if (jump >= 0 && !leadsHere && encodesReason(failed.failure) && !passedCheck(failed, jump, start)) {
      step = jump;
      continue;
    }
    if (jump < 0 || !leadsHere) return between(failed, step);
    const source = expressionAt(failed, jump);
    if (source !== undefined && (isForced || leadsToFailure(failed, jump))) return { kind: "at", source, step: jump };
    const decides = isHelper ? !isInHelper(failed, jump) : run.opcodes[jump] === OPCODE.jumpIf;
    if (decides) return between(failed, jump);
    step = jump;
  }
}

/** Returns the last range of a block with a construct around it that can fail in this way. */
function failingStep(failed: FailedRun, start: number, end: number): Evidence | undefined {
  const { run, activations, functions, failure, code } = failed;
  for (let step = end; step >= start; step -= 1) {
    if (activations[step] !== activations[end] || arrangesStack(run.opcodes[step] ?? 0)) continue;
    const source = expressionAt(failed, step);
    const points = functions.find((it) => it.definition === source?.definition)?.points ?? [];
    const fails = (it: FailurePoint): boolean =>
      source !== undefined && contains(it, source.range) && canFail(it, failure, code.compiled.stripsReasons);
    if (source !== undefined && points.some(fails))
      return isOwnFailure(failed, source, step) ? { kind: "at", source, step } : undefined;
  }
  return undefined;
}

/** Returns whether a range of the failing code is that of the failure, and not one of equal code that was merged. */
function isOwnFailure(failed: FailedRun, source: SourceExpression, step: number): boolean {
  const start = sharedBlock(failed, step);
  return start === undefined || isNextFailure(failed, source, start);
}

/** Returns the first block with several entries of the straight code that ends at a step: an optimizer can merge those. */
function sharedBlock(failed: FailedRun, step: number): number | undefined {
  const { run, activations } = failed;
  let shared: number | undefined;
  for (let at = step; ; ) {
    const start = blockStart(failed, at);
    if (isShared(failed, start)) shared = start;
    const before = previousStep(failed, start);
    if (before < 0 || run.opcodes[before] === OPCODE.jumpIf || start <= (activations[at]?.entry ?? 0)) return shared;
    if (before + 1 !== start && !encodesReason(failed.failure)) return shared;
    at = before;
  }
}

/** Returns whether the construct of a range is the next one that can fail after the range that ran before a block. */
function isNextFailure(failed: FailedRun, { definition, range }: SourceExpression, start: number): boolean {
  const { functions, failure, code } = failed;
  const step = expressionStepBefore(failed, start);
  const before = step === undefined ? undefined : expressionAt(failed, step);
  if (step === undefined || before === undefined || before.definition !== definition) return false;
  const points = (functions.find((it) => it.definition === definition)?.points ?? [])
    .filter((it) => canFail(it, failure, code.compiled.stripsReasons))
    .sort((a, b) => a.end - a.start - (b.end - b.start));
  const named = points.find((it) => contains(it, range));
  const from = skippedBody(failed, before, step)?.end ?? before.range.start;
  return named !== undefined && named.start >= from && !points.some((it) => it.end > from && it.end <= named.start);
}

/** Returns the body of the branch or loop that a decision has skipped; undefined if it did not, or if that is unknown. */
function skippedBody(
  failed: FailedRun,
  { file, range, definition }: SourceExpression,
  step: number,
): ByteRange | undefined {
  if (failed.run.opcodes[step] !== OPCODE.jumpIf) return undefined;
  const tokens = file.source.tokens();
  const first = tokenAt(tokens, range.start);
  const isStatement = ["if", "for", "while"].some((word) => isToken(tokens, first, word));
  const [branch] = isStatement ? [{ start: tokens.starts[first] ?? 0 }] : branchesAround(file, range);
  if (branch === undefined) return undefined;
  const head = stepOver(tokens, tokenAt(tokens, branch.start) + 1);
  const body = { start: tokens.starts[head] ?? 0, end: tokens.ends[bodyEnd(tokens, head) - 1] ?? 0 };
  const other = nextExpression(failed, step);
  return other?.definition === definition && other !== undefined && contains(body, other.range) ? body : undefined;
}

/** Returns the token after a statement, without the `else` of a branch. */
function bodyEnd(tokens: SourceTokens, from: number): number {
  return isToken(tokens, from, "{") ? stepOver(tokens, from) : statementEnd(tokens, from);
}

/** Returns whether the range of a jump is that of the failure: a call, a decision, or a jump of its own code. */
function leadsToFailure(failed: FailedRun, step: number): boolean {
  const { run, code } = failed;
  const index = code.instructions.indexAt(run.counters[step] ?? 0);
  if (run.opcodes[step] !== OPCODE.jumpIf)
    return code.instructions.range(Math.max(index, 0)).jump === "i" || sharedBlock(failed, step) === undefined;
  // If both directions fail in the same way, an earlier or a later construct has failed.
  const taken = failureCode(code, code.instructions.indexAt(run.counters[step + 1] ?? 0));
  const other = otherDirection(failed, step);
  return taken === undefined || other === undefined || failureCode(code, other) !== taken;
}

/** Returns whether a function that returned had a check that did not fail, between two steps of its caller. */
function passedCheck(failed: FailedRun, from: number, to: number): boolean {
  const { run, code } = failed;
  for (let step = from + 1; step < to; step += 1) {
    const other = run.opcodes[step] === OPCODE.jumpIf ? otherDirection(failed, step) : undefined;
    if (other !== undefined && failureCode(code, other) !== undefined) return true;
  }
  return false;
}

/** Returns whether the code of a failure calls functions of the compiler, which encode the text or the error. */
function encodesReason({ kind }: Failure): boolean {
  return kind === "text" || kind === "error";
}

function isInHelper(failed: FailedRun, step: number): boolean {
  const activation = failed.activations[step];
  return activation !== undefined && activation.jump >= 0 && !isUserFunction(failed, activation);
}

/** Returns whether an activation is one of a function of the source, and not of the compiler. */
function isUserFunction(failed: FailedRun, { entry }: Activation): boolean {
  return sourceOf(failed, entry).kind !== "none";
}

function sourceOf({ run, code }: FailedRun, step: number): InstructionSource {
  return code.sourceAt(run.counters[step] ?? 0);
}

function expressionAt(failed: FailedRun, step: number): SourceExpression | undefined {
  const source = sourceOf(failed, step);
  return source.kind === "expression" ? source : undefined;
}

/** Returns the first step of the block of a step: straight code, entered at its beginning. */
function blockStart({ run, activations }: FailedRun, step: number): number {
  let start = step;
  while (start > 0 && run.opcodes[start] !== OPCODE.jumpTarget) {
    const before = run.opcodes[start - 1];
    if (before === OPCODE.jump || before === OPCODE.jumpIf || activations[start - 1] !== activations[step]) break;
    start -= 1;
  }
  return start;
}

/** Returns the last step before this one in the same activation; -1 if there is none. */
function previousStep({ activations }: FailedRun, step: number): number {
  let before = step - 1;
  while (before >= 0 && activations[before] !== activations[step]) before -= 1;
  return before;
}

/** Returns whether a block can be entered from several instructions. */
function isShared({ run, code }: FailedRun, start: number): boolean {
  return run.opcodes[start] === OPCODE.jumpTarget && entriesOfBlock(code, run.counters[start] ?? 0) > 1;
}

/** Returns the ranges around a step without a range: the one that ran last, and the one that would have come next. */
function between(failed: FailedRun, step: number): Evidence {
  const before = expressionBefore(failed, step);
  const isJump = failed.run.opcodes[step] === OPCODE.jumpIf || failed.run.opcodes[step] === OPCODE.jump;
  return { kind: "between", before, after: isJump ? nextExpression(failed, step) : undefined, step };
}

const LONGEST_WALK = 600;

/** Follows the code in the direction that did not fail, up to the first range. */
function nextExpression(failed: FailedRun, step: number): SourceExpression | undefined {
  const { code } = failed;
  const { instructions } = code;
  let index = otherDirection(failed, step);
  for (let walked = 0; walked < LONGEST_WALK && index !== undefined; walked += 1) {
    const source = code.sourceAt(instructions.counters[index] ?? 0);
    if (source.kind === "expression" && !arrangesStack(instructions.opcodes[index] ?? 0)) return source;
    index = nextInstruction(code, index);
  }
  return undefined;
}

/** Returns the instruction after a decision if it had not led to the failure. */
function otherDirection({ run, code }: FailedRun, step: number): number | undefined {
  const { instructions } = code;
  const index = instructions.indexAt(run.counters[step] ?? 0);
  if (run.opcodes[step] === OPCODE.jump) return index + 1;
  const isTaken = run.counters[step + 1] !== instructions.counters[index + 1];
  return isTaken ? index + 1 : jumpTarget(code, index);
}

/** Finds the construct of a range that failed. */
function resolveRange(failed: FailedRun, evidence: Evidence & { readonly kind: "at" }): FailureLocation | undefined {
  const { source, step } = evidence;
  const { file, range, definition } = source;
  const { code, failure, functions } = failed;
  if (!isConsistent(failed, source, step) || isMergedTail(failed, source, step)) return undefined;
  if (failure.kind === "forced" || definition === undefined) return { file, range };
  const own = functions.find((it) => it.definition === definition);
  const points = (own?.points ?? []).filter((it) => canFail(it, failure, code.compiled.stripsReasons));
  const skipped = skippedBody(failed, source, step);
  const inside = points.filter((it) => contains(range, it) && (skipped === undefined || !contains(skipped, it)));
  const around = points.filter((it) => contains(it, range)).sort((a, b) => a.end - a.start - (b.end - b.start));
  const assembly = around.find(({ kind }) => kind === "assembly");
  if (assembly !== undefined) return { file, range, point: assembly };
  const [innermost] = around;
  if (innermost !== undefined) return { file, range: innermost, point: innermost };
  // A plain jump can belong to the statement before the failure.
  if (!isDecisive(failed, step)) return undefined;
  const [branch] = inside.length > 0 ? [] : branchesAround(file, range);
  if (branch !== undefined && failed.run.opcodes[step] === OPCODE.jumpIf)
    return oneLine(
      file,
      points.filter((it) => contains(branch, it) && (skipped === undefined || !contains(skipped, it))),
    );
  const isOperation = inside.some(({ kind }) => OPERATIONS.has(kind));
  const [first] = inside;
  if (isOperation && first !== undefined && failed.run.opcodes[step] === OPCODE.jump)
    return { file, range, point: first };
  return oneLine(file, inside);
}

/** Returns the `if` statement with a range in its condition, as a list of one or none. */
function branchesAround({ source }: SourceFile, range: ByteRange): readonly ByteRange[] {
  const tokens = source.tokens();
  for (let at = tokenAt(tokens, range.start); at > 0; at -= 1) {
    if ([";", "{", "}"].some((mark) => isToken(tokens, at, mark))) return [];
    const closer = tokens.partners[at] ?? -1;
    if (!isToken(tokens, at, "(") || !isToken(tokens, at - 1, "if") || closer < 0) continue;
    const end = tokens.starts[statementEnd(tokens, at - 1)] ?? source.length;
    return (tokens.starts[closer] ?? 0) < range.end ? [] : [{ start: tokens.starts[at - 1] ?? 0, end }];
  }
  return [];
}

/** Returns the token after a statement. */
function statementEnd(tokens: SourceTokens, from: number): number {
  let at = from;
  if (isToken(tokens, at, "if")) {
    at = statementEnd(tokens, stepOver(tokens, at + 1));
    return isToken(tokens, at, "else") ? statementEnd(tokens, at + 1) : at;
  }
  if (isToken(tokens, at, "{")) return stepOver(tokens, at);
  while (at < tokens.count && !isToken(tokens, at, ";") && !isToken(tokens, at, "}")) at = stepOver(tokens, at);
  return at + 1;
}

/**
 * Returns whether a range may belong to another statement, whose equal end the optimizer merged. Then the code has
 * several entries in the middle of the construct, and a different construct ran before it.
 */
function isMergedTail(failed: FailedRun, { definition, range }: SourceExpression, step: number): boolean {
  let start = blockStart(failed, step);
  while (start > 0 && failed.run.opcodes[start] !== OPCODE.jumpTarget && previousStep(failed, start) === start - 1)
    start = blockStart(failed, start - 1);
  const entered = expressionAt(failed, start);
  if (!isShared(failed, start) || entered === undefined) return false;
  const own = failed.functions.find((it) => it.definition === definition);
  const around = (own?.points ?? []).filter((it) => contains(it, range) && contains(it, entered.range));
  if (around.length === 0) return false;
  const before = expressionBefore(failed, start);
  return before !== undefined && !around.some((it) => contains(it, before.range));
}

/** Returns the last range that ran before a step of its activation. */
function expressionBefore(failed: FailedRun, step: number): SourceExpression | undefined {
  const found = expressionStepBefore(failed, step);
  return found === undefined ? undefined : expressionAt(failed, found);
}

function expressionStepBefore(failed: FailedRun, step: number): number | undefined {
  for (let at = previousStep(failed, step); at >= 0; at = previousStep(failed, at))
    if (!arrangesStack(failed.run.opcodes[at] ?? 0) && expressionAt(failed, at) !== undefined) return at;
  return undefined;
}

/** Returns whether a step fails itself, decides between failure and success, or calls a function. */
function isDecisive({ run, code }: FailedRun, step: number): boolean {
  if (step === run.count - 1 || run.opcodes[step] === OPCODE.jumpIf) return true;
  const index = code.instructions.indexAt(run.counters[step] ?? 0);
  return code.instructions.range(Math.max(index, 0)).jump === "i";
}

/** Operators and suffixes, whose whole expression is the range. */
const OPERATIONS = new Set(["arithmetic", "division", "index", "slice"]);

/** Returns the location if all constructs are on one line. */
function oneLine(file: SourceFile, points: readonly FailurePoint[]): FailureLocation | undefined {
  const [first] = points;
  if (first === undefined) return undefined;
  const lineOf = ({ start }: ByteRange): number => file.source.positionAt(start).line;
  return points.every((it) => lineOf(it) === lineOf(first)) ? { file, range: first, point: first } : undefined;
}

/**
 * Returns false if a range may name the wrong one of two functions that the optimizer merged. Then the called function
 * does not reach the named one, a call names another one, or a reachable function has the same code.
 */
function isConsistent(failed: FailedRun, { definition }: SourceExpression, step: number): boolean {
  const { functions, reachable, activations } = failed;
  if (definition === undefined) return true;
  const own = functions.find((it) => it.definition === definition);
  if (own === undefined || (reachable !== undefined && !reachable.has(own))) return false;
  const activation = activations[step];
  const call = activation === undefined || activation.jump < 0 ? undefined : expressionAt(failed, activation.jump);
  const entered = activation === undefined ? undefined : sourceOf(failed, activation.entry);
  const isCalled = call !== undefined && entered?.kind === "function" && entered.definition === definition;
  if (isCalled) return namesFunction(call, definition, functions);
  const twins = [...(reachable ?? functions)].filter((it) => it !== own && it.shape === own.shape);
  return own.points.length === 0 || twins.length === 0;
}

/** Returns false if the text of a call names another function than the one that ran. */
function namesFunction(
  { file, range }: SourceExpression,
  { name, kind }: FunctionDefinition,
  functions: readonly RelatedFunction[],
): boolean {
  if (kind !== "function") return true;
  const tokens = file.source.tokens();
  const words = wordsIn(tokens, tokenAt(tokens, range.start), tokenAt(tokens, range.end));
  return words.has(name) || !functions.some((it) => it.definition.kind === "function" && words.has(it.definition.name));
}

/** Finds the only construct between two ranges that can fail in this way. */
function resolveBetween(
  failed: FailedRun,
  evidence: Evidence & { readonly kind: "between" },
): FailureLocation | undefined {
  const { before, after } = evidence;
  const everywhere = pointsOf(failed, [...(failed.reachable ?? failed.functions)], before);
  const only = oneOf(everywhere);
  if (only !== undefined) return only;
  if (before?.definition === undefined || !isConsistent(failed, before, evidence.step)) return undefined;
  const from = failed.functions.find((it) => it.definition === before.definition);
  if (from === undefined) return undefined;
  const isSame = after?.definition === from.definition;
  if (isSame && after.range.start < before.range.start) return undefined;
  const upper = isSame ? after.range : undefined;
  const statement = statementAt(from.file, before.range.start);
  const own = from.points.filter(
    (it) => isAfter(it, before.range, statement) && (upper === undefined || isBefore(it, upper)),
  );
  const tokens = from.file.source.tokens();
  const end = upper?.end ?? from.definition.end;
  const words = wordsIn(tokens, tokenAt(tokens, before.range.start), tokenAt(tokens, end));
  const others = isSame ? [] : neighbours(failed, from, after);
  const reached = [...reachedFrom(words, failed.functions), ...others].filter((it) => it !== from);
  const points = [...pointsIn(failed, from, own, before), ...pointsOf(failed, reached, before)];
  return oneOf(points);
}

/**
 * Compares the checks of the code with the constructs of the source. If both have the same number between the two
 * ranges, the position of the failed check decides.
 */
function resolveByOrder(
  failed: FailedRun,
  evidence: Evidence & { readonly kind: "between" },
): FailureLocation | undefined {
  const checks = checksBetween(failed, evidence.step);
  const root = rootFunction(failed, evidence.step);
  const ranges = root && evaluationOrder(root, [...(failed.reachable ?? failed.functions)], inheritanceOf(failed.code));
  if (checks === undefined || ranges === undefined) return undefined;
  const points = rangesBetween(ranges, evidence).flatMap(({ owner, point }) =>
    point === undefined ? [] : pointsIn(failed, owner, [point], evidence.before),
  );
  const point = points[checks.before];
  return point !== undefined && points.length === checks.before + 1 + checks.after ? oneOf([point]) : undefined;
}

/** Returns the function of the source that runs at a step. */
function rootFunction({ activations, code, run, functions, frame, reachable }: FailedRun, step: number) {
  let activation = activations[step];
  while (activation !== undefined && activation.jump >= 0) {
    const source = code.sourceAt(run.counters[activation.entry] ?? 0);
    if (source.kind === "function") return functions.find((it) => it.definition === source.definition);
    activation = activation.caller;
  }
  const isCreation = frame.kind === "create" || frame.kind === "create2";
  const kinds = functions.filter(({ definition }) => definition.kind === "constructor");
  const [first, ...others] = isCreation ? kinds : (entriesOf(frame, code, functions) ?? []);
  return others.length > 0 || reachable?.size === 0 ? undefined : first;
}

/** Numbers of checks with the failure of a step, before it and after it, up to the next ranges. */
function checksBetween(
  failed: FailedRun,
  step: number,
): { readonly before: number; readonly after: number } | undefined {
  const { run, code, activations } = failed;
  const { instructions } = code;
  const indexOf = (at: number): number => instructions.indexAt(run.counters[at] ?? 0);
  if (run.opcodes[step] !== OPCODE.jumpIf) return undefined;
  const ending = failureCode(code, indexOf(step + 1));
  if (ending === undefined) return undefined;
  const seen = new Set<number>();
  let before = 0;
  for (let at = step - 1; at >= 0; at -= 1) {
    const call = callWithin(activations[at], activations[step]);
    if (call === undefined || decidesRange(failed, call < 0 ? at : call)) break;
    if (call >= 0) return undefined;
    if (seen.has(run.counters[at] ?? 0)) return undefined;
    seen.add(run.counters[at] ?? 0);
    const isCheck = run.opcodes[at] === OPCODE.jumpIf && otherDirection(failed, at) !== undefined;
    if (isCheck && failureCode(code, otherDirection(failed, at) ?? 0) === ending) before += 1;
  }
  const after = laterChecks(failed, step, ending);
  return after === undefined ? undefined : { before, after };
}

/** Returns the jump by which one activation led to another; -1 for the same one, undefined if it did not. */
function callWithin(inner: Activation | undefined, outer: Activation | undefined): number | undefined {
  let activation = inner;
  let call = -1;
  while (activation !== outer && activation !== undefined) {
    call = activation.jump;
    activation = activation.caller;
  }
  return activation === outer ? call : undefined;
}

function decidesRange(failed: FailedRun, step: number): boolean {
  return !arrangesStack(failed.run.opcodes[step] ?? 0) && expressionAt(failed, step) !== undefined;
}

function laterChecks(failed: FailedRun, step: number, ending: string): number | undefined {
  const { code } = failed;
  const { instructions } = code;
  let count = 0;
  let index = otherDirection(failed, step);
  for (let walked = 0; walked < LONGEST_WALK && index !== undefined; walked += 1) {
    const opcode = instructions.opcodes[index] ?? 0;
    const source = code.sourceAt(instructions.counters[index] ?? 0);
    if (source.kind === "expression" && !arrangesStack(opcode)) return count;
    if (opcode === OPCODE.jump && instructions.range(index).jump === "i") return undefined;
    if (opcode === OPCODE.jumpIf) {
      const ends = [failureCode(code, index + 1), failureCode(code, jumpTarget(code, index) ?? index)];
      if (ends.every((it) => it === undefined)) return undefined;
      if (ends.includes(ending)) count += 1;
    }
    index = nextInstruction(code, index);
  }
  return count;
}

/** Returns the ranges after one range and before another. */
function rangesBetween(
  ranges: readonly EvaluatedRange[],
  { before, after }: { readonly before: SourceExpression | undefined; readonly after: SourceExpression | undefined },
): readonly EvaluatedRange[] {
  const own = (source: SourceExpression, { owner }: EvaluatedRange): boolean => owner.definition === source.definition;
  const statement = before === undefined ? 0 : statementAt(before.file, before.range.start);
  const isPast = (it: EvaluatedRange): boolean =>
    before !== undefined &&
    own(before, it) &&
    (it.point === undefined ? it.range.start <= before.range.start : !isAfter(it.point, before.range, statement));
  const from = before === undefined ? 0 : ranges.findLastIndex(isPast) + 1;
  const rest = ranges.slice(from);
  const isLater = (it: EvaluatedRange): boolean =>
    after !== undefined &&
    own(after, it) &&
    (it.point === undefined ? it.range.start >= after.range.end : !isBefore(it.point, after.range));
  const end = rest.findIndex(isLater);
  return end < 0 ? rest : rest.slice(0, end);
}

/** Returns the functions that the code after a function can belong to: its callers, and the one that follows. */
function neighbours(
  { functions }: FailedRun,
  { definition }: RelatedFunction,
  after: SourceExpression | undefined,
): readonly RelatedFunction[] {
  const isCaller = (it: RelatedFunction): boolean => definition.name !== "" && it.words.has(definition.name);
  return functions.filter((it) => it.definition === after?.definition || isCaller(it));
}

/** An operator has operands on both sides, so all operators of a statement count as after each of its parts. */
function isAfter({ kind, end, statement }: FailurePoint, before: ByteRange, statementBefore: number): boolean {
  return end > before.start || (OPERATIONS.has(kind) && statement === statementBefore);
}

/** Returns the start of the statement around a byte, as `FailurePoint.statement` has it. */
function statementAt({ source }: SourceFile, byte: number): number {
  const tokens = source.tokens();
  let at = tokenAt(tokens, byte);
  while (at > 0 && ![";", "{", "}"].some((mark) => isToken(tokens, at - 1, mark))) at -= 1;
  return tokens.starts[at] ?? 0;
}

/** A call whose arguments are evaluated next comes after them. */
function isBefore(point: FailurePoint, after: ByteRange): boolean {
  if (OPERATIONS.has(point.kind)) return point.start < after.end;
  return point.start < after.end && !contains(point, after);
}

interface LocatedPoint {
  readonly file: SourceFile;
  readonly point: FailurePoint;
}

function pointsOf(
  failed: FailedRun,
  functions: readonly RelatedFunction[],
  before: SourceExpression | undefined,
): readonly LocatedPoint[] {
  return functions.flatMap((it) => pointsIn(failed, it, it.points, before));
}

/** Constructs with instructions of their own: the range before the failure is inside. */
const LOCATED = new Set(["member-call", "plain-call", "creation", "slice", "allocation", "assembly"]);

function pointsIn(
  { failure, code, functions }: FailedRun,
  { file, definition }: RelatedFunction,
  points: readonly FailurePoint[],
  before: SourceExpression | undefined,
): readonly LocatedPoint[] {
  const isInside = (point: FailurePoint): boolean => before?.definition === definition && contains(point, before.range);
  return (
    points
      .filter((point) => canFail(point, failure, code.compiled.stripsReasons))
      .filter((point) => failure.kind !== "empty" || !LOCATED.has(point.kind) || isInside(point))
      // Assembly has ranges of its own, and seldom encodes a panic.
      .filter(({ kind }) => failure.kind !== "panic" || kind !== "assembly")
      .filter((point) => !isOtherCall(point, failure, functions))
      .map((point) => ({ file, point }))
  );
}

const PANIC_POINTER = 81;

/** Returns whether a call is one of a function, which cannot be a call of a function pointer or a conversion. */
function isOtherCall({ kind, name }: FailurePoint, failure: Failure, functions: readonly RelatedFunction[]): boolean {
  if (failure.kind !== "panic" || (kind !== "plain-call" && kind !== "member-call")) return false;
  if (failure.code !== PANIC_POINTER && failure.code !== PANIC_ENUM) return false;
  return functions.some(({ definition }) => definition.name === name && name !== "");
}

const PANIC_ENUM = 33;

function oneOf(points: readonly LocatedPoint[]): FailureLocation | undefined {
  const [first] = points;
  if (first === undefined || points.some(({ file }) => file !== first.file)) return undefined;
  return oneLine(
    first.file,
    points.map(({ point }) => point),
  );
}
