import type { RecordedRun } from "./recorded-run.ts";
import { failuresOf, type RunFailure } from "./run-failures.ts";
import type { Statement } from "./statements.ts";
import type { WrittenVariables } from "./written-variables.ts";

/** Options of a breakpoint, as the user wrote them. */
export interface BreakpointOptions {
  /** Expression that has to be true. */
  readonly condition?: string;
  /** `3`, `>= 3`, `> 3`, `== 3` or `% 3`. */
  readonly hitCondition?: string;
  /** Text to print instead of a stop, with expressions in braces. */
  readonly logMessage?: string;
}

/** Breakpoint of a line, from 0. */
export interface LineBreakpoint extends BreakpointOptions {
  readonly line: number;
}

/** Watched variable of storage, as `WrittenVariables` names it; members and entries belong to it. */
export interface DataBreakpoint extends BreakpointOptions {
  readonly key: string;
}

export interface FunctionBreakpoint extends BreakpointOptions {
  /** `transfer` or `Leaf.transfer`. */
  readonly name: string;
}

/** Failures that stop the run. */
export interface FailureFilters {
  readonly uncaught: boolean;
  /** Also failures that a caller catches. */
  readonly reverts: boolean;
  readonly panics: boolean;
  /** Names of custom errors. */
  readonly errors: readonly string[];
}

/** Breakpoint as it was found in the code. */
export interface ResolvedBreakpoint {
  readonly id: number;
  /** Absent if no code is there. */
  readonly statement?: Statement;
  /** Reason why it cannot stop the run. */
  readonly problem?: "no-code" | "hit-condition" | "no-function";
}

/** Reason why the run stops at an instruction. */
export type BreakpointHit =
  | { readonly kind: "breakpoint" | "function" | "instruction" | "data"; readonly ids: readonly number[] }
  | { readonly kind: "failure"; readonly failure: RunFailure };

interface SetBreakpoint extends BreakpointOptions {
  readonly id: number;
  readonly kind: "breakpoint" | "function" | "data";
  readonly passes: (hits: number) => boolean;
}

/** Result of a condition: its value, or the reason why it has none. */
export type ConditionResult = { readonly isTrue: boolean } | { readonly error: string };

/** Services of conditions and log messages. */
export interface BreakpointServices {
  readonly isTrue: (expression: string, step: number) => ConditionResult;
  readonly print: (message: string, step: number) => void;
  /** Called once for each breakpoint whose condition has no value. */
  readonly failed: (id: number, error: string) => void;
}

/** Breakpoints of a run. They depend on the instruction alone, so both directions stop at the same ones. */
export class Breakpoints {
  readonly #run: RecordedRun;
  readonly #variables: WrittenVariables;
  readonly #services: BreakpointServices;
  readonly #lines = new Map<string, Map<Statement, SetBreakpoint[]>>();
  #functions: (SetBreakpoint & { readonly name: string })[] = [];
  #filters: FailureFilters = { uncaught: true, reverts: false, panics: false, errors: [] };
  /** By the instruction after the write. */
  #data = new Map<number, readonly SetBreakpoint[]>();
  #instructions = new Map<string, number>();
  readonly #reported = new Set<number>();
  readonly #hits = new WeakMap<SetBreakpoint, Uint32Array>();
  readonly failures: readonly RunFailure[];
  readonly #failureAt: ReadonlyMap<number, RunFailure>;
  #next = 1;

  constructor(run: RecordedRun, variables: WrittenVariables, services: BreakpointServices) {
    this.#run = run;
    this.#variables = variables;
    this.#services = services;
    this.failures = failuresOf(run);
    this.#failureAt = new Map(this.failures.map((it) => [it.step, it]));
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0 && this.#functions.length === 0;
  }

  /** Replaces the breakpoints of a source file. @param path - as the compiler names it */
  setLines(path: string, lines: readonly LineBreakpoint[]): readonly ResolvedBreakpoint[] {
    const file = this.#run.sources.files().find((it) => it.path === path);
    const statements = file === undefined ? [] : this.#run.index.statementsIn(file);
    const set = new Map<Statement, SetBreakpoint[]>();
    const resolved = lines.map(({ line, ...options }): ResolvedBreakpoint => {
      const id = this.#next++;
      const statement = statementAtLine(statements, line);
      if (statement === undefined) return { id, problem: "no-code" };
      const passes = hitTest(options.hitCondition);
      if (passes === undefined) return { id, statement, problem: "hit-condition" };
      set.set(statement, [...(set.get(statement) ?? []), { id, kind: "breakpoint", passes, ...options }]);
      return { id, statement };
    });
    if (set.size === 0) this.#lines.delete(path);
    else this.#lines.set(path, set);
    return resolved;
  }

  setFunctions(functions: readonly FunctionBreakpoint[]): readonly ResolvedBreakpoint[] {
    this.#functions = [];
    return functions.map(({ name, ...options }): ResolvedBreakpoint => {
      const id = this.#next++;
      const passes = hitTest(options.hitCondition);
      if (passes === undefined) return { id, problem: "hit-condition" };
      this.#functions.push({ id, kind: "function", passes, name: name.trim().replace(/\(.*$/, ""), ...options });
      const isKnown = this.#run.sources
        .files()
        .some(({ outline }) => outline.functions.some((it) => isNamed(it, name.trim().replace(/\(.*$/, ""))));
      return isKnown ? { id } : { id, problem: "no-function" };
    });
  }

  setFilters(filters: FailureFilters): void {
    this.#filters = filters;
  }

  /** Replaces the watched variables of storage. The run stops after the instruction that writes one. */
  setVariables(variables: readonly DataBreakpoint[]): readonly ResolvedBreakpoint[] {
    this.#data = new Map();
    return variables.map(({ key, ...options }): ResolvedBreakpoint => {
      const id = this.#next++;
      const passes = hitTest(options.hitCondition);
      if (passes === undefined) return { id, problem: "hit-condition" };
      const breakpoint = { id, kind: "data", passes, ...options } as const;
      for (const write of this.#variables.writesOf(key))
        this.#data.set(write + 1, [...(this.#data.get(write + 1) ?? []), breakpoint]);
      return { id };
    });
  }

  /** Replaces the breakpoints at instructions, each `code index:program counter`. */
  setInstructions(addresses: readonly string[]): readonly ResolvedBreakpoint[] {
    this.#instructions = new Map();
    return addresses.map((address) => {
      const id = this.#next++;
      this.#instructions.set(address, id);
      return { id };
    });
  }

  /** Returns why the run stops at an instruction; undefined if it goes on. Log messages are printed forwards only. */
  hitAt(step: number, direction: "forwards" | "backwards"): BreakpointHit | undefined {
    const failure = this.#failureAt.get(step);
    if (failure !== undefined && this.#stopsAt(failure)) return { kind: "failure", failure };
    const hits = this.#setAt(step).filter((it) => this.#isHit(it, step));
    if (direction === "forwards")
      for (const { logMessage } of hits) if (logMessage !== undefined) this.#services.print(logMessage, step);
    const stopping = hits.filter(({ logMessage }) => logMessage === undefined);
    const kind = stopping.find((it) => it.kind === "data")?.kind ?? stopping[0]?.kind;
    if (kind !== undefined) return { kind, ids: stopping.map(({ id }) => id) };
    const instruction = this.#instructionAt(step);
    return instruction === undefined ? undefined : { kind: "instruction", ids: [instruction] };
  }

  #stopsAt({ isCaught, kind, names }: RunFailure): boolean {
    const { uncaught, reverts, panics, errors } = this.#filters;
    if (uncaught && !isCaught) return true;
    if (kind === "panic") return panics;
    return reverts || (kind === "error" && names.some((it) => errors.includes(it)));
  }

  #instructionAt(step: number): number | undefined {
    if (this.#instructions.size === 0) return undefined;
    return this.#instructions.get(`${this.#run.frameAt(step)?.code ?? -1}:${this.#run.pcAt(step)}`);
  }

  /** Returns the breakpoints of a statement that begins, and of the write before an instruction. */
  #setAt(step: number): readonly SetBreakpoint[] {
    const data = this.#data.get(step) ?? [];
    const statement = this.#run.statements[this.#run.statementOf[step] ?? -1];
    if (statement === undefined || this.#run.isStart[step] !== 1) return data;
    const ofLine = this.#lines.get(statement.file.path)?.get(statement) ?? [];
    if (this.#functions.length === 0 || !isFirstStart(this.#run, step))
      return data.length === 0 ? ofLine : [...data, ...ofLine];
    const definition = this.#run.calls[this.#run.callOf[step] ?? -1]?.definition ?? statement.definition;
    const ofFunction = definition === undefined ? [] : this.#functions.filter(({ name }) => isNamed(definition, name));
    return [...data, ...ofLine, ...ofFunction];
  }

  #isHit(breakpoint: SetBreakpoint, step: number): boolean {
    if (!this.#isTrue(breakpoint, step)) return false;
    if (breakpoint.hitCondition === undefined || breakpoint.hitCondition.trim() === "") return true;
    return breakpoint.passes(this.#hitsOf(breakpoint).indexOf(step) + 1);
  }

  /** Returns the instructions at which the condition of a breakpoint is true, found once. */
  #hitsOf(breakpoint: SetBreakpoint): Uint32Array {
    const known = this.#hits.get(breakpoint);
    if (known !== undefined) return known;
    const steps: number[] = [];
    for (let at = 0; at < this.#run.count; at += 1)
      if (this.#setAt(at).includes(breakpoint) && this.#isTrue(breakpoint, at)) steps.push(at);
    const hits = Uint32Array.from(steps);
    this.#hits.set(breakpoint, hits);
    return hits;
  }

  /** A condition without a value stops the run, so that the user sees the reason. */
  #isTrue({ id, condition }: SetBreakpoint, step: number): boolean {
    if (condition === undefined || condition.trim() === "") return true;
    const result = this.#services.isTrue(condition, step);
    if ("isTrue" in result) return result.isTrue;
    if (!this.#reported.has(id)) this.#services.failed(id, result.error);
    this.#reported.add(id);
    return true;
  }
}

/** Returns the statement of a line: one that begins there, the simple one around it, or the next one below. */
function statementAtLine(statements: readonly Statement[], line: number): Statement | undefined {
  const exact = statements.find(({ first }) => first.line === line);
  if (exact !== undefined) return exact;
  const around = statements.find(({ first, last }) => first.line < line && line <= last.line);
  return around ?? statements.find(({ first }) => first.line > line);
}

/** Returns true for the first statement of a call that begins. */
function isFirstStart(run: RecordedRun, step: number): boolean {
  const call = run.callOf[step] ?? -1;
  const entry = run.calls[call]?.entry ?? step;
  for (let at = entry; at < step; at += 1) if (run.callOf[at] === call && run.isStart[at] === 1) return false;
  return true;
}

function isNamed(
  { kind, name, contract }: { readonly kind: string; readonly name: string; readonly contract?: string },
  expected: string,
): boolean {
  const own = name === "" ? kind : name;
  return expected === own || expected === `${contract ?? ""}.${own}`;
}

const HIT_CONDITION = /^(>=|<=|==|=|>|<|%)?\s*(\d{1,9})$/;

/** Returns the test of a number of hits; undefined for other text. */
function hitTest(text: string | undefined): ((hits: number) => boolean) | undefined {
  if (text === undefined || text.trim() === "") return () => true;
  const [, operator = "==", digits = ""] = HIT_CONDITION.exec(text.trim()) ?? [];
  if (digits === "") return undefined;
  const value = Number(digits);
  if (operator === "%" && value === 0) return undefined;
  const tests: { readonly [operator: string]: (hits: number) => boolean } = {
    ">=": (hits) => hits >= value,
    "<=": (hits) => hits <= value,
    ">": (hits) => hits > value,
    "<": (hits) => hits < value,
    "%": (hits) => hits % value === 0,
  };
  return tests[operator] ?? ((hits) => hits === value);
}
