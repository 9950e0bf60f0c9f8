import { MOST_INSTRUCTIONS, machineAt, RecordedRun, type StackFrame } from "@finality/client/debugger";
import { type DebugScope, type DebugValue, evaluate, scopesAt } from "@finality/client/debugger-values";
import { contractText, failureText, type TraceNames, type TraceSources } from "@finality/client/traces";
import { ChainError } from "@finality/tron/errors";
import { counted, grouped } from "@finality/tron/format";
import type { Trace, TraceFrame } from "@finality/tron/traces";
import { t } from "@vscode/l10n";

/** Source file of the run in the editor. */
export interface EditorSource {
  /** Path on the disk; absent if the file is missing, or is no longer the one that was compiled. */
  readonly path?: string;
  /** Compiled text. */
  readonly text: string;
}

/** Recorded run with its names and files. */
export interface Debuggee {
  /** `Leaf.transfer`, or the beginning of the txID. */
  readonly title: string;
  readonly run: RecordedRun;
  contractName(frame: TraceFrame): string;
  /** Returns the decoded reason of the failure of a frame. */
  failureText(frame: TraceFrame): string;
  /** Source files by the compiler's name. */
  readonly files: ReadonlyMap<string, EditorSource>;
  /** Files of the disk whose text is not the compiled one. */
  readonly differing: ReadonlySet<string>;
  /** Printed when the session begins. */
  readonly notes: readonly string[];
  scopes(frame: StackFrame): readonly DebugScope[];
  evaluate(expression: string, frame: StackFrame): DebugValue | { readonly error: string };
}

/** Run with what was read about it. */
interface ReadRun {
  readonly title: string;
  readonly trace: Trace;
  readonly sources: TraceSources;
  readonly names: TraceNames;
  readonly files: Debuggee["files"];
  readonly differing: Debuggee["differing"];
  readonly notes: readonly string[];
}

/** Creates what the adapter debugs. */
export function createDebuggee({ trace, sources, names, notes, ...rest }: ReadRun): Debuggee {
  const run = new RecordedRun(trace, sources);
  return {
    ...rest,
    run,
    notes: [...notes, ...(run.isCut ? [cutNote(trace)] : [])],
    contractName: (frame) => contractText(frame.codeAddress, names),
    failureText: (frame) => failureText(frame, names),
    scopes: ({ call, step }) => {
      const frame = run.calls[call]?.frame ?? -1;
      return [...scopesAt({ trace, frame, code: run.codeOf(frame) }, step), machineScope(run, step)];
    },
    evaluate: (expression, { call, step }) => {
      const frame = run.calls[call]?.frame ?? -1;
      const value = evaluate(expression, scopesAt({ trace, frame, code: run.codeOf(frame) }, step));
      if (value instanceof ChainError) return { error: value.message };
      return value.notAvailable === undefined ? value : { error: value.text };
    },
  };
}

function cutNote({ instructions }: Trace): string {
  const all = counted(instructions, t`instruction`, t`instructions`);
  return t`The run has ${all}. The debugger has the first ${grouped(MOST_INSTRUCTIONS)}, and stops after them.`;
}

function machineScope(run: RecordedRun, step: number): DebugScope {
  return {
    kind: "global",
    name: t`Machine`,
    variables: () => {
      const { pc, opcode, stack, memorySize } = machineAt(run, step);
      const words = stack.map((text, at) => ({ name: `[${at}]`, type: "bytes32", text }));
      return [
        { name: "pc", type: "uint256", text: `0x${pc.toString(16)} ${opcode}` },
        { name: "stack", type: "bytes32[]", text: counted(stack.length, t`word`, t`words`), children: () => words },
        { name: "memory", type: "bytes", text: counted(memorySize, t`byte`, t`bytes`), memory: 0 },
      ];
    },
  };
}
