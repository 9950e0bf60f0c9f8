import { isToken, KIND, type SourceTokens, tokenText } from "../call-sites/source-tokens.ts";
import { stepOver } from "../call-sites/source-value.ts";
import type { ByteRange, FunctionDefinition } from "./source-outline.ts";
import type { SourceText } from "./source-text.ts";

/** Kind of a statement. A placeholder is `_;` in a modifier. */
type StatementKind = "block" | "if" | "loop" | "try" | "assembly" | "placeholder" | "simple";

/** Statement of a function. */
export interface CoverageStatement extends ByteRange {
  readonly kind: StatementKind;
  /** Index of the statement that contains it; -1 for a statement of the body. */
  readonly parent: number;
  /** Index of the statement before it in the same block; -1 for the first one. */
  readonly previous: number;
  /** Index of the body of an `if`, and of its `else`; -1 if there is none. */
  readonly body: number;
  readonly otherwise: number;
}

/** Construct with two outcomes. */
export interface CoverageBranch extends ByteRange {
  readonly kind: "if" | "require" | "ternary" | "or" | "modifier";
  /** Index of the statement that has it; -1 for a modifier. */
  readonly statement: number;
  /** Both outcomes. For `a || b` the operands, for `c ? a : b` the values, else twice the construct. */
  readonly arms: readonly [ByteRange, ByteRange];
  /** Name of the modifier; else empty. */
  readonly name: string;
}

/** Statements and branches of a function. */
export interface FunctionPoints {
  readonly definition: FunctionDefinition;
  readonly statements: readonly CoverageStatement[];
  readonly branches: readonly CoverageBranch[];
}

interface Scan {
  readonly tokens: SourceTokens;
  readonly statements: CoverageStatement[];
  readonly branches: CoverageBranch[];
}

/** Position of a statement among the others. */
interface Position {
  readonly parent: number;
  readonly previous: number;
}

/** Lists the statements of a function in source order, a statement before those in it. Total. */
export function functionPoints(source: SourceText, definition: FunctionDefinition): FunctionPoints {
  const scan: Scan = { tokens: source.tokens(), statements: [], branches: [] };
  if (definition.body !== undefined) {
    addModifiers(scan, definition, definition.body[0] - 1);
    addStatements(scan, definition.body, -1);
  }
  return { definition, statements: scan.statements, branches: scan.branches };
}

function addStatements(scan: Scan, [from, to]: readonly [number, number], parent: number): void {
  let previous = -1;
  for (let at = from; at < to; ) {
    const index = scan.statements.length;
    at = Math.max(addStatement(scan, [at, to], { parent, previous }), at + 1);
    if (scan.statements.length > index) previous = index;
  }
}

/** Adds a statement with those in it. @returns the token after it */
function addStatement(scan: Scan, [at, to]: readonly [number, number], position: Position): number {
  const { tokens } = scan;
  if (isToken(tokens, at, ";")) return at + 1;
  if (isToken(tokens, at, "{")) return addBlock(scan, at, at, position);
  if (isToken(tokens, at, "unchecked") && isToken(tokens, at + 1, "{")) return addBlock(scan, at, at + 1, position);
  if (isToken(tokens, at, "if")) return addIf(scan, [at, to], position);
  if (isToken(tokens, at, "for") || isToken(tokens, at, "while")) return addLoop(scan, [at, to], position);
  if (isToken(tokens, at, "do")) return addDo(scan, [at, to], position);
  if (isToken(tokens, at, "try")) return addTry(scan, [at, to], position);
  if (isToken(tokens, at, "assembly")) return addAssembly(scan, [at, to], position);
  return addSimple(scan, [at, to], position);
}

function addBlock(scan: Scan, first: number, opener: number, position: Position): number {
  const closer = closerOf(scan.tokens, opener);
  const index = open(scan, "block", first, position);
  addStatements(scan, [opener + 1, closer], index);
  return close(scan, index, closer);
}

function addIf(scan: Scan, [at, to]: readonly [number, number], position: Position): number {
  const { tokens } = scan;
  const index = open(scan, "if", at, position);
  const condition = closerOf(tokens, at + 1);
  addBranches(scan, [at + 2, condition], index);
  const inside = { parent: index, previous: -1 };
  const body = scan.statements.length;
  let next = addStatement(scan, [condition + 1, to], inside);
  const hasElse = isToken(tokens, next, "else");
  const otherwise = hasElse ? scan.statements.length : -1;
  if (hasElse) next = addStatement(scan, [next + 1, to], inside);
  const end = close(scan, index, next - 1);
  const known = scan.statements[index];
  if (known !== undefined) {
    scan.statements[index] = { ...known, body, otherwise };
    scan.branches.push({
      kind: "if",
      statement: index,
      start: known.start,
      end: known.end,
      arms: [known, known],
      name: "",
    });
  }
  return end;
}

function addLoop(scan: Scan, [at, to]: readonly [number, number], position: Position): number {
  const { tokens } = scan;
  const index = open(scan, "loop", at, position);
  const closer = closerOf(tokens, at + 1);
  addBranches(scan, [at + 2, closer], index);
  return close(scan, index, addStatement(scan, [closer + 1, to], { parent: index, previous: -1 }) - 1);
}

function addDo(scan: Scan, [at, to]: readonly [number, number], position: Position): number {
  const index = open(scan, "loop", at, position);
  const end = addStatement(scan, [at + 1, to], { parent: index, previous: -1 });
  const last = endOfSimple(scan.tokens, end, to);
  addBranches(scan, [end, last], index);
  return close(scan, index, last);
}

function addTry(scan: Scan, [at, to]: readonly [number, number], position: Position): number {
  const { tokens } = scan;
  const index = open(scan, "try", at, position);
  let next = at + 1;
  // Call options are braces too: `try a.f{value: 1}() {`.
  while (next < to && !(isToken(tokens, next, "{") && !isToken(tokens, stepOver(tokens, next), "(")))
    next = stepOver(tokens, next);
  next = addInner(scan, next, index);
  while (isToken(tokens, next, "catch")) {
    while (next < to && !isToken(tokens, next, "{")) next = stepOver(tokens, next);
    next = addInner(scan, next, index);
  }
  return close(scan, index, next - 1);
}

function addInner(scan: Scan, opener: number, parent: number): number {
  return addBlock(scan, opener, opener, { parent, previous: -1 });
}

function addAssembly(scan: Scan, [at, to]: readonly [number, number], position: Position): number {
  const { tokens } = scan;
  let opener = at + 1;
  while (opener < to && !isToken(tokens, opener, "{")) opener = stepOver(tokens, opener);
  return close(scan, open(scan, "assembly", at, position), closerOf(tokens, opener));
}

function addSimple(scan: Scan, [at, to]: readonly [number, number], position: Position): number {
  const { tokens } = scan;
  const last = endOfSimple(tokens, at, to);
  const isPlaceholder = isToken(tokens, at, "_") && last === at + 1;
  const index = open(scan, isPlaceholder ? "placeholder" : "simple", at, position);
  addBranches(scan, [at, last], index);
  return close(scan, index, last);
}

/** Returns the semicolon that ends a statement; the last token if it is missing. */
function endOfSimple(tokens: SourceTokens, from: number, to: number): number {
  let at = from;
  while (at < to && !isToken(tokens, at, ";")) at = stepOver(tokens, at);
  return Math.min(at, to - 1);
}

function open({ tokens, statements }: Scan, kind: StatementKind, first: number, position: Position): number {
  const start = tokens.starts[first] ?? 0;
  return statements.push({ kind, ...position, body: -1, otherwise: -1, start, end: start }) - 1;
}

/** Sets the end of a statement. @returns the token after it */
function close({ tokens, statements }: Scan, index: number, last: number): number {
  const known = statements[index];
  if (known !== undefined) statements[index] = { ...known, end: tokens.ends[last] ?? known.start };
  return last + 1;
}

/** Adds `require`, `? :` and `||` of an expression. */
function addBranches(scan: Scan, [from, to]: readonly [number, number], statement: number): void {
  const { tokens, branches } = scan;
  for (let at = from; at < to; at += 1) {
    if (isToken(tokens, at, "require") && isToken(tokens, at + 1, "(") && !isToken(tokens, at - 1, ".")) {
      const range = rangeOf(tokens, at, closerOf(tokens, at + 1));
      branches.push({ kind: "require", statement, ...range, arms: [range, range], name: "" });
    }
    if (isToken(tokens, at, "?")) addTernary(scan, at, [from, to], statement);
    if (isOr(tokens, at)) addOr(scan, at, [from, to], statement);
  }
}

function addTernary(scan: Scan, at: number, [from, to]: readonly [number, number], statement: number): void {
  const { tokens } = scan;
  let colon = at + 1;
  for (let open = 1; colon < to; colon = stepOver(tokens, colon)) {
    if (isToken(tokens, colon, "?")) open += 1;
    else if (isToken(tokens, colon, ":")) open -= 1;
    if (open === 0) break;
  }
  const end = operandEnd(tokens, colon + 1, to, [",", ";", ":"]);
  if (colon >= to || end <= colon + 1) return;
  const arms = [rangeOf(tokens, at + 1, colon - 1), rangeOf(tokens, colon + 1, end - 1)] as const;
  const start = tokens.starts[operandStart(tokens, at, from)] ?? 0;
  scan.branches.push({ kind: "ternary", statement, start, end: arms[1].end, arms, name: "" });
}

function isOr(tokens: SourceTokens, at: number): boolean {
  return isToken(tokens, at, "|") && isToken(tokens, at + 1, "|") && tokens.ends[at] === tokens.starts[at + 1];
}

function addOr(scan: Scan, at: number, [from, to]: readonly [number, number], statement: number): void {
  const { tokens } = scan;
  const first = operandStart(tokens, at, from);
  const end = operandEnd(tokens, at + 2, to, [",", ";", "?", ":"]);
  if (first >= at || end <= at + 2) return;
  const arms = [rangeOf(tokens, first, at - 1), rangeOf(tokens, at + 2, end - 1)] as const;
  scan.branches.push({ kind: "or", statement, start: arms[0].start, end: arms[1].end, arms, name: "" });
}

/** Returns the token after an operand: at a bracket that closes, a mark, or the next `||`. */
function operandEnd(tokens: SourceTokens, from: number, to: number, marks: readonly string[]): number {
  let at = from;
  while (
    at < to &&
    tokens.kinds[at] !== KIND.close &&
    !isOr(tokens, at) &&
    !marks.some((it) => isToken(tokens, at, it))
  )
    at = stepOver(tokens, at);
  return Math.min(at, to);
}

const BEFORE_OPERAND = [",", ";", "?", ":"];

/** Returns the first token of the operand before a token: after a bracket that opens, a mark, `=` or `return`. */
function operandStart(tokens: SourceTokens, before: number, from: number): number {
  let at = before;
  while (at > from) {
    const last = at - 1;
    const isStart =
      tokens.kinds[last] === KIND.open ||
      isToken(tokens, last, "return") ||
      isAssignment(tokens, last) ||
      BEFORE_OPERAND.some((it) => isToken(tokens, last, it));
    if (isStart) return at;
    const partner = tokens.partners[last] ?? -1;
    at = tokens.kinds[last] === KIND.close && partner >= from ? partner : last;
  }
  return at;
}

const COMPARISONS = ["=", "!", "<", ">"];

/** Returns whether a token is the end of `=`, `+=` or `|=`, and not of a comparison. */
function isAssignment(tokens: SourceTokens, at: number): boolean {
  if (!isToken(tokens, at, "=") || (isToken(tokens, at + 1, "=") && tokens.ends[at] === tokens.starts[at + 1]))
    return false;
  const isJoined = tokens.ends[at - 1] === tokens.starts[at];
  return !isJoined || !COMPARISONS.some((it) => isToken(tokens, at - 1, it));
}

const NO_MODIFIERS =
  /^(?:public|external|internal|private|pure|view|payable|constant|virtual|override|returns|memory|storage|calldata)$/;

/** Adds the modifiers of a function. Those of constructors may be bases, and have no branch. */
function addModifiers(scan: Scan, { kind, start }: FunctionDefinition, opener: number): void {
  const { tokens, branches } = scan;
  if (kind === "constructor" || kind === "modifier") return;
  let at = opener - 1;
  const found: (ByteRange & { readonly name: string })[] = [];
  while ((tokens.starts[at] ?? 0) > start) {
    const last = at;
    if (isToken(tokens, at, ")")) at = (tokens.partners[at] ?? 0) - 1;
    if (tokens.kinds[at] !== KIND.word || (tokens.starts[at] ?? 0) <= start) break;
    const word = tokenText(tokens, at);
    if (isToken(tokens, at - 1, "function")) break;
    while (isToken(tokens, at - 1, ".")) at -= 2;
    if (!NO_MODIFIERS.test(word)) found.unshift({ ...rangeOf(tokens, at, last), name: word });
    at -= 1;
  }
  for (const it of found) branches.push({ kind: "modifier", statement: -1, ...it, arms: [it, it] });
}

function rangeOf({ starts, ends }: SourceTokens, first: number, last: number): ByteRange {
  return { start: starts[first] ?? 0, end: ends[last] ?? 0 };
}

/** Returns the matching bracket; the last token if it is missing. */
function closerOf(tokens: SourceTokens, opener: number): number {
  const closer = tokens.partners[opener] ?? -1;
  return closer < 0 ? tokens.count - 1 : closer;
}
