import { isToken, KIND, type SourceTokens, tokenText } from "../call-sites/source-tokens.ts";
import type { CodeSources, SourceFile } from "./code-sources.ts";
import { type FailurePoint, failurePointsOf, tokenAt } from "./failure-points.ts";
import type { ByteRange, FunctionDefinition } from "./source-outline.ts";

/** Function or modifier whose code a contract can contain. */
export interface RelatedFunction {
  readonly file: SourceFile;
  readonly definition: FunctionDefinition;
  /** Constructs that can fail. */
  readonly points: readonly FailurePoint[];
  /** Words of its head and body: names of functions that it can call are among them. */
  readonly words: ReadonlySet<string>;
  /** Its code without names, to find functions with equal code. */
  readonly shape: string;
}

const known = new WeakMap<FunctionDefinition, RelatedFunction>();

/**
 * Lists the functions that the code of a contract can contain: its own, those of its bases, of libraries, and free
 * ones.
 */
export function relatedFunctions(code: CodeSources): readonly RelatedFunction[] {
  const files = importedFiles(code);
  const contracts = files.flatMap(({ outline }) => outline.contracts);
  const related = new Set<string>([code.compiled.contract]);
  for (const name of related)
    for (const { bases } of contracts.filter((it) => it.name === name)) for (const base of bases) related.add(base);
  for (const { kind, name } of contracts) if (kind === "library") related.add(name);
  return files.flatMap((file) =>
    file.outline.functions
      .filter(({ contract, body }) => body !== undefined && (contract === undefined || related.has(contract)))
      .map((definition) => relatedFunction(file, definition)),
  );
}

/**
 * Returns the file of a contract and those that it imports, directly or not. An import matches each file whose path
 * ends with it, because remappings are not known here.
 */
function importedFiles(code: CodeSources): readonly SourceFile[] {
  const files = code.files();
  const imported = new Set(files.filter(({ path }) => path === code.compiled.path));
  for (const { outline } of imported)
    for (const written of outline.imports) {
      const end = written.split("/").filter((part) => part !== "." && part !== "..");
      for (const file of files) if (endsWithParts(file.path, end)) imported.add(file);
    }
  return imported.size === 0 ? files : [...imported];
}

/** Remappings replace the beginning of a path, so the last two parts have to be equal. */
function endsWithParts(path: string, parts: readonly string[]): boolean {
  const tail = parts.slice(-2);
  return path.split("/").slice(-tail.length).join("/") === tail.join("/");
}

function relatedFunction(file: SourceFile, definition: FunctionDefinition): RelatedFunction {
  const found = known.get(definition);
  if (found !== undefined) return found;
  const tokens = file.source.tokens();
  const [first, last] = [tokenAt(tokens, definition.start), tokenAt(tokens, definition.end)];
  const made = {
    file,
    definition,
    points: failurePointsOf(file.source, definition),
    words: wordsIn(tokens, first + 1, last),
    shape: shapeOf(tokens, definition.body?.[0] ?? first, definition.body?.[1] ?? last),
  };
  known.set(definition, made);
  return made;
}

/** Returns the words of the tokens from `first` up to `last`. */
export function wordsIn(tokens: SourceTokens, first: number, last: number): ReadonlySet<string> {
  const words = new Set<string>();
  for (let at = first; at < last; at += 1) if (tokens.kinds[at] === KIND.word) words.add(tokenText(tokens, at));
  return words;
}

function shapeOf(tokens: SourceTokens, first: number, last: number): string {
  const parts: string[] = [];
  for (let at = first; at < last; at += 1) parts.push(tokens.kinds[at] === KIND.word ? "w" : tokenText(tokens, at));
  return parts.join(" ");
}

/** Returns the functions that these words can name, and all that those can call in turn. */
export function reachedFrom(
  words: ReadonlySet<string>,
  functions: readonly RelatedFunction[],
): ReadonlySet<RelatedFunction> {
  const reached = new Set<RelatedFunction>();
  const open = new Set(words);
  for (const word of open)
    for (const one of functions) {
      if (one.definition.name !== word || reached.has(one)) continue;
      reached.add(one);
      for (const inner of one.words) open.add(inner);
    }
  return reached;
}

/** Place in the order in which a function runs: a construct, or the beginning of an expression with calls. */
export interface EvaluatedRange {
  readonly owner: RelatedFunction;
  readonly range: ByteRange;
  /** Absent for the beginning of a function or a call. */
  readonly point?: FailurePoint;
}

const DEEPEST_CALLS = 24;
const MOST_RANGES = 5_000;

/**
 * Lists what a function evaluates, in order, with modifiers and called functions in place. Undefined if a name can mean
 * several functions, or if functions call each other in a circle.
 */
export function evaluationOrder(
  root: RelatedFunction,
  functions: readonly RelatedFunction[],
  inheritance: readonly string[],
): readonly EvaluatedRange[] | undefined {
  const ranges: EvaluatedRange[] = [];
  return addRanges(root, { functions, inheritance, ranges, depth: 0 }) ? ranges : undefined;
}

/**
 * Returns a contract and its bases, from the most derived one. It ends where a contract has several bases, whose order
 * depends on all of them.
 */
export function inheritanceOf(code: CodeSources): readonly string[] {
  const contracts = importedFiles(code).flatMap(({ outline }) => outline.contracts);
  const order: string[] = [];
  for (let name: string | undefined = code.compiled.contract; name !== undefined && !order.includes(name); ) {
    order.push(name);
    const [definition, ...others] = contracts.filter((it) => it.name === name);
    const [base, ...more]: readonly string[] = definition?.bases ?? [];
    name = others.length === 0 && more.length === 0 ? base : undefined;
  }
  return order;
}

interface Evaluation {
  readonly functions: readonly RelatedFunction[];
  readonly inheritance: readonly string[];
  readonly ranges: EvaluatedRange[];
  readonly depth: number;
}

function addRanges(owner: RelatedFunction, evaluation: Evaluation): boolean {
  const { ranges, depth } = evaluation;
  if (depth > DEEPEST_CALLS || ranges.length > MOST_RANGES) return false;
  const { start } = owner.definition;
  const head = owner.file.source.tokens();
  const body = head.starts[owner.definition.body?.[0] ?? 0] ?? start;
  ranges.push({ owner, range: { start, end: start } });
  // Modifiers are between the parameters and the body, and run around it.
  const modifiers = owner.definition.kind === "modifier" ? [] : modifiersIn(evaluation, owner, { start, end: body });
  if (modifiers === undefined) return false;
  for (const modifier of modifiers) if (!addRanges(modifier, deeper(evaluation))) return false;
  const ordered = [...owner.points].sort((one, other) => one.end - other.end);
  for (const point of ordered) {
    if (point.start < body) continue;
    if (point.name !== "") {
      ranges.push({ owner, range: { start: point.start, end: point.start } });
      const called = calledFunction(evaluation, owner, point);
      if (called === "several" || (called !== undefined && !addRanges(called, deeper(evaluation)))) return false;
    }
    ranges.push({ owner, range: point, point });
  }
  return true;
}

function deeper(evaluation: Evaluation): Evaluation {
  return { ...evaluation, depth: evaluation.depth + 1 };
}

function calledFunction(
  { functions, inheritance }: Evaluation,
  { file, definition }: RelatedFunction,
  { name, start }: FailurePoint,
): RelatedFunction | "several" | undefined {
  const found = functions.filter((it) => it.definition.kind === "function" && it.definition.name === name);
  if (found.length < 2) return found[0];
  const isSuper = file.source.slice(start, start + "super.".length) === "super.";
  const position = definition.contract === undefined ? -1 : inheritance.indexOf(definition.contract);
  const order = isSuper ? inheritance.slice(position + 1) : inheritance;
  const ranks = found.map((it) => order.indexOf(it.definition.contract ?? ""));
  const known = ranks.filter((rank) => rank >= 0).sort((one, other) => one - other);
  // A function outside this order, or an overload, can be the called one.
  const isKnown = found.every((it) => inheritance.includes(it.definition.contract ?? ""));
  const [first, second] = known;
  if (!isKnown || position < 0 || first === undefined || first === second) return "several";
  return found[ranks.indexOf(first)];
}

/** Returns the modifiers that a range names; undefined if a name means several. */
function modifiersIn(
  { functions }: Evaluation,
  { file }: RelatedFunction,
  { start, end }: ByteRange,
): readonly RelatedFunction[] | undefined {
  const tokens = file.source.tokens();
  const modifiers = functions.filter(({ definition }) => definition.kind === "modifier");
  const found: RelatedFunction[] = [];
  for (let at = tokenAt(tokens, start); at < tokenAt(tokens, end); at += 1) {
    const matches = modifiers.filter(({ definition }) => isToken(tokens, at, definition.name));
    if (matches.length > 1) return undefined;
    found.push(...matches);
  }
  return found;
}
