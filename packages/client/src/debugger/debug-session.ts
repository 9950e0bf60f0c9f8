import type { TraceFrame } from "@finality/tron/traces";
import type { SourcePosition } from "../traces/source-text.ts";
import { failedAt } from "../traces/trace-sites.ts";
import { type BreakpointHit, Breakpoints, type ConditionResult } from "./breakpoints.ts";
import { type ConsoleMessage, consoleMessages } from "./console-log.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { RunFailure } from "./run-failures.ts";
import type { Statement } from "./statements.ts";
import { type Granularity, type StepKind, stepTarget } from "./stepping.ts";
import { WrittenVariables } from "./written-variables.ts";

/** Range of a source file, as the compiler names it. */
export interface SourceRange {
  readonly path: string;
  readonly first: SourcePosition;
  readonly last: SourcePosition;
}

/** Line of the call stack. */
export interface StackFrame {
  /** Shown call. */
  readonly call: number;
  /** Instruction that runs in it. */
  readonly step: number;
  /** `Leaf.transfer`, or the name of the contract if no function is known. */
  readonly name: string;
  readonly kind: TraceFrame["kind"];
  /** Absent for code without sources. */
  readonly location?: SourceRange;
}

/** Reason why the run is stopped. */
export type Stop =
  | { readonly kind: "entry" | "step" | "goto" }
  | BreakpointHit
  /** The first or the last instruction of the record. */
  | { readonly kind: "start" | "end" };

/** Result of an expression: its text and its type, or the reason why it has none. */
export type Evaluated = { readonly text: string; readonly type: string } | { readonly error: string };

/** Services of a session. */
export interface SessionServices {
  /** Name of the contract whose code runs in a frame. */
  readonly contractName: (frame: TraceFrame) => string;
  /** Evaluates an expression in a line of the call stack. */
  readonly evaluate: (expression: string, frame: StackFrame) => Evaluated;
  /** Prints a message of a contract or a breakpoint. */
  readonly print: (text: string, frame: StackFrame | undefined) => void;
}

/** Position in a recorded run, and the commands that move it. */
export class DebugSession {
  readonly run: RecordedRun;
  readonly breakpoints: Breakpoints;
  readonly variables: WrittenVariables;
  readonly #services: SessionServices;
  readonly #messages: readonly ConsoleMessage[];
  /** Number of printed messages: each is printed once. */
  #printed = 0;
  #position = 0;
  #stop: Stop = { kind: "entry" };
  readonly #failedAt = new Map<RunFailure, SourceRange | undefined>();

  constructor(run: RecordedRun, services: SessionServices) {
    this.run = run;
    this.variables = new WrittenVariables(run);
    this.#services = services;
    this.#messages = consoleMessages(run.trace);
    this.breakpoints = new Breakpoints(run, this.variables, {
      isTrue: (expression, step) => this.#isTrue(expression, step),
      print: (message, step) => services.print(this.#logText(message, step), this.stackAt(step)[0]),
      failed: (_, error) => services.print(error, undefined),
    });
  }

  /** Instruction that runs next. */
  get position(): number {
    return this.#position;
  }

  get stop(): Stop {
    return this.#stop;
  }

  /**
   * Moves to where the session begins: the first breakpoint or failure. Without one, or on request, it is the first
   * statement.
   */
  start(stopOnEntry: boolean | undefined): Stop {
    const first = this.run.isStart.indexOf(1);
    const entry = Math.max(first, 0);
    if (stopOnEntry === true) return this.#moveTo(entry, { kind: "entry" });
    const hit = this.#nextHit(-1);
    if (hit !== undefined) return this.#moveTo(hit.step, hit.stop);
    if (stopOnEntry === false) return this.#moveTo(this.#last, { kind: "end" });
    return this.#moveTo(entry, { kind: "entry" });
  }

  /** Moves one step. A breakpoint or a failure on the way stops it. */
  step(kind: StepKind, granularity: Granularity): Stop {
    const target = stepTarget(this.run, this.#position, kind, granularity);
    if (kind === "back") {
      if (target === undefined) return this.#moveTo(this.#first, { kind: "start" });
      const hit = this.#previousHit(this.#position, target);
      return hit === undefined ? this.#moveTo(target, { kind: "step" }) : this.#moveTo(hit.step, hit.stop);
    }
    const hit = this.#nextHit(this.#position, target);
    if (hit !== undefined) return this.#moveTo(hit.step, hit.stop);
    return target === undefined ? this.#moveTo(this.#last, { kind: "end" }) : this.#moveTo(target, { kind: "step" });
  }

  /** Moves to the next breakpoint or failure, or to the end of the record. */
  continue(): Stop {
    const hit = this.#nextHit(this.#position);
    return hit === undefined ? this.#moveTo(this.#last, { kind: "end" }) : this.#moveTo(hit.step, hit.stop);
  }

  /** Moves to the breakpoint or failure before, or to the start of the record. */
  reverseContinue(): Stop {
    const hit = this.#previousHit(this.#position);
    return hit === undefined ? this.#moveTo(this.#first, { kind: "start" }) : this.#moveTo(hit.step, hit.stop);
  }

  /** Moves to the first statement of a call of the stack. */
  restartFrame({ call }: StackFrame): Stop {
    const { run } = this;
    const entry = run.calls[call]?.entry ?? 0;
    let step = entry;
    while (step < run.count && !(run.callOf[step] === call && run.isStart[step] === 1)) step += 1;
    return this.#moveTo(step < run.count ? step : entry, { kind: "goto" });
  }

  /** Returns the instruction where a statement runs next; else where it ran last. Undefined if it never ran. */
  stepOf(statement: Statement): number | undefined {
    const { run } = this;
    const number = run.statements.indexOf(statement);
    const isThere = (step: number): boolean => run.isStart[step] === 1 && run.statementOf[step] === number;
    if (number < 0) return undefined;
    for (let step = this.#position + 1; step < run.count; step += 1) if (isThere(step)) return step;
    for (let step = this.#position; step >= 0; step -= 1) if (isThere(step)) return step;
    return undefined;
  }

  goTo(step: number): Stop {
    return this.#moveTo(step, { kind: "goto" });
  }

  /** Returns the call stack, the innermost call first. */
  stack(): readonly StackFrame[] {
    const stop = this.#stop;
    const stack = this.stackAt(this.#position);
    if (stop.kind !== "failure") return stack;
    const location = this.#locationOf(stop.failure);
    const [top, ...rest] = stack;
    return top === undefined || location === undefined ? stack : [{ ...top, location }, ...rest];
  }

  /** Returns the call stack at an instruction. */
  stackAt(step: number): readonly StackFrame[] {
    const { run } = this;
    const stack: StackFrame[] = [];
    let at = step;
    let call = run.callOf[at] ?? -1;
    while (call >= 0) {
      const { frame = -1, caller = -1, definition } = run.calls[call] ?? {};
      const statement = run.statementAt(at);
      const isDispatch = statement === undefined && definition === undefined;
      // The code that selects a function is not shown below it.
      if (stack.length === 0 || !isDispatch || run.calls[stack.at(-1)?.call ?? -1]?.frame !== frame)
        stack.push(...this.#linesOf(call, at));
      at = caller;
      call = run.shownParent(call);
    }
    return stack;
  }

  /** Returns the lines of a call: with that of a modifier, or of a function that the compiler put into another one. */
  #linesOf(call: number, step: number): readonly StackFrame[] {
    const { run } = this;
    const { frame = -1, definition } = run.calls[call] ?? {};
    const traced = run.trace.frames[frame];
    if (traced === undefined) return [];
    const statement = run.statementAt(step);
    const contract = this.#services.contractName(traced);
    const nameOf = (it: Statement["definition"]): string => (it === undefined ? contract : functionName(it));
    const own = { call, step, kind: traced.kind };
    const line = {
      ...own,
      name: nameOf(statement?.definition ?? definition),
      ...(statement && { location: rangeOf(statement) }),
    };
    const isOther =
      statement?.definition !== undefined && definition !== undefined && statement.definition !== definition;
    const file = isOther ? this.#fileOf(definition) : undefined;
    if (!isOther || file === undefined) return [line];
    const first = file.source.positionAt(definition.start);
    return [line, { ...own, name: nameOf(definition), location: { path: file.path, first, last: first } }];
  }

  #fileOf(definition: Statement["definition"]) {
    return this.run.sources.files().find(({ outline }) => definition && outline.functions.includes(definition));
  }

  #locationOf(failure: RunFailure): SourceRange | undefined {
    if (!this.#failedAt.has(failure)) {
      const found = failedAt(this.run.trace, failure.frame, this.run.sources);
      this.#failedAt.set(failure, found && { path: found.path, first: found.start, last: found.end });
    }
    return this.#failedAt.get(failure);
  }

  get #first(): number {
    return this.run.hasSources ? Math.max(this.run.isStart.indexOf(1), 0) : 0;
  }

  get #last(): number {
    return Math.max(this.run.count - 1, 0);
  }

  #nextHit(from: number, until = this.run.count): { readonly step: number; readonly stop: Stop } | undefined {
    for (let step = from + 1; step < Math.min(until + 1, this.run.count); step += 1) {
      const stop = this.breakpoints.hitAt(step, "forwards");
      if (stop !== undefined) return { step, stop };
    }
    return undefined;
  }

  #previousHit(from: number, until = 0): { readonly step: number; readonly stop: Stop } | undefined {
    for (let step = from - 1; step >= until; step -= 1) {
      const stop = this.breakpoints.hitAt(step, "backwards");
      if (stop !== undefined) return { step, stop };
    }
    return undefined;
  }

  #moveTo(step: number, stop: Stop): Stop {
    this.#position = step;
    this.#stop = stop;
    for (let next = this.#messages[this.#printed]; next !== undefined; next = this.#messages[this.#printed]) {
      // The last instruction has run at the end of the record.
      if (next.step >= step && stop.kind !== "end") break;
      this.#printed += 1;
      this.#services.print(next.text, next.step < this.run.count ? this.stackAt(next.step)[0] : undefined);
    }
    return stop;
  }

  #isTrue(expression: string, step: number): ConditionResult {
    const [top] = this.stackAt(step);
    if (top === undefined) return { isTrue: false };
    const result = this.#services.evaluate(expression, top);
    return "error" in result ? result : { isTrue: result.text === "true" };
  }

  /** Replaces the expressions in braces of a log message by their values. */
  #logText(message: string, step: number): string {
    const [top] = this.stackAt(step);
    if (top === undefined) return message;
    return message.replace(/\{([^{}]+)\}/g, (_, expression: string) => {
      const result = this.#services.evaluate(expression, top);
      return "error" in result ? `<${result.error}>` : result.text;
    });
  }
}

function rangeOf({ file, first, last }: Statement): SourceRange {
  return { path: file.path, first, last };
}

function functionName({ contract, kind, name }: NonNullable<Statement["definition"]>): string {
  const own = name === "" ? kind : name;
  return contract === undefined ? own : `${contract}.${own}`;
}
