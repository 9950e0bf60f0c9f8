import type { InputValue } from "@finality/tron/abi";
import type { CallForm, CallOptions, CallTarget, ScriptCallSite, SourceValue, TextRange } from "./call-site.ts";
import { isDot, isToken, KIND, type SourceTokens, tokenize, tokenText } from "./source-tokens.ts";
import { type Constants, partsOf, pastAssertion, rangeOf, readExpression, readSourceValue } from "./source-value.ts";

const FORMS = ["send", "call", "triggerSmartContract", "triggerConstantContract", "estimateEnergy"] as const;
/** Most files contain no such word and need no parsing. */
const MAY_CALL = /\b(?:send|call|transactionBuilder)\b/;

/**
 * Finds contract calls in a TypeScript or JavaScript source that uses TronWeb, inner calls first:
 * `contract.methods.x(…).send({…})`, `contract.x(…).call()`, `methods["x(uint256)"](…)`, and the builder's
 * `triggerSmartContract`, `triggerConstantContract` and `estimateEnergy`. Total: incomplete code gives its readable
 * calls. The caller checks the method: `fn.bind(x).call(y)` looks the same.
 *
 * @param within - Only calls that touch this range are parsed further, for the visible part of a document.
 */
export function findScriptCallSites(text: string, within?: TextRange): readonly ScriptCallSite[] {
  if (!MAY_CALL.test(text)) return [];
  const tokens = tokenize(text, "script");
  const found = formsIn(tokens).filter(({ at }) => isWithin(tokens, at, within));
  if (found.length === 0) return [];
  const names = readNames(tokens);
  const constants = readConstants(tokens, names);
  const source: TronwebSource = { tokens, names, constants, addresses: contractAddresses(tokens, constants, names) };
  return found.map(({ form, at }) =>
    form === "send" || form === "call" ? methodCall(source, form, at) : builderCall(source, form, at),
  );
}

interface TronwebSource extends SourceContext {
  readonly addresses: ReadonlyMap<string, SourceValue>;
}

/** Form of the call, and the token of its keyword. */
interface FoundForm {
  readonly form: CallForm;
  readonly at: number;
}

function formsIn(tokens: SourceTokens): readonly FoundForm[] {
  const { count, kinds } = tokens;
  const found: FoundForm[] = [];
  for (let at = 2; at < count; at += 1) {
    const mayCall = kinds[at] === KIND.word && kinds[at + 1] === KIND.open;
    if (!mayCall || !isToken(tokens, at + 1, "(") || !isDot(tokens, at - 1)) continue;
    const form = formAt(tokens, at);
    if (form !== undefined) found.push({ form, at });
  }
  return found;
}

function formAt(tokens: SourceTokens, at: number): CallForm | undefined {
  const form = FORMS.find((one) => isToken(tokens, at, one));
  if (form === "send" || form === "call") return nameToken(tokens, at) === undefined ? undefined : form;
  return isToken(tokens, at - 2, "transactionBuilder") ? form : undefined;
}

/** Returns the bracket that opens the arguments in `….name(…).send`, starting from `send`; -1 if there is none. */
function argumentsOpener(tokens: SourceTokens, at: number): number {
  return isToken(tokens, at - 2, ")") ? (tokens.partners[at - 2] ?? -1) : -1;
}

/** Returns the token that names the method: a word after a dot, or the only string between square brackets. */
function nameToken(tokens: SourceTokens, at: number): number | undefined {
  const opener = argumentsOpener(tokens, at);
  const before = isToken(tokens, opener - 1, "?.") || isToken(tokens, opener - 1, "!") ? opener - 2 : opener - 1;
  if (before < 1) return undefined;
  if (tokens.kinds[before] === KIND.word) return isDot(tokens, before - 1) ? before : undefined;
  const isSignature =
    isToken(tokens, before, "]") && tokens.partners[before] === before - 2 && tokens.kinds[before - 1] === KIND.text;
  return isSignature ? before - 1 : undefined;
}

function isWithin({ starts, ends, partners }: SourceTokens, at: number, within: TextRange | undefined): boolean {
  if (within === undefined) return true;
  const end = ends[partners[at + 1] ?? -1] ?? ends[at + 1] ?? 0;
  const first = partners[at - 2] ?? -1;
  return (starts[first < 0 ? at : first] ?? 0) <= within.end && end >= within.start;
}

function methodCall(source: TronwebSource, form: "send" | "call", at: number): ScriptCallSite {
  const { tokens } = source;
  const name = nameToken(tokens, at) ?? at;
  const opener = argumentsOpener(tokens, at);
  const first = tokens.kinds[name] === KIND.text ? name - 1 : name;
  return {
    form,
    range: { start: tokens.starts[name] ?? 0, end: endOfCall(tokens, at + 1) },
    method: methodName(tokens, name),
    target: variableTarget(source, first),
    arguments: readArguments(source, opener),
    options: readOptions(source, at + 1, partsOf(tokens, at + 1)[0]),
  };
}

function methodName(tokens: SourceTokens, name: number): ScriptCallSite["method"] {
  const range = rangeOf(tokens, name, name + 1);
  const word = tokenText(tokens, name);
  return { range, value: tokens.kinds[name] === KIND.word ? word : word.slice(1, -1) };
}

/** Returns the variable before `.name` or `.methods.name`. */
function variableTarget({ tokens, addresses, constants }: TronwebSource, first: number): CallTarget {
  const dot = tokens.kinds[first] === KIND.open ? (isDot(tokens, first - 1) ? first - 1 : first) : first - 1;
  const holder = beforeDot(tokens, dot);
  const before =
    isToken(tokens, holder, "methods") && isDot(tokens, holder - 1) ? beforeDot(tokens, holder - 1) : holder;
  if (tokens.kinds[before] === KIND.close) {
    const address = addressBefore(tokens, before, constants);
    return address === undefined ? { kind: "expression" } : { kind: "address", address };
  }
  if (tokens.kinds[before] !== KIND.word) return { kind: "expression" };
  const name = tokenText(tokens, before);
  return { kind: "variable", name, address: isDot(tokens, before - 1) ? undefined : addresses.get(name) };
}

/** `contract!.x` is `contract.x`. */
function beforeDot(tokens: SourceTokens, dot: number): number {
  return isToken(tokens, dot - 1, "!") ? dot - 2 : dot - 1;
}

function builderCall(source: TronwebSource, form: CallForm, at: number): ScriptCallSite {
  const { tokens, constants } = source;
  const parts = partsOf(tokens, at + 1);
  const [address, method] = parts;
  const range: TextRange = { start: tokens.starts[at] ?? 0, end: endOfCall(tokens, at + 1) };
  const signature = valueOfPart(source, method, range);
  return {
    form,
    range,
    method: { range: signature.range, value: typeof signature.value === "string" ? signature.value : undefined },
    target:
      address === undefined
        ? { kind: "expression" }
        : { kind: "address", address: readSourceValue(tokens, ...address, constants) },
    arguments: readParameters(source, parts),
    options: builderOptions(source, at + 1, parts),
  };
}

function valueOfPart(
  { tokens, constants }: TronwebSource,
  part: readonly [number, number] | undefined,
  otherwise: TextRange,
): SourceValue {
  return part === undefined ? { range: otherwise, value: undefined } : readSourceValue(tokens, ...part, constants);
}

function endOfCall({ ends, partners }: SourceTokens, opener: number): number {
  const closer = partners[opener] ?? -1;
  return ends[closer < 0 ? opener : closer] ?? 0;
}

function readArguments({ tokens, constants }: TronwebSource, opener: number): readonly SourceValue[] | undefined {
  const parts = partsOf(tokens, opener);
  if (parts.some(([from]) => isToken(tokens, from, "..."))) return undefined;
  return parts.map(([from, to]) => readSourceValue(tokens, from, to, constants));
}

/**
 * Returns the addresses of variables that hold a contract: `const token = await tronWeb.contract().at("T…")` and
 * `const token = tronWeb.contract(abi, "T…")`. A name with several meanings has no address, because its meaning
 * depends on the scope.
 */
function contractAddresses(
  tokens: SourceTokens,
  constants: Constants,
  { bound, targets: names }: Names,
): ReadonlyMap<string, SourceValue> {
  const addresses = new Map<string, SourceValue>();
  const seen = new Set(bound);
  for (const at of names) {
    const assignment = assignmentAt(tokens, at);
    if (assignment === undefined) continue;
    const name = tokenText(tokens, assignment.name);
    const made = assignment.value === undefined ? undefined : contractMade(tokens, assignment.value);
    const address = made?.address && readSourceValue(tokens, ...made.address, constants);
    if (address === undefined || seen.has(name)) addresses.delete(name);
    else addresses.set(name, address);
    seen.add(name);
  }
  return addresses;
}

/** Assignment to a name: the tokens of the name and of the start of the value, which a loop does not have. */
function assignmentAt(
  tokens: SourceTokens,
  at: number,
): { readonly name: number; readonly value?: number } | undefined {
  if (isToken(tokens, at + 1, "of") || isToken(tokens, at + 1, "in"))
    return declares(tokens, at - 1) ? { name: at } : undefined;
  const assign = isToken(tokens, at + 1, ":") ? afterLongType(tokens, at + 1) : at + 1;
  return isAssigned(tokens, assign) ? { name: at, value: assign + 1 } : undefined;
}

/** Returns the token after a type, `: Contract<typeof abi>`. */
function afterLongType(tokens: SourceTokens, at: number): number {
  let next = at + 1;
  while (next < at + LONGEST_TYPE && !isToken(tokens, next, "=") && !isToken(tokens, next, ";")) next += 1;
  return next;
}

const LONGEST_TYPE = 24;

/** Contract that an expression creates: the tokens of its literal address, and the token after the expression. */
interface Made {
  readonly address: readonly [number, number] | undefined;
  readonly next: number;
}

/** Matches `[await] tronWeb.contract(abi, address)`, `….contract().at(address)`, each with or without parentheses. */
function contractMade(tokens: SourceTokens, from: number): Made | undefined {
  const first = isToken(tokens, from, "await") ? from + 1 : from;
  const made = isToken(tokens, first, "(") ? inBrackets(tokens, first) : contractCall(tokens, first);
  if (made === undefined || !isDot(tokens, made.next) || !isToken(tokens, made.next + 1, "at")) return made;
  const closer = tokens.partners[made.next + 2] ?? -1;
  if (!isToken(tokens, made.next + 2, "(") || closer < 0) return undefined;
  return { address: partsOf(tokens, made.next + 2)[0], next: closer + 1 };
}

function inBrackets(tokens: SourceTokens, opener: number): Made | undefined {
  const closer = tokens.partners[opener] ?? -1;
  const made = closer < 0 ? undefined : contractMade(tokens, opener + 1);
  return made === undefined ? undefined : { address: made.address, next: closer + 1 };
}

function contractCall(tokens: SourceTokens, first: number): Made | undefined {
  let at = first;
  while (tokens.kinds[at] === KIND.word && isDot(tokens, at + 1)) at += 2;
  const closer = tokens.partners[at + 1] ?? -1;
  if (!isToken(tokens, at, "contract") || !isToken(tokens, at + 1, "(") || closer < 0) return undefined;
  return { address: partsOf(tokens, at + 1)[1], next: closer + 1 };
}

/**
 * Returns the address of a contract that is created in the call: `(await tronWeb.contract().at("T…")).x(…)`.
 *
 * @param last - Bracket before the dot.
 */
function addressBefore(tokens: SourceTokens, last: number, constants: Constants): SourceValue | undefined {
  let from = firstOf(tokens, last);
  for (;;) {
    if (isCallee(tokens, from - 1) && isToken(tokens, from, "(")) from -= 1;
    if (!isDot(tokens, from - 1)) break;
    from = firstOf(tokens, from - 2);
  }
  const made = contractMade(tokens, from);
  return made?.next === last + 1 && made.address ? readSourceValue(tokens, ...made.address, constants) : undefined;
}

const BEFORE_BRACKETS = new Set("await return typeof void yield case of in".split(" "));

function isCallee(tokens: SourceTokens, at: number): boolean {
  return tokens.kinds[at] === KIND.word && !BEFORE_BRACKETS.has(tokenText(tokens, at));
}

function firstOf(tokens: SourceTokens, last: number): number {
  const partner = tokens.partners[last] ?? -1;
  return partner >= 0 && partner < last ? partner : last;
}

/** Tokens and constants around a call. */
interface SourceContext {
  readonly tokens: SourceTokens;
  readonly names: Names;
  readonly constants: Constants;
}

/** The token indices `[from, to)` of an expression. */
type Part = readonly [number, number];

/** Reads the options of a call from its arguments; unreadable ones are reported in `unread`. */
function readOptions(source: SourceContext, opener: number, part: Part | undefined): CallOptions {
  const { tokens } = source;
  const isWhole = (tokens.partners[opener] ?? -1) >= 0;
  if (part === undefined) return isWhole ? {} : { unread: rangeOf(tokens, opener, opener + 1) };
  if (part[1] === part[0] + 1 && isToken(tokens, part[0], "undefined")) return {};
  const literal = literalOf(source, part, "{");
  if (literal === undefined) return { unread: rangeOf(tokens, ...part) };
  const { fields, unread } = fieldsOf(source, literal);
  const named = OPTIONS.flatMap((name) => {
    const value = fields.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(named), ...(unread === undefined ? {} : { unread: rangeOf(tokens, ...unread) }) };
}

const OPTIONS = ["feeLimit", "callValue", "tokenId", "tokenValue", "from"] as const;

/**
 * Parses the options of the transaction builder: the caller is a separate argument, and the oldest form lists two
 * amounts.
 */
function builderOptions(source: SourceContext, opener: number, parts: readonly Part[]): CallOptions {
  const listed = listedAmounts(source, parts);
  const { from: _, ...options } = listed ?? readOptions(source, opener, parts[2]);
  const issuer = parts[listed === undefined ? 4 : 5];
  return issuer === undefined
    ? options
    : { ...options, from: readSourceValue(source.tokens, ...issuer, source.constants) };
}

/** `triggerSmartContract(address, signature, feeLimit, callValue, parameters, issuer)`. */
function listedAmounts(
  { tokens, constants }: SourceContext,
  [, , limit, value]: readonly Part[],
): CallOptions | undefined {
  const feeLimit = limit && readSourceValue(tokens, ...limit, constants);
  if (typeof feeLimit?.value !== "bigint" && typeof feeLimit?.value !== "string") return undefined;
  return { feeLimit, ...(value === undefined ? {} : { callValue: readSourceValue(tokens, ...value, constants) }) };
}

/**
 * Returns the values in the builder's `[{ type: "address", value: to }, …]`, in order; nothing if other options replace
 * them.
 */
function readParameters(source: SourceContext, parts: readonly Part[]): readonly SourceValue[] | undefined {
  const options = parts[2] && literalOf(source, parts[2], "{");
  const others = options === undefined ? new Map<string, unknown>() : fieldsOf(source, options).fields;
  if (["rawParameter", "input", "funcABIV2", "shieldedParameter"].some((name) => others.has(name))) return undefined;
  const part = parts[listedAmounts(source, parts) === undefined ? 3 : 4];
  if (part === undefined) return [];
  const literal = literalOf(source, part, "[");
  if (literal === undefined) return undefined;
  const values = partsOf(source.tokens, literal).map((one) => parameterOf(source, one));
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

function parameterOf(source: SourceContext, part: Part): SourceValue | undefined {
  const literal = literalOf(source, part, "{");
  const read = literal === undefined ? undefined : fieldsOf(source, literal);
  return read?.unread === undefined ? read?.fields.get("value") : undefined;
}

/**
 * Returns the bracket of a list or an object that is the whole expression, or the value of a constant with this name
 * that is never changed.
 */
function literalOf({ tokens, names }: SourceContext, [from, to]: Part, bracket: "{" | "["): number | undefined {
  if (isToken(tokens, from, bracket)) return tokens.partners[from] === to - 1 ? from : undefined;
  if (tokens.kinds[from] !== KIND.word || to !== from + 1) return undefined;
  const opener = literalOfName(tokens, names, tokenText(tokens, from)) ?? -1;
  return isToken(tokens, opener, bracket) ? opener : undefined;
}

interface Fields {
  readonly fields: ReadonlyMap<string, SourceValue>;
  /** Spread or computed field, which may set any option. Later fields override it. */
  readonly unread: Part | undefined;
}

/** Returns the fields of an object; of two with the same name the last one counts. */
function fieldsOf({ tokens, constants }: SourceContext, opener: number): Fields {
  const fields = new Map<string, SourceValue>();
  let unread: Part | undefined;
  for (const [from, to] of partsOf(tokens, opener)) {
    const field = fieldAt(tokens, from, to);
    if (field === undefined) {
      unread = [from, to];
      fields.clear();
    } else fields.set(field.name, readSourceValue(tokens, field.value, to, constants));
  }
  return { fields, unread };
}

/** `name: value`, `"name": value`, `["name"]: value`, or `name` alone; a method has no value to read. */
function fieldAt(tokens: SourceTokens, from: number, to: number): { name: string; value: number } | undefined {
  const isBracketed =
    isToken(tokens, from, "[") && tokens.partners[from] === from + 2 && tokens.kinds[from + 1] === KIND.text;
  const key = isBracketed ? from + 1 : from;
  const after = isBracketed ? from + 3 : from + 1;
  const kind = tokens.kinds[key];
  if (kind !== KIND.word && kind !== KIND.text && kind !== KIND.number) return undefined;
  const name = kind === KIND.text ? tokenText(tokens, key).slice(1, -1) : tokenText(tokens, key);
  if (isToken(tokens, after, ":")) return { name, value: after + 1 };
  return { name, value: after === to && kind === KIND.word ? key : to };
}

/**
 * Finds the constants of a script that can be read without running it: `const NAME = <literal or a sum of such>`. Omits
 * names that the file declares again or uses as a parameter, because they may have another meaning at the call.
 */
function readConstants(tokens: SourceTokens, names: Names): ReadonlyMap<string, InputValue> {
  const constants = new Map<string, InputValue>();
  for (const name of names.declared.keys()) {
    const at = onlyDeclaration(tokens, names, name);
    const value = at === undefined ? undefined : initialValue(tokens, at, constants);
    if (value !== undefined && !(typeof value === "object" && names.changed.has(name))) constants.set(name, value);
  }
  return constants;
}

/** Returns the bracket of the list or object of a constant, if the source uses it unchanged, unlike `{ … }.limits`. */
function literalOfName(tokens: SourceTokens, names: Names, name: string): number | undefined {
  const at = names.changed.has(name) ? undefined : onlyDeclaration(tokens, names, name);
  if (at === undefined) return undefined;
  const opener = afterType(tokens, at + 2);
  const closer = tokens.partners[opener] ?? -1;
  return closer > opener && endsStatement(tokens, pastAssertion(tokens, closer + 1)) ? opener : undefined;
}

function initialValue(
  tokens: SourceTokens,
  at: number,
  constants: ReadonlyMap<string, InputValue>,
): InputValue | undefined {
  const assigned = afterType(tokens, at + 2);
  if (assigned < 0) return undefined;
  const read = readExpression(tokens, assigned, constants);
  return read !== undefined && endsStatement(tokens, pastAssertion(tokens, read.next)) ? read.value : undefined;
}

/** Returns the token after `=`, past a type that is one name, as in `const LIMIT: number = 5`. */
function afterType(tokens: SourceTokens, at: number): number {
  const assign = isToken(tokens, at, ":") ? at + 2 : at;
  return isToken(tokens, assign, "=") && !isToken(tokens, assign + 1, "=") ? assign + 1 : -1;
}

function endsStatement(tokens: SourceTokens, next: number): boolean {
  const { text, count, kinds, starts, ends } = tokens;
  if (next >= count || isToken(tokens, next, ";") || isToken(tokens, next, ",")) return true;
  const onNextLine = text.slice(ends[next - 1], starts[next]).includes("\n");
  return onNextLine && (kinds[next] === KIND.word || kinds[next] === KIND.close);
}

/** Meanings of the names in a script, read once for all calls. Positions are token indexes. */
interface Names {
  /** Token of a name's only declaration (`const`, `let` or `var`); -1 if it is declared again. */
  readonly declared: ReadonlyMap<string, number>;
  /** Names that are assigned without a declaration keyword. */
  readonly assigned: ReadonlySet<string>;
  /** Names of parameters, in patterns and in imports. */
  readonly bound: ReadonlySet<string>;
  /** Names of lists and objects that are changed after their creation. */
  readonly changed: ReadonlySet<string>;
  /** Tokens of names that are declared or assigned. */
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
function readNames(tokens: SourceTokens): Names {
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
    else if (kind === KIND.open) addParameterNames(tokens, at, found.bound);
    else if (kind === KIND.mark && kinds[at - 1] === KIND.word && startsArrow(tokens, at))
      found.bound.add(tokenText(tokens, at - 1));
  }
  return found;
}

/** Returns the `const` declaration of a name whose value never changes; undefined for other names. */
function onlyDeclaration(tokens: SourceTokens, names: Names, name: string): number | undefined {
  const at = names.declared.get(name) ?? -1;
  const isElsewhere = names.bound.has(name) || names.assigned.has(name);
  return isToken(tokens, at, "const") && !isElsewhere ? at : undefined;
}

/** Returns true if a variable declaration begins here. */
function declares(tokens: SourceTokens, at: number): boolean {
  return isToken(tokens, at, "const") || isToken(tokens, at, "let") || isToken(tokens, at, "var");
}

/** Returns true for a `=` that is neither a comparison nor an arrow; `+=` counts. */
function isAssigned(tokens: SourceTokens, at: number): boolean {
  if (tokens.kinds[at] !== KIND.mark) return false;
  const equals = isOperation(tokens, at) ? at + 1 : at;
  const isNext = isToken(tokens, equals + 1, "=") || isToken(tokens, equals + 1, ">");
  return isToken(tokens, equals, "=") && !(isNext && tokens.ends[equals] === tokens.starts[equals + 1]);
}

function isOperation({ text, starts }: SourceTokens, at: number): boolean {
  return "-+*/%|&^?".includes(text.charAt(starts[at] ?? 0));
}

/**
 * Handles a word: a declaration or import keyword, a change of the following value (`delete a.b`, `Object.assign(a,
 * …)`), or a name.
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

/** Reads one name, or a destructuring pattern. */
function readDeclaration(tokens: SourceTokens, at: number, { declared, bound, targets }: Found): void {
  const next = tokens.kinds[at + 1];
  if (next === KIND.open) addWords(tokens, at + 1, bound);
  if (next !== KIND.word) return;
  const name = tokenText(tokens, at + 1);
  declared.set(name, declared.has(name) ? -1 : at);
  targets.push(at + 1);
}

/** Matches `name = …` in a list of declarations, in a class, or as a statement, but not JSX attributes, `name={…}`. */
function isTarget(tokens: SourceTokens, at: number): boolean {
  if (tokens.kinds[at + 1] !== KIND.mark || !isAssigned(tokens, at + 1)) return false;
  if (declares(tokens, at - 1) || isDot(tokens, at - 1)) return false;
  return !isToken(tokens, at + 2, "{") || tokens.ends[at] !== tokens.starts[at + 1];
}

/** Matches `a.b = …`, `a[b] = …`, `a.push(…)`. */
function isMemberChanged(tokens: SourceTokens, at: number): boolean {
  const { kinds, partners } = tokens;
  const next = kinds[at + 1];
  if (next === KIND.open)
    return isToken(tokens, at + 1, "[") && isAssigned(tokens, (partners[at + 1] ?? at) + 1) && !isDot(tokens, at - 1);
  if (next !== KIND.mark || kinds[at + 2] !== KIND.word || !isToken(tokens, at + 1, ".")) return false;
  const isChanged = kinds[at + 3] === KIND.open ? CHANGING.has(tokenText(tokens, at + 2)) : isAssigned(tokens, at + 3);
  return isChanged && !isDot(tokens, at - 1);
}

/** Collects every word in a list of parameters: `(a, b) =>`, `(a) {`, `(a): Type`. */
function addParameterNames(tokens: SourceTokens, opener: number, bound: Set<string>): void {
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

/** Matches `import a, { b as c } from`, `import * as d from`. */
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
