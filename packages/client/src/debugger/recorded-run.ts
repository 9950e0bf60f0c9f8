import type { Trace, TraceFrame } from "@finality/tron/traces";
import type { CodeSources, TraceSources } from "../traces/code-sources.ts";
import { OPCODE } from "../traces/frame-run.ts";
import { sharedSteps } from "../traces/shared-code.ts";
import type { FunctionDefinition } from "../traces/source-outline.ts";
import { sourcesOfFrame } from "../traces/trace-sites.ts";
import { lineSources } from "../traces/trace-tree-sources.ts";
import { type Statement, StatementIndex } from "./statements.ts";

/** Most instructions that the debugger reads. The rest of a longer run is left out. */
export const MOST_INSTRUCTIONS = 200_000;

/** Code that calls run in: the code that begins a frame, or a function that it calls inside of the frame. */
export interface RunCall {
  /** Index of the calling one; -1 for the outermost. */
  readonly parent: number;
  /** Index of the frame in the trace. */
  readonly frame: number;
  /** First instruction. */
  readonly entry: number;
  /** Instruction that called it; -1 for the outermost. */
  readonly caller: number;
  /** Absent for the code that begins a frame, and for functions that the compiler adds. */
  readonly definition?: FunctionDefinition;
  /** Index of the call that the user sees: a function of the compiler belongs to its caller. */
  readonly shown: number;
}

const NONE = -1;

/** Instructions of a recorded run with their statements and calls. An instruction is named by its number, from 0. */
export class RecordedRun {
  readonly trace: Trace;
  readonly sources: TraceSources;
  /** Number of instructions. */
  readonly count: number;
  readonly calls: RunCall[] = [];
  readonly index = new StatementIndex();
  /** Statements that ran, by number. */
  readonly statements: Statement[] = [];
  /** Number of the statement of each instruction; -1 if it has none. */
  readonly statementOf: Int32Array;
  /** 1 where a statement begins. */
  readonly isStart: Uint8Array;
  /** Instruction where the newest statement of the same shown call began; -1 if none did. */
  readonly started: Int32Array;
  /** Index of the shown call of each instruction. */
  readonly callOf: Int32Array;

  /** @param trace - with its instructions */
  constructor(trace: Trace, sources: TraceSources) {
    this.trace = trace;
    this.sources = sources;
    this.count = Math.min(trace.steps?.pc.length ?? 0, MOST_INSTRUCTIONS);
    this.statementOf = new Int32Array(this.count).fill(NONE);
    this.isStart = new Uint8Array(this.count);
    this.started = new Int32Array(this.count).fill(NONE);
    this.callOf = new Int32Array(this.count);
    const numbers = statementNumbers(this);
    const walk = new RunWalk(this);
    for (let step = 0; step < this.count; step += 1) walk.add(step, numbers[step] ?? NONE);
  }

  /** True if the run has more instructions than the debugger reads. */
  get isCut(): boolean {
    return this.trace.instructions > this.count;
  }

  /** True if an instruction of the run has a statement. */
  get hasSources(): boolean {
    return this.statements.length > 0;
  }

  frameAt(step: number): TraceFrame | undefined {
    return this.trace.frames[this.trace.steps?.frame[step] ?? NONE];
  }

  pcAt(step: number): number {
    return this.trace.steps?.pc[step] ?? 0;
  }

  /** Returns the sources of the code of a frame; undefined if no compiled contract has it. */
  codeOf(frame: number): CodeSources | undefined {
    const found = this.trace.frames[frame];
    return found && sourcesOfFrame(this.trace, found, this.sources);
  }

  /** Returns the statement that runs at an instruction; undefined if none of its call began. */
  statementAt(step: number): Statement | undefined {
    const start = this.started[step] ?? NONE;
    return start < 0 ? undefined : this.statements[this.statementOf[start] ?? NONE];
  }

  /** Returns true if a call is `other` or leads to it. */
  leadsTo(call: number, other: number): boolean {
    let at = other;
    while (at > call) at = this.shownParent(at);
    return at === call;
  }

  /** Returns the shown call that made a shown call; -1 for the outermost. */
  shownParent(call: number): number {
    const parent = this.calls[call]?.parent ?? NONE;
    return parent < 0 ? NONE : (this.calls[parent]?.shown ?? NONE);
  }
}

/** Returns the statement number of each instruction. Merged code of an optimizer has none if its line did not run. */
function statementNumbers(run: RecordedRun): Int32Array {
  const { trace, sources, count, statements, index } = run;
  const numbers = new Int32Array(count).fill(NONE);
  const known = new Map<Statement, number>();
  const byCode = new Map<number, Int32Array>();
  const shared = sharedSteps(trace, lineSources(trace, sources));
  const numberOf = (code: CodeSources, pc: number): number => {
    const statement = index.statementOf(code.sourceAt(pc));
    if (statement === undefined) return NONE;
    const number = known.get(statement) ?? statements.push(statement) - 1;
    known.set(statement, number);
    return number;
  };
  const codes = trace.frames.map((_, frame) => run.codeOf(frame));
  for (let step = 0; step < count; step += 1) {
    if (shared[step] === 1) continue;
    const frame = trace.steps?.frame[step] ?? NONE;
    const code = codes[frame];
    if (code === undefined) continue;
    const key = trace.frames[frame]?.code ?? NONE;
    let ofCode = byCode.get(key);
    if (ofCode === undefined) {
      ofCode = new Int32Array(trace.codes[key] === undefined ? 0 : trace.codes[key].bytes.length / 2).fill(NONE - 1);
      byCode.set(key, ofCode);
    }
    const pc = run.pcAt(step);
    const number = ofCode[pc] ?? NONE;
    numbers[step] = number < NONE ? numberOf(code, pc) : number;
    ofCode[pc] = numbers[step] ?? NONE;
  }
  return numbers;
}

/** Newest statement of a shown call. */
interface OpenStatement {
  statement: number;
  start: number;
  pc: number;
  /** Statements that began since the newest jump back, with which a loop begins its body again. */
  readonly begun: Set<number>;
}

/** Walk over the instructions that finds calls and beginnings of statements. */
class RunWalk {
  readonly #run: RecordedRun;
  /** Current call of each frame. */
  readonly #current: number[] = [];
  readonly #open: OpenStatement[] = [];
  readonly #codes: (CodeSources | undefined)[];
  /** Jump into a function that the next instruction of a frame begins. */
  readonly #entering: (number | undefined)[] = [];
  /** Program counter of the jump before the next instruction of a frame, unless it enters or leaves a function. */
  readonly #jumped: (number | undefined)[] = [];

  constructor(run: RecordedRun) {
    this.#run = run;
    this.#codes = run.trace.frames.map((_, frame) => run.codeOf(frame));
  }

  add(step: number, statement: number): void {
    const run = this.#run;
    const frame = run.trace.steps?.frame[step] ?? 0;
    const call = this.#callAt(step, frame);
    const shown = run.calls[call]?.shown ?? call;
    run.callOf[step] = shown;
    run.statementOf[step] = statement;
    const open = this.#openOf(shown);
    if (this.#jumpsBack(step, frame)) open.begun.clear();
    if (statement >= 0 && this.#begins(step, shown, statement)) {
      run.isStart[step] = 1;
      Object.assign(open, { statement, start: step, pc: run.pcAt(step) });
      open.begun.add(statement);
    }
    run.started[step] = open.start;
    this.#leave(step, frame, call);
  }

  #openOf(call: number): OpenStatement {
    const open = this.#open[call] ?? { statement: NONE, start: NONE, pc: NONE, begun: new Set<number>() };
    this.#open[call] = open;
    return open;
  }

  /** Returns true if a statement begins. Optimizers mix instructions of statements: going on with one is no beginning. */
  #begins(step: number, call: number, statement: number): boolean {
    const open = this.#openOf(call);
    if (open.statement === statement) return open.pc === this.#run.pcAt(step);
    const { definition } = this.#run.calls[call] ?? {};
    const isOwn = definition !== undefined && this.#run.statements[statement]?.definition === definition;
    return !isOwn || !open.begun.has(statement);
  }

  #jumpsBack(step: number, frame: number): boolean {
    const from = this.#jumped[frame];
    this.#jumped[frame] = undefined;
    const { opcode } = this.#run.trace.steps ?? {};
    return from !== undefined && opcode?.[step] === OPCODE.jumpTarget && this.#run.pcAt(step) < from;
  }

  #callAt(step: number, frame: number): number {
    const { calls, trace } = this.#run;
    const known = this.#current[frame];
    if (known === undefined) {
      const { parent, callStep = NONE } = trace.frames[frame] ?? {};
      const calling = parent === undefined ? NONE : (this.#current[parent] ?? NONE);
      return this.#push({ parent: calling, frame, entry: step, caller: callStep, shown: calls.length });
    }
    const jump = this.#entering[frame];
    if (jump === undefined) return known;
    this.#entering[frame] = undefined;
    const source = this.#codes[frame]?.sourceAt(this.#run.pcAt(step));
    const definition = source?.kind === "function" ? source.definition : undefined;
    const shown = definition === undefined ? (calls[known]?.shown ?? known) : calls.length;
    return this.#push({ parent: known, frame, entry: step, caller: jump, shown, ...(definition && { definition }) });
  }

  #push(call: RunCall): number {
    const index = this.#run.calls.push(call) - 1;
    this.#current[call.frame] = index;
    return index;
  }

  /** Follows the jumps into functions and out of them, as the compiler marks them. */
  #leave(step: number, frame: number, call: number): void {
    const run = this.#run;
    const code = this.#codes[frame];
    const opcode = run.trace.steps?.opcode[step];
    if (opcode === OPCODE.jumpIf) this.#jumped[frame] = run.pcAt(step);
    if (opcode !== OPCODE.jump || code === undefined) return;
    const { jump } = code.instructions.range(Math.max(code.instructions.indexAt(run.pcAt(step)), 0));
    if (jump === "-") this.#jumped[frame] = run.pcAt(step);
    if (jump === "i") this.#entering[frame] = step;
    const { parent = NONE } = run.calls[call] ?? {};
    if (jump === "o" && parent >= 0 && run.calls[parent]?.frame === frame) this.#current[frame] = parent;
  }
}
