import { builderOptions, readConstants, readOptions, readParameters, type SourceContext } from "./call-options.ts";
import type { CallForm, CallTarget, ScriptCallSite, SourceValue, TextRange } from "./call-site.ts";
import { declares, isAssigned, type Names, readNames } from "./names.ts";
import { isDot, isToken, KIND, type SourceTokens, tokenize, tokenText } from "./source-tokens.ts";
import { type Constants, partsOf, rangeOf, readSourceValue } from "./source-value.ts";

const FORMS = ["send", "call", "triggerSmartContract", "triggerConstantContract", "estimateEnergy"] as const;
/** Most files have no such word, and need no reading. */
const MAY_CALL = /\b(?:send|call|transactionBuilder)\b/;

/**
 * The calls of contracts in a TypeScript or JavaScript source that uses TronWeb, in the order of the words below, an
 * inner call before the one that holds it:
 * `contract.methods.x(…).send({…})`, `contract.x(…).call()`, `methods["x(uint256)"](…)`, and the transaction builder's
 * `triggerSmartContract`, `triggerConstantContract` and `estimateEnergy`. Total: half-typed code gives what can be read of it,
 * comments and texts give nothing. Whether a contract has such a method is for the caller to find: `fn.bind(x).call(y)`
 * looks the same.
 *
 * @param within only calls that touch this range are read further: what a person sees comes first
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

/** Where the form's own word stands, by token. */
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

/** The bracket that opens the arguments in `….name(…).send`, seen from `send`; -1 where there is none. */
function argumentsOpener(tokens: SourceTokens, at: number): number {
  return isToken(tokens, at - 2, ")") ? (tokens.partners[at - 2] ?? -1) : -1;
}

/** The token that names the method: a word after a dot, or the one text between square brackets. */
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

/** The variable before `.name` or `.methods.name`. */
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
 * The addresses of variables that hold a contract, by the variable's name, where they stand in the source:
 * `const token = await tronWeb.contract().at("T…")` and `const token = tronWeb.contract(abi, "T…")`.
 * A name that may mean something else has no address: which of the two a call means depends on where it stands.
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

/** A name that is given a value there: the tokens of the name and of the value's begin, which a loop does not have. */
function assignmentAt(
  tokens: SourceTokens,
  at: number,
): { readonly name: number; readonly value?: number } | undefined {
  if (isToken(tokens, at + 1, "of") || isToken(tokens, at + 1, "in"))
    return declares(tokens, at - 1) ? { name: at } : undefined;
  const assign = isToken(tokens, at + 1, ":") ? afterType(tokens, at + 1) : at + 1;
  return isAssigned(tokens, assign) ? { name: at, value: assign + 1 } : undefined;
}

/** The token after a type, `: Contract<typeof abi>`. */
function afterType(tokens: SourceTokens, at: number): number {
  let next = at + 1;
  while (next < at + LONGEST_TYPE && !isToken(tokens, next, "=") && !isToken(tokens, next, ";")) next += 1;
  return next;
}

const LONGEST_TYPE = 24;

/**
 * A contract that an expression makes: the tokens of its address where they stand there, and what follows the
 * expression.
 */
interface Made {
  readonly address: readonly [number, number] | undefined;
  readonly next: number;
}

/** `[await] tronWeb.contract(abi, address)`, `….contract().at(address)`, each in brackets or not. */
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
 * The address of a contract that is made where it is called: `(await tronWeb.contract().at("T…")).x(…)`.
 *
 * @param last - the bracket before the dot
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
