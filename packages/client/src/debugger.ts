export {
  type BreakpointOptions,
  Breakpoints,
  type DataBreakpoint,
  type FailureFilters,
  type FunctionBreakpoint,
  type LineBreakpoint,
  type ResolvedBreakpoint,
} from "./debugger/breakpoints.ts";
export {
  DebugSession,
  type Evaluated,
  type SessionServices,
  type SourceRange,
  type StackFrame,
  type Stop,
} from "./debugger/debug-session.ts";
export { machineAt, memoryBefore } from "./debugger/machine-values.ts";
export { MOST_INSTRUCTIONS, RecordedRun } from "./debugger/recorded-run.ts";
export type { RunFailure } from "./debugger/run-failures.ts";
export type { Granularity, StepKind } from "./debugger/stepping.ts";
