import { isToken, type SourceTokens } from "../call-sites/source-tokens.ts";
import { stepOver } from "../call-sites/source-value.ts";
import { contains, type InstructionSource, type SourceFile } from "../traces/code-sources.ts";
import { type CoverageStatement, functionPoints } from "../traces/coverage-points.ts";
import { tokenAt } from "../traces/failure-points.ts";
import type { ByteRange, FunctionDefinition } from "../traces/source-outline.ts";
import type { SourcePosition } from "../traces/source-text.ts";

/** Unit of stepping: a simple statement, the head of a compound one, or a line of assembly. */
export interface Statement extends ByteRange {
  readonly file: SourceFile;
  /** Absent for a variable of the contract: its initial value, or its getter. */
  readonly definition?: FunctionDefinition;
  readonly first: SourcePosition;
  readonly last: SourcePosition;
}

/** Range of a function that can be a statement. `lines`: each line in it is one. */
interface StatementRange extends ByteRange {
  readonly kind: "one" | "lines";
}

/** Statements of source files. The same range gives the same object. */
export class StatementIndex {
  readonly #ranges = new Map<FunctionDefinition, readonly StatementRange[]>();
  readonly #known = new Map<SourceFile, Map<number, Statement>>();

  /** Returns the statement of an instruction; undefined for the entry and exit of a function and for added code. */
  statementOf(source: InstructionSource): Statement | undefined {
    if (source.kind !== "expression") return undefined;
    const { file, range, definition } = source;
    if (definition === undefined) return this.#statement(file, range, undefined);
    const found = smallestAround(this.#rangesOf(file, definition), range);
    if (found === undefined || (found.kind === "lines" && range.start === found.start)) return undefined;
    return this.#statement(file, found.kind === "one" ? found : lineIn(file, found, range.start), definition);
  }

  /** Returns every statement of the functions of a file, in source order. */
  statementsIn(file: SourceFile): readonly Statement[] {
    const all = file.outline.functions.flatMap((definition) =>
      this.#rangesOf(file, definition).flatMap((range) =>
        range.kind === "one" ? [this.#statement(file, range, definition)] : this.#linesOf(file, range, definition),
      ),
    );
    return all.sort((a, b) => a.start - b.start || a.end - b.end);
  }

  #linesOf(file: SourceFile, range: StatementRange, definition: FunctionDefinition): readonly Statement[] {
    const { starts, count } = file.source.tokens();
    const found = new Set<Statement>();
    const head = lineIn(file, range, range.start);
    for (let at = tokenAt(file.source.tokens(), head.end); at < count; at += 1) {
      const start = starts[at] ?? range.end;
      if (start >= range.end - 1) break;
      found.add(this.#statement(file, lineIn(file, range, start), definition));
    }
    return [...found];
  }

  #rangesOf(file: SourceFile, definition: FunctionDefinition): readonly StatementRange[] {
    const known = this.#ranges.get(definition);
    if (known !== undefined) return known;
    const tokens = file.source.tokens();
    const ranges = functionPoints(file.source, definition).statements.flatMap((it) => rangesOf(tokens, it));
    this.#ranges.set(definition, ranges);
    return ranges;
  }

  #statement(file: SourceFile, { start, end }: ByteRange, definition: FunctionDefinition | undefined): Statement {
    const ofFile = this.#known.get(file) ?? new Map<number, Statement>();
    this.#known.set(file, ofFile);
    const known = ofFile.get(start);
    if (known !== undefined) return known;
    const { source } = file;
    const [first, last] = [source.positionAt(start), source.positionAt(end)];
    const statement = { file, start, end, first, last, ...(definition && { definition }) };
    ofFile.set(start, statement);
    return statement;
  }
}

/** Returns the ranges of a statement that run by themselves: a head without the statements in it. */
function rangesOf(tokens: SourceTokens, statement: CoverageStatement): readonly StatementRange[] {
  const { kind, start, end } = statement;
  const at = tokenAt(tokens, start);
  switch (kind) {
    case "simple":
      return [{ kind: "one", start, end }];
    case "if":
      return [one(tokens, at, closerOf(tokens, at + 1))];
    case "loop":
      return loopRanges(tokens, at, end);
    case "try":
      return [one(tokens, at, tryEnd(tokens, at, end))];
    case "assembly":
      return [{ kind: "lines", start, end }];
    case "block":
    case "placeholder":
      return [];
  }
}

/** `for` has three parts, `while` its condition, and `do` the condition at its end. */
function loopRanges(tokens: SourceTokens, at: number, end: number): readonly StatementRange[] {
  if (isToken(tokens, at, "while")) return [one(tokens, at, closerOf(tokens, at + 1))];
  if (isToken(tokens, at, "do")) {
    const last = tokenAt(tokens, end) - 1;
    let first = last;
    while (first > at && !isToken(tokens, first, "while")) first -= 1;
    return first > at ? [one(tokens, first, last)] : [];
  }
  const closer = closerOf(tokens, at + 1);
  const ranges: StatementRange[] = [];
  let from = at + 2;
  for (let next = from; next <= closer; next = next === closer ? closer + 1 : stepOver(tokens, next)) {
    if (next !== closer && !isToken(tokens, next, ";")) continue;
    if (next > from) ranges.push(one(tokens, from, next - 1));
    from = next + 1;
  }
  return ranges;
}

/** Returns the last token of the call of a `try`: that before its block. */
function tryEnd(tokens: SourceTokens, at: number, end: number): number {
  let next = at + 1;
  // Call options are braces too: `try a.f{value: 1}() {`.
  while ((tokens.starts[next] ?? end) < end) {
    if (isToken(tokens, next, "{") && !isToken(tokens, stepOver(tokens, next), "(")) break;
    next = stepOver(tokens, next);
  }
  return next - 1;
}

function one({ starts, ends }: SourceTokens, first: number, last: number): StatementRange {
  return { kind: "one", start: starts[first] ?? 0, end: ends[last] ?? 0 };
}

function closerOf(tokens: SourceTokens, opener: number): number {
  const closer = tokens.partners[opener] ?? -1;
  return closer < 0 ? tokens.count - 1 : closer;
}

function smallestAround(ranges: readonly StatementRange[], range: ByteRange): StatementRange | undefined {
  let smallest: StatementRange | undefined;
  for (const it of ranges) {
    if (!contains(it, range)) continue;
    if (smallest === undefined || it.end - it.start < smallest.end - smallest.start) smallest = it;
  }
  return smallest;
}

const LINE_FEED = "\n";
const BLANK = /\s/;

/** Returns the text of the line at a byte, without blanks around it, as far as it is in a range. */
function lineIn({ source }: SourceFile, { start, end }: ByteRange, at: number): ByteRange {
  const text = source.slice(start, end);
  let first = text.lastIndexOf(LINE_FEED, at - start - 1) + 1;
  const feed = text.indexOf(LINE_FEED, at - start);
  let last = feed < 0 ? text.length : feed;
  while (first < last && BLANK.test(text[first] ?? "")) first += 1;
  while (last > first && BLANK.test(text[last - 1] ?? "")) last -= 1;
  return { start: start + first, end: start + last };
}
