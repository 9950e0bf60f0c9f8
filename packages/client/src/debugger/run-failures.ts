import type { Trace } from "@finality/tron/traces";
import { failureOf } from "../traces/failure-kind.ts";
import { forwards } from "../traces/trace-sites.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** Failure that begins in a frame: callers that only forward it have none of their own. */
export interface RunFailure {
  readonly frame: number;
  /** Last instruction of the frame. */
  readonly step: number;
  /** True if a calling frame went on. */
  readonly isCaught: boolean;
  readonly kind: "revert" | "panic" | "error" | "halt";
  /** Names of the custom errors that it can be. */
  readonly names: readonly string[];
}

/** Returns the failures of a run in the order of its instructions. */
export function failuresOf(run: RecordedRun): readonly RunFailure[] {
  const { trace, count } = run;
  const last = new Int32Array(trace.frames.length).fill(-1);
  for (let step = 0; step < count; step += 1) last[trace.steps?.frame[step] ?? 0] = step;
  const lastChild = new Map<number, number>();
  for (const [index, { parent }] of trace.frames.entries()) if (parent !== undefined) lastChild.set(parent, index);
  const failures = trace.frames.flatMap((frame, index): readonly RunFailure[] => {
    const step = last[index] ?? -1;
    if (frame.outcome === "returned" || frame.outcome === "cancelled" || step < 0) return [];
    // The record ends before the frame does.
    if (run.isCut && step === count - 1) return [];
    const child = lastChild.get(index);
    const called = child === undefined ? undefined : trace.frames[child];
    if (child !== undefined && called !== undefined && (last[child] ?? -1) >= 0 && forwards(trace, index, called))
      return [];
    return [{ frame: index, step, isCaught: isCaught(trace, index), ...kindOf(run, index, step) }];
  });
  return [...failures].sort((a, b) => a.step - b.step);
}

function isCaught({ frames }: Trace, index: number): boolean {
  for (let at = frames[index]?.parent; at !== undefined; at = frames[at]?.parent)
    if (frames[at]?.outcome === "returned") return true;
  return false;
}

function kindOf(run: RecordedRun, index: number, step: number): Pick<RunFailure, "kind" | "names"> {
  const { trace } = run;
  const frame = trace.frames[index];
  if (frame === undefined) return { kind: "halt", names: [] };
  const failure = failureOf(frame, trace.steps?.opcode[step], run.codeOf(index)?.compiled.abi ?? []);
  if (failure.kind === "panic" || failure.kind === "invalid") return { kind: "panic", names: [] };
  if (failure.kind === "forced") return { kind: "halt", names: [] };
  return failure.kind === "error" ? { kind: "error", names: failure.names ?? [] } : { kind: "revert", names: [] };
}
