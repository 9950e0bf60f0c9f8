import type { RecordedRun } from "./recorded-run.ts";

/** Unit of a step. */
export type Granularity = "statement" | "instruction";

/** Kind of a step. `back` is the step before, without the code that it called. */
export type StepKind = "over" | "in" | "out" | "back";

/** Returns the instruction where a step ends; undefined if the run ends first, or begins after it. */
export function stepTarget(
  run: RecordedRun,
  from: number,
  kind: StepKind,
  granularity: Granularity,
): number | undefined {
  const isFine = granularity === "instruction" || !run.hasSources;
  switch (kind) {
    case "over":
      return isFine ? nextInstruction(run, from) : nextStatement(run, from);
    case "in":
      return isFine ? within(run, from + 1) : entered(run, from);
    case "out":
      return isFine ? leftFrame(run, from) : leftCall(run, from);
    case "back":
      return isFine ? previousInstruction(run, from) : previousStatement(run, from);
  }
}

function within(run: RecordedRun, step: number): number | undefined {
  return step >= 0 && step < run.count ? step : undefined;
}

/** Returns true for an instruction of a calling function with a statement: the called one has returned. */
function hasReturned(run: RecordedRun, call: number, step: number): boolean {
  const at = run.callOf[step] ?? -1;
  return at < call && (run.statementOf[step] ?? -1) >= 0 && run.leadsTo(at, call);
}

function nextStatement(run: RecordedRun, from: number): number | undefined {
  const call = run.callOf[from] ?? -1;
  for (let step = from + 1; step < run.count; step += 1) {
    if (run.callOf[step] === call ? run.isStart[step] === 1 : hasReturned(run, call, step)) return step;
  }
  return undefined;
}

function entered(run: RecordedRun, from: number): number | undefined {
  const call = run.callOf[from] ?? -1;
  for (let step = from + 1; step < run.count; step += 1)
    if (run.isStart[step] === 1 || hasReturned(run, call, step)) return step;
  return undefined;
}

function leftCall(run: RecordedRun, from: number): number | undefined {
  const call = run.callOf[from] ?? -1;
  for (let step = from + 1; step < run.count; step += 1) if (hasReturned(run, call, step)) return step;
  return undefined;
}

function previousStatement(run: RecordedRun, from: number): number | undefined {
  const call = run.callOf[from] ?? -1;
  // The code that selects a function has no statements: the step goes back into the function.
  const isBetween = run.statementAt(from) === undefined;
  for (let step = from - 1; step >= 0; step -= 1) {
    const at = run.callOf[step] ?? -1;
    if (run.isStart[step] === 1 && (isBetween || at === call || run.leadsTo(at, call))) return step;
  }
  return undefined;
}

/** Frames are numbered in the order of their start, so a called frame has a larger number. */
function nextInstruction(run: RecordedRun, from: number): number | undefined {
  return frameStep(run, from, 1);
}

function previousInstruction(run: RecordedRun, from: number): number | undefined {
  return frameStep(run, from, -1);
}

/** Returns the next instruction of the same frame or of a calling one. */
function frameStep(run: RecordedRun, from: number, by: 1 | -1): number | undefined {
  const frames = run.trace.steps?.frame ?? new Uint32Array();
  const depth = run.frameAt(from)?.depth ?? 0;
  for (let step = from + by; step >= 0 && step < run.count; step += by)
    if (frames[step] === frames[from] || (run.frameAt(step)?.depth ?? 0) < depth) return step;
  return undefined;
}

function leftFrame(run: RecordedRun, from: number): number | undefined {
  const depth = run.frameAt(from)?.depth ?? 0;
  for (let step = from + 1; step < run.count; step += 1) if ((run.frameAt(step)?.depth ?? 0) < depth) return step;
  return undefined;
}
