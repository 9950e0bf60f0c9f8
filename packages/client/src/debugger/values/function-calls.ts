import type { CodeSources } from "../../traces/code-sources.ts";
import { OPCODE } from "../../traces/frame-run.ts";
import type { DebugFrame } from "./debug-value.ts";
import { runIndex, type StepRange } from "./run-index.ts";

/** Instructions of a frame with the calls of functions inside it, as the compiler marks its jumps. */
export interface FunctionCalls {
  /** Steps of the instructions, ascending. */
  readonly steps: Uint32Array;
  /** Number of the function call of each instruction; 0 for the code that begins a frame. */
  readonly calls: Uint32Array;
  /** First instruction of each function call, as an index of `steps`. */
  readonly entries: readonly number[];
}

const known = new WeakMap<CodeSources, WeakMap<object, Map<number, FunctionCalls>>>();

/** Returns the function calls of a frame, which are found once. */
export function functionCalls({ trace, frame }: DebugFrame, code: CodeSources): FunctionCalls {
  const byTrace = known.get(code) ?? new WeakMap<object, Map<number, FunctionCalls>>();
  known.set(code, byTrace);
  const byFrame = byTrace.get(trace) ?? new Map<number, FunctionCalls>();
  byTrace.set(trace, byFrame);
  const found = byFrame.get(frame) ?? findCalls({ trace, frame, code }, code);
  byFrame.set(frame, found);
  return found;
}

function findCalls({ trace, frame }: DebugFrame, code: CodeSources): FunctionCalls {
  const steps = runIndex(trace).stepsOf(frame);
  const calls = new Uint32Array(steps.length);
  const entries = [0];
  const callers = [0];
  let current = 0;
  for (let index = 0; index < steps.length; index += 1) {
    calls[index] = current;
    const step = steps[index] ?? 0;
    if (trace.steps?.opcode[step] !== OPCODE.jump) continue;
    const at = code.instructions.indexAt(trace.steps.pc[step] ?? 0);
    const jump = at < 0 ? "-" : code.instructions.range(at).jump;
    if (jump === "o") current = callers[current] ?? 0;
    if (jump !== "i") continue;
    callers.push(current);
    current = entries.push(index + 1) - 1;
  }
  return { steps, calls, entries };
}

/** Returns the index of a step in an ascending list; -1 if it is not there. */
export function indexOfStep(steps: Uint32Array, step: number): number {
  let low = 0;
  let high = steps.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = steps[middle] ?? 0;
    if (found === step) return middle;
    if (found < step) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Start of the straight code that contains an instruction. */
export interface BlockStart {
  /** First instruction, as an index of the instructions of the frame. */
  readonly index: number;
  /** Instruction that has the source of the start: a jump target, or the conditional jump before. */
  readonly source: number;
  readonly isJumpTarget: boolean;
}

/** Returns the start of the straight code that contains an instruction; undefined at the begin of a frame. */
export function blockStart({ trace }: DebugFrame, { steps }: FunctionCalls, index: number): BlockStart | undefined {
  const opcodeAt = (at: number): number => trace.steps?.opcode[steps[at] ?? 0] ?? 0;
  for (let at = index; at >= 0; at -= 1) {
    if (opcodeAt(at) === OPCODE.jumpTarget) return { index: at, source: at, isJumpTarget: true };
    if (at > 0 && opcodeAt(at - 1) === OPCODE.jumpIf) return { index: at, source: at - 1, isJumpTarget: false };
  }
  return undefined;
}

/** Returns whether the straight code at an instruction ends the frame: compilers merge such code. */
export function endsFrame({ trace }: DebugFrame, { steps }: FunctionCalls, index: number): boolean {
  for (let at = index; at < steps.length; at += 1) {
    const opcode = trace.steps?.opcode[steps[at] ?? 0] ?? 0;
    if (opcode === OPCODE.jump || opcode === OPCODE.jumpIf) return false;
    if (at > index && opcode === OPCODE.jumpTarget) return false;
  }
  return true;
}

/** Instructions that run other code, or that end or begin straight code. */
const CALLS: ReadonlySet<number> = new Set([
  ...[OPCODE.call, OPCODE.callCode, OPCODE.delegateCall, OPCODE.staticCall, OPCODE.callToken],
  ...[OPCODE.create, OPCODE.create2],
]);
const JUMPS: ReadonlySet<number> = new Set([OPCODE.jump, OPCODE.jumpIf, OPCODE.jumpTarget]);
const REVERTS: ReadonlySet<number> = new Set([OPCODE.revert, OPCODE.invalid]);

/** Steps around an instruction whose writes the optimizer may have moved. */
export interface UnorderedSteps extends StepRange {
  /** True if it may have left out writes, because the frame fails at the end of these steps. */
  readonly isUndone: boolean;
}

/**
 * Returns the steps of a frame around an instruction between which an optimizer may move or leave out writes; undefined
 * if it was off. The optimizer of the intermediate language moves them between calls, the other one within straight code.
 */
export function unorderedSteps(frame: DebugFrame, step: number): UnorderedSteps | undefined {
  const { trace, code } = frame;
  if (code === undefined || code.compiled.isUnoptimized) return undefined;
  const steps = runIndex(trace).stepsOf(frame.frame);
  const index = indexOfStep(steps, step);
  if (index < 0) return undefined;
  const opcodeAt = (at: number): number => trace.steps?.opcode[steps[at] ?? 0] ?? 0;
  const { isViaIr } = code.compiled;
  const isBoundary = (opcode: number): boolean => CALLS.has(opcode) || (!isViaIr && JUMPS.has(opcode));
  let from = index;
  while (from > 0 && !isBoundary(opcodeAt(from - 1))) from -= 1;
  let to = index;
  while (to < steps.length - 1 && !isBoundary(opcodeAt(to))) to += 1;
  return {
    from: steps[from] ?? step,
    to: (steps[to] ?? step) + 1,
    isUndone: isViaIr && REVERTS.has(opcodeAt(to)),
  };
}
