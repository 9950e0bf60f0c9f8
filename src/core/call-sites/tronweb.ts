import type { CallForm, CallOptions, CallTarget, ScriptCallSite, SourceValue, TextRange } from "./call-site.ts";
import { readConstants } from "./constants.ts";
import { contractAddresses } from "./contract-variables.ts";
import { isToken, KIND, type SourceTokens, tokenize, tokenText } from "./source-tokens.ts";
import { type Constants, partsOf, rangeOf, readSourceValue } from "./source-value.ts";

const FORMS = ["send", "call", "triggerSmartContract", "triggerConstantContract", "estimateEnergy"] as const;
/** Most files have no such word, and need no reading. */
const MAY_CALL = /\b(?:send|call|transactionBuilder)\b/;

/**
 * The calls of contracts in a TypeScript or JavaScript source that uses TronWeb, in the order of the words below, an inner call
 * before the one that holds it:
 * `contract.methods.x(…).send({…})`, `contract.x(…).call()`, `methods["x(uint256)"](…)`, and the transaction builder's
 * `triggerSmartContract`, `triggerConstantContract` and `estimateEnergy`. Total: half-typed code gives what can be read of it,
 * comments and texts give nothing. Whether a contract has such a method is for the caller to find: `fn.bind(x).call(y)` looks the same.
 *
 * @param within only calls that touch this range are read further: what a person sees comes first
 */
export function findScriptCallSites(text: string, within?: TextRange): readonly ScriptCallSite[] {
  if (!MAY_CALL.test(text)) return [];
  const tokens = tokenize(text, "script");
  const found = formsIn(tokens).filter(({ at }) => isWithin(tokens, at, within));
  if (found.length === 0) return [];
  const constants = readConstants(tokens);
  const scene: Scene = { tokens, constants, addresses: contractAddresses(tokens, constants) };
  return found.map(({ form, at }) =>
    form === "send" || form === "call" ? methodCall(scene, form, at) : builderCall(scene, form, at),
  );
}

interface Scene {
  readonly tokens: SourceTokens;
  readonly constants: Constants;
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

function isDot(tokens: SourceTokens, at: number): boolean {
  return isToken(tokens, at, ".") || isToken(tokens, at, "?.");
}

/** The bracket that opens the arguments in `….name(…).send`, seen from `send`; -1 where there is none. */
function argumentsOpener(tokens: SourceTokens, at: number): number {
  return isToken(tokens, at - 2, ")") ? (tokens.partners[at - 2] ?? -1) : -1;
}

/** The token that names the method: a word after a dot, or the one text between square brackets. */
function nameToken(tokens: SourceTokens, at: number): number | undefined {
  const before = argumentsOpener(tokens, at) - 1;
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

function methodCall(scene: Scene, form: "send" | "call", at: number): ScriptCallSite {
  const { tokens } = scene;
  const name = nameToken(tokens, at) ?? at;
  const opener = argumentsOpener(tokens, at);
  const first = tokens.kinds[name] === KIND.text ? name - 1 : name;
  return {
    form,
    range: { start: tokens.starts[name] ?? 0, end: endOfCall(tokens, at + 1) },
    method: methodName(tokens, name),
    target: variableTarget(scene, first),
    arguments: readArguments(scene, opener),
    options: readOptions(scene, partsOf(tokens, at + 1)[0]),
  };
}

function methodName(tokens: SourceTokens, name: number): ScriptCallSite["method"] {
  const range = rangeOf(tokens, name, name + 1);
  const word = tokenText(tokens, name);
  return { range, value: tokens.kinds[name] === KIND.word ? word : word.slice(1, -1) };
}

/** The variable before `.name` or `.methods.name`. */
function variableTarget({ tokens, addresses }: Scene, first: number): CallTarget {
  const dot = tokens.kinds[first] === KIND.open ? (isDot(tokens, first - 1) ? first - 1 : first) : first - 1;
  const before = isToken(tokens, dot - 1, "methods") && isDot(tokens, dot - 2) ? dot - 3 : dot - 1;
  if (tokens.kinds[before] !== KIND.word) return { kind: "expression" };
  const name = tokenText(tokens, before);
  return { kind: "variable", name, address: isDot(tokens, before - 1) ? undefined : addresses.get(name) };
}

function builderCall(scene: Scene, form: CallForm, at: number): ScriptCallSite {
  const { tokens, constants } = scene;
  const [address, method, options, parameters] = partsOf(tokens, at + 1);
  const range: TextRange = { start: tokens.starts[at] ?? 0, end: endOfCall(tokens, at + 1) };
  const signature = valueOfPart(scene, method, range);
  return {
    form,
    range,
    method: { range: signature.range, value: typeof signature.value === "string" ? signature.value : undefined },
    target:
      address === undefined
        ? { kind: "expression" }
        : { kind: "address", address: readSourceValue(tokens, ...address, constants) },
    arguments: parameters === undefined ? [] : readParameters(scene, parameters),
    options: readOptions(scene, options),
  };
}

function valueOfPart(
  { tokens, constants }: Scene,
  part: readonly [number, number] | undefined,
  otherwise: TextRange,
): SourceValue {
  return part === undefined ? { range: otherwise, value: undefined } : readSourceValue(tokens, ...part, constants);
}

function endOfCall({ ends, partners }: SourceTokens, opener: number): number {
  const closer = partners[opener] ?? -1;
  return ends[closer < 0 ? opener : closer] ?? 0;
}

function readArguments({ tokens, constants }: Scene, opener: number): readonly SourceValue[] | undefined {
  const parts = partsOf(tokens, opener);
  if (parts.some(([from]) => isToken(tokens, from, "..."))) return undefined;
  return parts.map(([from, to]) => readSourceValue(tokens, from, to, constants));
}

/** The builder's `[{ type: "address", value: to }, …]`: the values, in their order. */
function readParameters(scene: Scene, [from, to]: readonly [number, number]): readonly SourceValue[] | undefined {
  const { tokens } = scene;
  if (!isToken(tokens, from, "[") || tokens.partners[from] !== to - 1) return undefined;
  const values = partsOf(tokens, from).map((part) => propertyOf(scene, part, "value"));
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

const OPTIONS = ["feeLimit", "callValue", "tokenId", "tokenValue", "from"] as const;

function readOptions(scene: Scene, part: readonly [number, number] | undefined): CallOptions {
  if (part === undefined) return {};
  const named = OPTIONS.map((name) => [name, propertyOf(scene, part, name)] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** The value of a property in an object that fills the tokens of `part`: `name: value`, `"name": value`, or `name` alone. */
function propertyOf(
  { tokens, constants }: Scene,
  [from, to]: readonly [number, number],
  name: string,
): SourceValue | undefined {
  if (!isToken(tokens, from, "{") || tokens.partners[from] !== to - 1) return undefined;
  for (const [first, end] of partsOf(tokens, from)) {
    if (!isToken(tokens, first, name) && !isToken(tokens, first, `"${name}"`) && !isToken(tokens, first, `'${name}'`))
      continue;
    if (isToken(tokens, first + 1, ":")) return readSourceValue(tokens, first + 2, end, constants);
    if (end === first + 1) return readSourceValue(tokens, first, end, constants);
  }
  return undefined;
}
