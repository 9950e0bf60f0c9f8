import type { CodeCoverage } from "@finality/tron/traces";
import type { CodeSources, SourceFile } from "./code-sources.ts";
import { failureCode, jumpTarget } from "./code-walk.ts";
import { type CoverageBranch, type CoverageStatement, type FunctionPoints, functionPoints } from "./coverage-points.ts";
import { OPCODE } from "./frame-run.ts";
import type { ByteRange } from "./source-outline.ts";

/** Counts of a statement. */
interface StatementCount {
  /** Number of executions. */
  entered: number;
  /** Number of executions of its last instruction: it did not revert or return. */
  completed: number;
  /** True if a code that ran has instructions of it. */
  hasCode: boolean;
}

/** Statements and branches of a function, with their counts. */
export interface FunctionCount extends FunctionPoints {
  /** Executions of its entry; undefined if no code that ran has instructions of it. */
  entered: number | undefined;
  readonly counts: readonly StatementCount[];
  readonly outcomes: readonly OutcomeCount[];
}

/** Counts of both outcomes of a branch. */
interface OutcomeCount {
  first: number;
  second: number;
  /** True if a code that ran has the instruction that decides. */
  hasCode: boolean;
  /** False if it is not known which of the two counts is the first outcome. */
  isOrdered: boolean;
}

/** Instruction of a statement, or of a whole function. */
interface MappedInstruction {
  readonly function: FunctionCount;
  /** -1 for the entry and exit of the function, and the arguments of its modifiers. */
  readonly statement: number;
  readonly range: ByteRange;
}

/** Counts of the functions of source files, summed over the codes that ran. */
export class CoverageCounts {
  readonly #files = new Map<SourceFile, readonly FunctionCount[]>();

  /** Returns the functions of a file that have code, in source order. */
  functions(file: SourceFile): readonly FunctionCount[] {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const functions = file.outline.functions.filter(({ body }) => body !== undefined).map((it) => countOf(file, it));
    this.#files.set(file, functions);
    return functions;
  }

  /** Adds the executions of a code. */
  add(coverage: CodeCoverage, code: CodeSources): void {
    const run = new CodeRun(coverage, code);
    const own = Array.from({ length: code.instructions.count }, (_, index) => this.#mapped(code, index));
    // The target of a conditional jump can be that of a `break` or `continue`, which is not reached then.
    const mapped = own.map((it, index) => (run.isConditional(index + 1) ? own[index + 1] : it));
    addStatements(run, mapped);
    addBranches(run, mapped, (index) => own[index - 1]?.range);
    addModifiers(run, mapped);
  }

  #mapped(code: CodeSources, index: number): MappedInstruction | undefined {
    const source = code.sourceAt(code.instructions.counters[index] ?? -1);
    if (source.kind === "none" || source.definition === undefined) return undefined;
    const found = this.functions(source.file).find(({ definition }) => definition === source.definition);
    if (found === undefined) return undefined;
    return { function: found, statement: innermost(found.statements, source.range), range: source.range };
  }
}

function countOf(file: SourceFile, definition: SourceFile["outline"]["functions"][number]): FunctionCount {
  const points = functionPoints(file.source, definition);
  return {
    ...points,
    entered: undefined,
    counts: points.statements.map(() => ({ entered: 0, completed: 0, hasCode: false })),
    outcomes: points.branches.map(() => ({ first: 0, second: 0, hasCode: false, isOrdered: true })),
  };
}

/** Returns the innermost statement that contains a range; -1 if there is none. */
function innermost(statements: readonly CoverageStatement[], range: ByteRange): number {
  let found = -1;
  for (const [index, statement] of statements.entries()) {
    if (statement.start > range.start) break;
    if (range.end <= statement.end) found = index;
  }
  return found;
}

/** Executions of the instructions of a code, by their number. */
class CodeRun {
  readonly code: CodeSources;
  readonly hits: Uint32Array;
  /** Taken jumps by instruction. */
  readonly #taken = new Map<number, number>();
  readonly #truths = new Map<number, number>();

  constructor({ pcs, counts, jumps, truths }: CodeCoverage, code: CodeSources) {
    const { instructions } = code;
    this.code = code;
    this.hits = new Uint32Array(instructions.count);
    for (const [at, pc] of pcs.entries()) {
      const index = instructions.indexAt(pc);
      if (index >= 0) this.hits[index] = counts[at] ?? 0;
    }
    for (let at = 0; at < jumps.length; at += 3) {
      const from = instructions.indexAt(jumps[at] ?? -1);
      this.#taken.set(from, (this.#taken.get(from) ?? 0) + (jumps[at + 2] ?? 0));
    }
    for (let at = 0; at < truths.length; at += 2)
      this.#truths.set(instructions.indexAt(truths[at] ?? -1), truths[at + 1] ?? 0);
  }

  hit(index: number): number {
    return this.hits[index] ?? 0;
  }

  taken(index: number): number {
    return this.#taken.get(index) ?? 0;
  }

  /** Returns how often a jump target was reached with a true value. */
  truthsAfter(index: number): number {
    return this.#truths.get(jumpTarget(this.code, index) ?? -1) ?? 0;
  }

  isConditional(index: number): boolean {
    return this.code.instructions.opcodes[index] === OPCODE.jumpIf;
  }
}

/** Adds the executions of statements: those of the first instruction of each copy of their code. */
function addStatements(run: CodeRun, mapped: readonly (MappedInstruction | undefined)[]): void {
  let open: { readonly function: FunctionCount; readonly statement: number }[] = [];
  let last = -1;
  const close = (count: number): void => {
    for (const { function: owner, statement } of open.splice(count)) {
      const counts = owner.counts[statement];
      if (counts !== undefined) counts.completed += run.hit(last);
    }
  };
  for (const [index, instruction] of mapped.entries()) {
    if (instruction === undefined) continue;
    const path = pathOf(instruction);
    let same = 0;
    while (same < path.length && isSame(open[same], path[same])) same += 1;
    close(same);
    for (const entered of path.slice(same)) {
      const counts = entered.function.counts[entered.statement];
      if (counts !== undefined) {
        counts.entered += run.hit(index);
        counts.hasCode = true;
      }
    }
    for (const { function: owner, statement } of path) {
      const counts = owner.counts[statement];
      if (counts?.entered === 0 && run.hit(index) > 0) counts.entered = run.hit(index);
    }
    if (isWhole(instruction))
      instruction.function.entered = Math.max(instruction.function.entered ?? 0, run.hit(index));
    open = [...path];
    last = index;
  }
  close(0);
}

function isSame(
  one: { readonly function: FunctionCount; readonly statement: number } | undefined,
  other: { readonly function: FunctionCount; readonly statement: number } | undefined,
): boolean {
  return one?.function === other?.function && one?.statement === other?.statement;
}

/** Returns the statements that contain an instruction, the outermost first. */
function pathOf({ function: owner, statement }: MappedInstruction) {
  const path: { readonly function: FunctionCount; readonly statement: number }[] = [];
  for (let at = statement; at >= 0; at = owner.statements[at]?.parent ?? -1)
    path.unshift({ function: owner, statement: at });
  return path;
}

/** Adds the outcomes of branches. */
function addBranches(
  run: CodeRun,
  mapped: readonly (MappedInstruction | undefined)[],
  targetOf: (index: number) => ByteRange | undefined,
): void {
  let decided = new Set<OutcomeCount>();
  let last: MappedInstruction | undefined;
  for (const [index, instruction] of mapped.entries()) {
    if (instruction === undefined) continue;
    const { function: owner, statement, range } = instruction;
    if (owner !== last?.function || statement !== last.statement) decided = new Set();
    for (const [at, branch] of owner.branches.entries()) {
      const outcome = owner.outcomes[at];
      if (outcome === undefined || branch.statement !== statement || branch.kind === "modifier") continue;
      if (branch.kind === "ternary") addValue(run.hit(index), [range, last?.range], branch, outcome);
      // The encoding of a reason can have conditional jumps too.
      else if (run.isConditional(index) && decides(range, branch) && !decided.has(outcome)) {
        decided.add(outcome);
        const target = targetOf(index);
        const body = owner.statements[owner.statements[statement]?.body ?? -1];
        const jumpsToBody = target !== undefined && body !== undefined && isIn(target, body);
        addDecision(run, index, decisionOf(run, index, branch, jumpsToBody), outcome);
      }
    }
    last = instruction;
  }
}

/** Returns whether a jump with this range decides a branch. */
function decides(range: ByteRange, { kind, start, end }: CoverageBranch): boolean {
  return range.start === start && (kind !== "or" || range.end === end);
}

/** Kind of a branch. An inverted `if` jumps to its body, a failing `require` jumps to its failure. */
type DecisionKind = CoverageBranch["kind"] | "inverted" | "failing";

function decisionOf(run: CodeRun, index: number, { kind }: CoverageBranch, jumpsToBody: boolean): DecisionKind {
  if (kind === "if" && jumpsToBody) return "inverted";
  if (kind !== "require" || failureCode(run.code, index + 1) !== undefined) return kind;
  const target = jumpTarget(run.code, index);
  return target !== undefined && failureCode(run.code, target) !== undefined ? "failing" : kind;
}

function addDecision(run: CodeRun, index: number, kind: DecisionKind, outcome: OutcomeCount): void {
  const taken = run.taken(index);
  const passed = run.hit(index) - taken;
  outcome.hasCode = true;
  outcome.isOrdered &&= kind !== "if" || !run.code.compiled.isViaIr;
  // The code of an `if` follows its jump; a `require` that passes and a true left operand jump.
  const jumps = kind !== "if" && kind !== "failing";
  outcome.first += jumps ? taken : passed;
  outcome.second += !jumps ? taken : kind === "or" ? Math.max(0, run.truthsAfter(index) - taken) : passed;
}

/** Adds the executions of a value of `c ? a : b` if an instruction begins it. */
function addValue(
  hits: number,
  [range, before]: readonly [ByteRange, ByteRange | undefined],
  { arms: [first, second] }: CoverageBranch,
  outcome: OutcomeCount,
): void {
  const begins = (arm: ByteRange): boolean => isIn(range, arm) && !(before !== undefined && isIn(before, arm));
  outcome.hasCode ||= begins(first) || begins(second);
  if (begins(first)) outcome.first += hits;
  if (begins(second)) outcome.second += hits;
}

function isIn(range: ByteRange, { start, end }: ByteRange): boolean {
  return start <= range.start && range.end <= end;
}

/** Adds how often the modifiers of functions passed, from the order of their code between entry and body. */
function addModifiers(run: CodeRun, mapped: readonly (MappedInstruction | undefined)[]): void {
  const listed = mapped.flatMap((instruction, index) => (instruction === undefined ? [] : [{ ...instruction, index }]));
  for (const [at, { function: owner, index }] of listed.entries()) {
    const next = listed[at + 1];
    if (!isWhole(listed[at]) || next === undefined || (isWhole(next) && next.function === owner)) continue;
    const end = listed.findIndex((it, later) => later > at && isWhole(it) && it.function !== owner);
    const region = listed.slice(at + 1, end < 0 ? listed.length : end);
    let before = run.hit(index);
    let from = 0;
    for (const [number, branch] of owner.branches.entries()) {
      const outcome = owner.outcomes[number];
      if (branch.kind !== "modifier" || outcome === undefined) continue;
      const start = region.findIndex((it, later) => later >= from && isModifier(it, branch.name));
      const passed = region.findIndex((it, later) => later > start && !isModifier(it, branch.name));
      const entry = region[passed];
      if (start < 0 || entry === undefined) break;
      const count = Math.min(before, run.hit(entry.index));
      outcome.first += count;
      outcome.second += before - count;
      outcome.hasCode = true;
      before = count;
      from = passed;
    }
  }
}

/** Returns whether an instruction belongs to the entry or the exit of its function. */
function isWhole(instruction: MappedInstruction | undefined): boolean {
  if (instruction === undefined) return false;
  const { range, function: owner } = instruction;
  return range.start === owner.definition.start && range.end === owner.definition.end;
}

function isModifier({ function: owner }: MappedInstruction, name: string): boolean {
  return owner.definition.kind === "modifier" && owner.definition.name === name;
}
