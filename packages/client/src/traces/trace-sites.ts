import type { Trace, TraceFrame } from "@finality/tron/traces";
import { type CodeSources, locationOf, type SourceLocation, type TraceSources } from "./code-sources.ts";
import { failureAtEntry } from "./entry-failure.ts";
import { type Failure, failureOf } from "./failure-kind.ts";
import type { FailurePointKind } from "./failure-points.ts";
import { activationsOf, type FrameRun, frameRun, OPCODE } from "./frame-run.ts";
import { locateFailure } from "./locate-failure.ts";

/**
 * Construct that failed. `value`: a function that accepts no coins received some. `arguments`: the call data do not
 * match the parameters. `no-function`: the contract has no function with this selector. `forced`: the machine ended the
 * frame.
 */
export type FailureCause = FailurePointKind | "value" | "arguments" | "no-function" | "forced";

/** Line of the stack of a failure, innermost first. */
export interface TraceSite {
  /** Index of the frame. */
  readonly frame: number;
  /** Name of the contract whose code ran; absent without sources. */
  readonly contract?: string;
  /** Absent if the source map does not decide it. */
  readonly location?: SourceLocation;
}

/** Failure of a run, by frames and functions. */
export interface TraceSites {
  /** Frame in which the failure began. */
  readonly frame: number;
  /** Place where it was thrown; absent if it is unknown. */
  readonly thrown?: SourceLocation;
  readonly cause?: FailureCause;
  /** From the failing frame to the outermost one. */
  readonly stack: readonly TraceSite[];
}

/**
 * Returns where a failed run failed, and the calls that led there. Undefined for a run that succeeded. A line that the
 * source maps do not decide has no location.
 */
export function traceSites(trace: Trace, sources: TraceSources): TraceSites | undefined {
  const origin = originOf(trace);
  const frame = trace.frames[origin];
  if (frame === undefined || frame.outcome === "returned") return undefined;
  const code = sourcesOfFrame(trace, frame, sources);
  const run = frameRun(trace, origin);
  const failed = code && failureIn(frame, run, code);
  const stack: TraceSite[] = [...siteLines(origin, code, run, failed)];
  let below = frame;
  while (below.parent !== undefined) {
    const { parent, callPc } = below;
    const caller = trace.frames[parent];
    if (caller === undefined) break;
    const callerCode = sourcesOfFrame(trace, caller, sources);
    const called = callerCode && callSite(trace, parent, callPc, callerCode);
    stack.push(...siteLines(parent, callerCode, called?.run, called));
    below = caller;
  }
  return {
    frame: origin,
    ...(failed?.location && { thrown: failed.location }),
    ...(failed?.cause && { cause: failed.cause }),
    stack,
  };
}

/** Returns where one frame failed; undefined if it did not fail, or if the source map does not decide it. */
export function failedAt(trace: Trace, index: number, sources: TraceSources): SourceLocation | undefined {
  const frame = trace.frames[index];
  if (frame === undefined || frame.outcome === "returned" || frame.outcome === "cancelled") return undefined;
  const code = sourcesOfFrame(trace, frame, sources);
  return code && failureIn(frame, frameRun(trace, index), code).location;
}

/** Returns the sources of the code of a frame; undefined if no compiled contract has it. */
export function sourcesOfFrame(trace: Trace, frame: TraceFrame, sources: TraceSources): CodeSources | undefined {
  const code = frame.code === undefined ? undefined : trace.codes[frame.code];
  const isCreation = frame.kind === "create" || frame.kind === "create2";
  return code && sources.find(code.bytes, isCreation ? "creation" : "runtime");
}

/** Returns the frame in which a failure began: callers that forward the failure of a callee are passed over. */
function originOf(trace: Trace): number {
  const { frames } = trace;
  const lastChild = new Map<number, number>();
  for (const [index, { parent }] of frames.entries()) if (parent !== undefined) lastChild.set(parent, index);
  let origin = 0;
  for (;;) {
    const child = lastChild.get(origin);
    const frame = frames[origin];
    const called = child === undefined ? undefined : frames[child];
    if (child === undefined || frame === undefined || called === undefined || !forwards(trace, origin, called))
      return origin;
    origin = child;
  }
}

/** Returns whether a frame ended with the failure of its last callee. */
export function forwards(trace: Trace, index: number, called: TraceFrame): boolean {
  const frame = trace.frames[index];
  if (frame === undefined || called.outcome === "returned" || called.outcome === "cancelled") return false;
  if (called.isPrecompile) return false;
  // A forced end of a callee can end all frames at once.
  if (frame.outcome === "halted") return called.outcome === "halted" && frame.lastPc === called.callPc;
  if (frame.output !== called.output) return false;
  return frame.output !== "" || revertsWithAnswer(frameRun(trace, index), called.callPc);
}

/** Returns whether the code after a call reverts with the data that the callee returned, even if there are none. */
function revertsWithAnswer(run: FrameRun | undefined, callPc: number | undefined): boolean {
  if (run === undefined || callPc === undefined || run.opcodes[run.count - 1] !== OPCODE.revert) return false;
  const call = lastStepAt(run, callPc);
  const after = run.opcodes.subarray(call + 1, run.count);
  const decision = after.lastIndexOf(OPCODE.jumpIf);
  const end = after.subarray(decision + 1);
  const copies = after.includes(OPCODE.returnDataCopy);
  // A minimal proxy decides after it has read the size.
  return copies && (end.includes(OPCODE.returnDataSize) || end.length === 1);
}

interface LocatedStep {
  readonly location?: SourceLocation;
  readonly cause?: FailureCause;
  /** Index of the run whose calls of functions lead there. */
  readonly step: number;
}

function failureIn(frame: TraceFrame, run: FrameRun | undefined, code: CodeSources): LocatedStep {
  if (run === undefined) return { step: -1 };
  const step = run.count - 1;
  const failure = failureOf(frame, run.opcodes[step], code.compiled.abi);
  const atEntry = failure.kind === "empty" ? failureAtEntry(frame, run, code) : undefined;
  if (atEntry !== undefined) return { ...atEntry, step };
  const found = locateFailure(frame, run, code, failure);
  if (found === undefined) return { step };
  return { location: locationOf(found.file, found.range), cause: found.point?.kind ?? causeOf(failure), step };
}

function causeOf(failure: Failure): FailureCause {
  return failure.kind === "invalid" ? "assembly" : "forced";
}

/** Finds the call that started a frame in its caller. */
function callSite(
  trace: Trace,
  caller: number,
  pc: number | undefined,
  code: CodeSources,
): (LocatedStep & { readonly run: FrameRun | undefined }) | undefined {
  if (pc === undefined) return undefined;
  const run = frameRun(trace, caller);
  const location = code.locationAt(pc);
  const found = code.sourceAt(pc).kind === "expression" && location !== undefined ? { location } : {};
  return { ...found, run, step: run === undefined ? -1 : lastStepAt(run, pc) };
}

function lastStepAt({ counters, count }: FrameRun, pc: number): number {
  let step = count - 1;
  while (step >= 0 && counters[step] !== pc) step -= 1;
  return step;
}

/** Returns the line of a step, and those of the calls of functions that lead to it, as far as the map shows them. */
function siteLines(
  frame: number,
  code: CodeSources | undefined,
  run: FrameRun | undefined,
  located: LocatedStep | undefined,
): readonly TraceSite[] {
  const named = code === undefined ? { frame } : { frame, contract: code.compiled.contract };
  const first = located?.location === undefined ? named : { ...named, location: located.location };
  if (code === undefined || run === undefined || located?.location === undefined) return [first];
  const lines: TraceSite[] = [first];
  let activation = activationsOf(run, code, located.step)[located.step];
  while (activation !== undefined && activation.jump >= 0) {
    const entered = code.sourceAt(run.counters[activation.entry] ?? 0);
    const calling = code.sourceAt(run.counters[activation.jump] ?? 0);
    const isCall =
      entered.kind === "function" && calling.kind === "expression" && run.opcodes[activation.jump] === OPCODE.jump;
    if (isCall && calling.definition !== undefined)
      lines.push({ ...named, location: locationOf(calling.file, calling.range) });
    activation = activation.caller;
  }
  return lines;
}

/** Returns a line of a stack: `Vault.withdraw (contracts/Vault.sol:41)`; only the contract if the line is unknown. */
export function siteText({ contract, location }: TraceSite): string {
  if (location === undefined) return contract ?? "";
  const name = location.function ?? contract ?? "";
  return `${name} (${location.path}:${location.start.line + 1})`;
}
