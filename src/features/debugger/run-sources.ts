import type { Breakpoints, ResolvedBreakpoint, SourceRange, StackFrame } from "@finality/client/debugger";
import { sourcesOfFrame } from "@finality/client/traces";
import { visibleLine } from "@finality/tron/primitives";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { t } from "@vscode/l10n";
import { addressOf, listingOf } from "./code-listing.ts";
import type { Debuggee } from "./debuggee.ts";

/** Numbers of texts that the adapter has: first the source files, then the codes. */
const FIRST_CODE = 1_000_000;

type Statement = NonNullable<ResolvedBreakpoint["statement"]>;

/** Source files of a run, as the editor names them. */
export class RunSources {
  readonly #debuggee: Debuggee;
  /** Compiler's names, in the order of their numbers. */
  readonly #names: readonly string[];
  readonly #byPath: ReadonlyMap<string, string>;

  constructor(debuggee: Debuggee) {
    this.#debuggee = debuggee;
    this.#names = [...debuggee.files.keys()];
    this.#byPath = new Map(
      [...debuggee.files].flatMap(([name, { path }]) =>
        path === undefined ? [] : [[comparable(path), name] as const],
      ),
    );
  }

  setBreakpoints(
    breakpoints: Breakpoints,
    source: DebugProtocol.Source,
    lines: readonly DebugProtocol.SourceBreakpoint[],
  ): DebugProtocol.Breakpoint[] {
    const name = this.#nameOf(source);
    if (name === undefined)
      return lines.map(({ line }) => ({ verified: false, line, message: this.#problemOf(source) }));
    const requested = lines.map(({ line, column: _, ...options }) => ({ ...options, line: line - 1 }));
    return breakpoints.setLines(name, requested).map((it, index) => {
      const { line = 1 } = lines[index] ?? {};
      return { line, ...this.breakpointOf(it) };
    });
  }

  breakpointOf({ id, statement, problem }: ResolvedBreakpoint): DebugProtocol.Breakpoint {
    const range = statement && { line: statement.first.line + 1, endLine: statement.last.line + 1 };
    if (problem === undefined) return { id, verified: true, ...range };
    return { id, verified: false, message: problemText(problem), ...range };
  }

  /** Returns the statement of a line from 0. */
  statementAt(source: DebugProtocol.Source, line: number): Statement | undefined {
    const name = this.#nameOf(source);
    const { run } = this.#debuggee;
    const file = run.sources.files().find(({ path }) => path === name);
    const statements = file === undefined ? [] : run.index.statementsIn(file);
    return statements.find(({ first, last }) => first.line <= line && line <= last.line);
  }

  stackFrameOf(frame: StackFrame, id: number): DebugProtocol.StackFrame {
    const { run } = this.#debuggee;
    const { code } = run.trace.frames[run.calls[frame.call]?.frame ?? -1] ?? {};
    const pc = run.pcAt(frame.step);
    const kind = frame.kind === "delegate" ? " (delegatecall)" : frame.kind === "static" ? " (staticcall)" : "";
    return {
      id,
      name: `${visibleLine(frame.name, 200)}${kind}`,
      ...(frame.location === undefined ? this.#codeLocation(code, pc) : this.#sourceLocation(frame.location)),
      canRestart: true,
      ...(code !== undefined && { instructionPointerReference: addressOf(code, pc) }),
    };
  }

  /** Returns the source of an instruction, for the disassembly view. */
  locationOf(code: number, pc: number): Partial<DebugProtocol.DisassembledInstruction> {
    const { run } = this.#debuggee;
    const frame = run.trace.frames.find((it) => it.code === code);
    const found = frame && sourcesOfFrame(run.trace, frame, run.sources)?.locationAt(pc);
    if (found === undefined) return {};
    const { source, line, column, endLine, endColumn } = this.#sourceLocation({
      path: found.path,
      first: found.start,
      last: found.end,
    });
    return {
      ...(source && { location: source }),
      line,
      column,
      ...(endLine !== undefined && { endLine }),
      ...(endColumn !== undefined && { endColumn }),
    };
  }

  /** @throws {Error} the adapter has no such text */
  contentOf(reference: number): string {
    const name = this.#names[reference - 1];
    const file = name === undefined ? undefined : this.#debuggee.files.get(name);
    if (file !== undefined) return file.text;
    if (reference < FIRST_CODE) throw new Error(t`The run has no such source.`);
    return listingOf(this.#debuggee.run, reference - FIRST_CODE).text;
  }

  #sourceLocation({ path, first, last }: SourceRange): Omit<DebugProtocol.StackFrame, "id" | "name"> {
    const file = this.#debuggee.files.get(path);
    const name = visibleLine(path.split("/").at(-1) ?? path, 100);
    const source =
      file?.path === undefined
        ? { name, sourceReference: this.#names.indexOf(path) + 1, origin: t`as compiled: the file on disk differs` }
        : { name, path: file.path };
    return {
      source,
      line: first.line + 1,
      column: first.column + 1,
      endLine: last.line + 1,
      endColumn: last.column + 1,
    };
  }

  /** Code without sources is shown as its instructions. */
  #codeLocation(code: number | undefined, pc: number): Omit<DebugProtocol.StackFrame, "id" | "name"> {
    if (code === undefined) return { line: 0, column: 0 };
    const line = listingOf(this.#debuggee.run, code).indexAt(pc) + 1;
    const { hash = "" } = this.#debuggee.run.trace.codes[code] ?? {};
    const name = t`Code ${hash.slice(0, 8)} without sources`;
    return { source: { name, sourceReference: FIRST_CODE + code }, line, column: 1 };
  }

  #nameOf({ path, sourceReference = 0 }: DebugProtocol.Source): string | undefined {
    if (sourceReference > 0) return this.#names[sourceReference - 1];
    return path === undefined ? undefined : this.#byPath.get(comparable(path));
  }

  #problemOf({ path }: DebugProtocol.Source): string {
    return path !== undefined && this.#debuggee.differing.has(comparable(path))
      ? t`The source differs: this file was changed after it was compiled.`
      : t`No contract of this run was compiled from this file.`;
  }
}

/** Windows compares paths without case. */
export function comparable(path: string): string {
  return process.platform === "win32" ? path.toLowerCase() : path;
}

function problemText(problem: NonNullable<ResolvedBreakpoint["problem"]>): string {
  switch (problem) {
    case "no-code":
      return t`No statement is at this line or below it.`;
    case "hit-condition":
      return t`Write a hit count as 3, >= 3, > 3, < 3 or % 3.`;
    case "no-function":
      return t`No contract of this run has this function.`;
  }
}
