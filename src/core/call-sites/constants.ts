import type { GivenValue } from "../abi/given-value.ts";
import { isToken, type SourceTokens, tokenText } from "./source-tokens.ts";
import { pastAssertion, readExpression } from "./source-value.ts";

const NOT_A_DECLARATION = new Set(["if", "while", "for", "switch", "with"]);

/**
 * The constants of a script that can be read without running it: `const NAME = <literal or a sum of such>`.
 * A name that the file declares a second time, or takes as a parameter, is left out: it may mean something else at the call.
 */
export function readConstants(
  tokens: SourceTokens,
  { bound, changed, assigned, declarations }: Names,
): ReadonlyMap<string, GivenValue> {
  const constants = new Map<string, GivenValue>();
  const declared = new Set([...bound, ...assigned]);
  for (const at of declarations) {
    const name = declaredName(tokens, at);
    if (name === undefined) continue;
    const value = declared.has(name) ? undefined : initialValue(tokens, at, constants);
    if (value === undefined || (typeof value === "object" && changed.has(name))) constants.delete(name);
    else constants.set(name, value);
    declared.add(name);
  }
  return constants;
}

function declaredName(tokens: SourceTokens, at: number): string | undefined {
  return declares(tokens, at) && tokens.kinds[at + 1] === "word" ? tokenText(tokens, at + 1) : undefined;
}

/** Whether a declaration of variables begins there. */
export function declares(tokens: SourceTokens, at: number): boolean {
  return isToken(tokens, at, "const") || isToken(tokens, at, "let") || isToken(tokens, at, "var");
}

function initialValue(
  tokens: SourceTokens,
  at: number,
  constants: ReadonlyMap<string, GivenValue>,
): GivenValue | undefined {
  const assigned = isToken(tokens, at, "const") ? afterType(tokens, at + 2) : -1;
  if (assigned < 0) return undefined;
  const read = readExpression(tokens, assigned, constants);
  return read !== undefined && endsStatement(tokens, pastAssertion(tokens, read.next)) ? read.value : undefined;
}

/** The token after `=`, past a type that is one name, as in `const LIMIT: number = 5`. */
function afterType(tokens: SourceTokens, at: number): number {
  const assign = isToken(tokens, at, ":") ? at + 2 : at;
  return isToken(tokens, assign, "=") && !isToken(tokens, assign + 1, "=") ? assign + 1 : -1;
}

function endsStatement(tokens: SourceTokens, next: number): boolean {
  const { text, kinds, starts, ends } = tokens;
  if (next >= kinds.length || isToken(tokens, next, ";") || isToken(tokens, next, ",")) return true;
  const onNextLine = text.slice(ends[next - 1], starts[next]).includes("\n");
  return onNextLine && (kinds[next] === "word" || kinds[next] === "close");
}

/**
 * Names of a script whose value does not stand where they are declared: `bound` as parameters, in patterns and imports, `assigned`
 * without a keyword right before them, or `changed` in place.
 */
export interface Names {
  readonly bound: ReadonlySet<string>;
  readonly assigned: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  /** The tokens `const`, `let` and `var`. */
  readonly declarations: readonly number[];
  /** The names that are declared or assigned, in their order, by token. */
  readonly given: readonly number[];
  /** Where the list or object of a constant opens that is declared once and stays as it is. */
  readonly literals: ReadonlyMap<string, number>;
}

/** Reads the names of a script that its constants depend on. */
export function readNames(tokens: SourceTokens): Names {
  const declarations: number[] = [];
  const given: number[] = [];
  const assigned = new Set<string>();
  const changed = new Set<string>();
  for (let at = 0; at < tokens.kinds.length; at += 1) {
    if (tokens.kinds[at] !== "word") continue;
    if (declares(tokens, at)) {
      declarations.push(at);
      given.push(at + 1);
    } else if (isGiven(tokens, at)) {
      assigned.add(tokenText(tokens, at));
      given.push(at);
    } else if (isChangedAt(tokens, at)) changed.add(tokenText(tokens, at));
  }
  const names = { bound: namesBoundOtherwise(tokens), assigned, changed, declarations, given };
  return { ...names, literals: literalsOf(tokens, names) };
}

function literalsOf(tokens: SourceTokens, names: Omit<Names, "literals">): ReadonlyMap<string, number> {
  const literals = new Map<string, number>();
  const taken = new Set([...names.bound, ...names.assigned, ...names.changed]);
  for (const at of names.declarations) {
    const name = declaredName(tokens, at);
    if (name === undefined) continue;
    const opener = taken.has(name) || !isToken(tokens, at, "const") ? -1 : literalAt(tokens, at + 2);
    if (opener < 0) literals.delete(name);
    else literals.set(name, opener);
    taken.add(name);
  }
  return literals;
}

/** The bracket after `=`, if nothing is done with what it opens, as in `{ … }.limits` or `[ … ].map(…)`. */
function literalAt(tokens: SourceTokens, at: number): number {
  const opener = afterType(tokens, at);
  const closer = tokens.partners[opener] ?? -1;
  const isLiteral = isToken(tokens, opener, "{") || isToken(tokens, opener, "[");
  return isLiteral && closer > opener && endsStatement(tokens, pastAssertion(tokens, closer + 1)) ? opener : -1;
}

/** `name = …` in a list of declarations, in a class, or on its own; the attributes of a tag, `name={…}`, are none. */
function isGiven(tokens: SourceTokens, at: number): boolean {
  if (!isAssigned(tokens, at + 1) || declares(tokens, at - 1)) return false;
  const isAttribute = isToken(tokens, at + 2, "{") && tokens.ends[at] === tokens.starts[at + 1];
  return !isAttribute && !isToken(tokens, at - 1, ".") && !isToken(tokens, at - 1, "?.");
}

const CHANGING = new Set("push pop shift unshift splice sort reverse fill copyWithin".split(" "));

/** `a.b = …`, `a[b] = …`, `a.push(…)`, `Object.assign(a, …)`, `delete a.b`. */
function isChangedAt(tokens: SourceTokens, at: number): boolean {
  if (isToken(tokens, at - 1, ".") || isToken(tokens, at - 1, "?.")) return false;
  if (isToken(tokens, at - 1, "delete") || (isToken(tokens, at - 1, "(") && isToken(tokens, at - 2, "assign")))
    return true;
  if (isToken(tokens, at + 1, "[")) return isAssigned(tokens, (tokens.partners[at + 1] ?? at) + 1);
  if (!isToken(tokens, at + 1, ".") || tokens.kinds[at + 2] !== "word") return false;
  return isAssigned(tokens, at + 3) || CHANGING.has(tokenText(tokens, at + 2));
}

/** Whether a `=` stands there that is no comparison and no arrow; `+=` counts. */
export function isAssigned(tokens: SourceTokens, at: number): boolean {
  if (tokens.kinds[at] !== "mark") return false;
  const equals =
    isToken(tokens, at, "=") || !OPERATIONS.includes(tokens.text.charAt(tokens.starts[at] ?? 0)) ? at : at + 1;
  if (!isToken(tokens, equals, "=")) return false;
  const isLonger = isToken(tokens, equals + 1, "=") || isToken(tokens, equals + 1, ">");
  return !isLonger || tokens.ends[equals] !== tokens.starts[equals + 1];
}

const OPERATIONS = "+-*/%|&^?";

/** Every word in a list of parameters, `(a, b) =>`, `(a) {`, `(a): Type`, `a =>`, in a pattern, `const { a } =`, and in an import. */
function namesBoundOtherwise(tokens: SourceTokens): Set<string> {
  const names = new Set<string>();
  for (let at = 0; at < tokens.kinds.length; at += 1) {
    const partner = tokens.partners[at] ?? -1;
    if (startsArrow(tokens, at + 1) && tokens.kinds[at] === "word") names.add(tokenText(tokens, at));
    if (partner > at && isToken(tokens, at, "(") && isParameterList(tokens, at, partner)) addWords(tokens, at, names);
    if (declares(tokens, at) && tokens.kinds[at + 1] === "open") addWords(tokens, at + 1, names);
    if (isToken(tokens, at, "import")) addImports(tokens, at + 1, names);
  }
  return names;
}

function isParameterList(tokens: SourceTokens, opener: number, closer: number): boolean {
  if (opener > 0 && NOT_A_DECLARATION.has(tokenText(tokens, opener - 1))) return false;
  return isToken(tokens, closer + 1, "{") || isToken(tokens, closer + 1, ":") || startsArrow(tokens, closer + 1);
}

function startsArrow(tokens: SourceTokens, at: number): boolean {
  return isToken(tokens, at, "=") && isToken(tokens, at + 1, ">") && tokens.ends[at] === tokens.starts[at + 1];
}

/** `import a, { b as c } from`, `import * as d from`. */
function addImports(tokens: SourceTokens, from: number, names: Set<string>): void {
  for (let at = from; at < from + 6 && !isToken(tokens, at, "from") && !isToken(tokens, at, "("); at += 1) {
    if (tokens.kinds[at] === "word") names.add(tokenText(tokens, at));
    if (!isToken(tokens, at, "{")) continue;
    addWords(tokens, at, names);
    return;
  }
}

function addWords(tokens: SourceTokens, opener: number, names: Set<string>): void {
  const closer = tokens.partners[opener] ?? opener;
  for (let at = opener + 1; at < closer; at += 1) if (tokens.kinds[at] === "word") names.add(tokenText(tokens, at));
}
