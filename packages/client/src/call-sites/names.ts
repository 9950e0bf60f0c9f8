import { isDot, isToken, KIND, type SourceTokens, tokenText } from "./source-tokens.ts";

/** What the names of a script may mean, read once for all calls in it. Places are tokens, in the order of the text. */
export interface Names {
  /** Where a name is declared for the only time, its `const`, `let` or `var`; -1 where it is declared again. */
  readonly declared: ReadonlyMap<string, number>;
  /** Names that get a value without such a word right before them. */
  readonly assigned: ReadonlySet<string>;
  /** Names of parameters, in patterns and in imports. */
  readonly bound: ReadonlySet<string>;
  /** Names of lists and objects that are changed after they were made. */
  readonly changed: ReadonlySet<string>;
  /** Where names are declared or assigned. */
  readonly targets: readonly number[];
}

interface Found extends Names {
  readonly declared: Map<string, number>;
  readonly assigned: Set<string>;
  readonly bound: Set<string>;
  readonly changed: Set<string>;
  readonly targets: number[];
}

const NOT_A_DECLARATION = new Set(["if", "while", "for", "switch", "with"]);
const CHANGING = new Set("push pop shift unshift splice sort reverse fill copyWithin".split(" "));

/** Reads the names of a script that its constants depend on. */
export function readNames(tokens: SourceTokens): Names {
  const { count, kinds } = tokens;
  const found: Found = {
    declared: new Map(),
    assigned: new Set(),
    bound: new Set(),
    changed: new Set(),
    targets: [],
  };
  for (let at = 0; at < count; at += 1) {
    const kind = kinds[at];
    if (kind === KIND.word) readWord(tokens, at, found);
    else if (kind === KIND.open) readParameters(tokens, at, found.bound);
    else if (kind === KIND.mark && kinds[at - 1] === KIND.word && startsArrow(tokens, at))
      found.bound.add(tokenText(tokens, at - 1));
  }
  return found;
}

/** The declaration of a name that has its first value wherever it stands: its `const`; undefined for any other name. */
export function onlyDeclaration(tokens: SourceTokens, names: Names, name: string): number | undefined {
  const at = names.declared.get(name) ?? -1;
  const isElsewhere = names.bound.has(name) || names.assigned.has(name);
  return isToken(tokens, at, "const") && !isElsewhere ? at : undefined;
}

/** Whether a declaration of variables begins there. */
export function declares(tokens: SourceTokens, at: number): boolean {
  return isToken(tokens, at, "const") || isToken(tokens, at, "let") || isToken(tokens, at, "var");
}

/** Whether a `=` stands there that is no comparison and no arrow; `+=` counts. */
export function isAssigned(tokens: SourceTokens, at: number): boolean {
  if (tokens.kinds[at] !== KIND.mark) return false;
  const equals = isOperation(tokens, at) ? at + 1 : at;
  const isNext = isToken(tokens, equals + 1, "=") || isToken(tokens, equals + 1, ">");
  return isToken(tokens, equals, "=") && !(isNext && tokens.ends[equals] === tokens.starts[equals + 1]);
}

function isOperation({ text, starts }: SourceTokens, at: number): boolean {
  return "-+*/%|&^?".includes(text.charAt(starts[at] ?? 0));
}

/**
 * A word that begins a declaration or an import, changes what comes after it (`delete a.b`, `Object.assign(a, …)`), or
 * is a name.
 */
function readWord(tokens: SourceTokens, at: number, found: Found): void {
  if (declares(tokens, at)) readDeclaration(tokens, at, found);
  else if (isToken(tokens, at, "import")) addImports(tokens, at + 1, found.bound);
  else if (isToken(tokens, at, "delete")) addWord(tokens, at + 1, found.changed);
  else if (isToken(tokens, at, "assign")) addWord(tokens, at + 2, found.changed);
  else if (isTarget(tokens, at)) {
    found.assigned.add(tokenText(tokens, at));
    found.targets.push(at);
  } else if (isMemberChanged(tokens, at)) found.changed.add(tokenText(tokens, at));
}

/** One name, or a pattern of several. */
function readDeclaration(tokens: SourceTokens, at: number, { declared, bound, targets }: Found): void {
  const next = tokens.kinds[at + 1];
  if (next === KIND.open) addWords(tokens, at + 1, bound);
  if (next !== KIND.word) return;
  const name = tokenText(tokens, at + 1);
  declared.set(name, declared.has(name) ? -1 : at);
  targets.push(at + 1);
}

/** `name = …` in a list of declarations, in a class, or on its own; the attributes of a tag, `name={…}`, are none. */
function isTarget(tokens: SourceTokens, at: number): boolean {
  if (tokens.kinds[at + 1] !== KIND.mark || !isAssigned(tokens, at + 1)) return false;
  if (declares(tokens, at - 1) || isDot(tokens, at - 1)) return false;
  return !isToken(tokens, at + 2, "{") || tokens.ends[at] !== tokens.starts[at + 1];
}

/** `a.b = …`, `a[b] = …`, `a.push(…)`. */
function isMemberChanged(tokens: SourceTokens, at: number): boolean {
  const { kinds, partners } = tokens;
  const next = kinds[at + 1];
  if (next === KIND.open)
    return isToken(tokens, at + 1, "[") && isAssigned(tokens, (partners[at + 1] ?? at) + 1) && !isDot(tokens, at - 1);
  if (next !== KIND.mark || kinds[at + 2] !== KIND.word || !isToken(tokens, at + 1, ".")) return false;
  const isChanged = kinds[at + 3] === KIND.open ? CHANGING.has(tokenText(tokens, at + 2)) : isAssigned(tokens, at + 3);
  return isChanged && !isDot(tokens, at - 1);
}

/** Every word in a list of parameters: `(a, b) =>`, `(a) {`, `(a): Type`. */
function readParameters(tokens: SourceTokens, opener: number, bound: Set<string>): void {
  const closer = tokens.partners[opener] ?? -1;
  if (closer > opener && isToken(tokens, opener, "(") && isParameterList(tokens, opener, closer))
    addWords(tokens, opener, bound);
}

function isParameterList(tokens: SourceTokens, opener: number, closer: number): boolean {
  const next = closer + 1;
  if (!isToken(tokens, next, "{") && !isToken(tokens, next, ":") && !startsArrow(tokens, next)) return false;
  return opener === 0 || !NOT_A_DECLARATION.has(tokenText(tokens, opener - 1));
}

function startsArrow(tokens: SourceTokens, at: number): boolean {
  return isToken(tokens, at, "=") && isToken(tokens, at + 1, ">") && tokens.ends[at] === tokens.starts[at + 1];
}

/** `import a, { b as c } from`, `import * as d from`. */
function addImports(tokens: SourceTokens, from: number, names: Set<string>): void {
  for (let at = from; at < from + 6 && !isToken(tokens, at, "from") && !isToken(tokens, at, "("); at += 1) {
    addWord(tokens, at, names);
    if (!isToken(tokens, at, "{")) continue;
    addWords(tokens, at, names);
    return;
  }
}

function addWords(tokens: SourceTokens, opener: number, names: Set<string>): void {
  const closer = tokens.partners[opener] ?? opener;
  for (let at = opener + 1; at < closer; at += 1) addWord(tokens, at, names);
}

function addWord(tokens: SourceTokens, at: number, names: Set<string>): void {
  if (tokens.kinds[at] === KIND.word) names.add(tokenText(tokens, at));
}
