import type { InputValue } from "@finality/tron/abi";
import type { CallOptions, SourceValue } from "./call-site.ts";
import { type Names, onlyDeclaration } from "./names.ts";
import { isToken, KIND, type SourceTokens, tokenText } from "./source-tokens.ts";
import { type Constants, partsOf, pastAssertion, rangeOf, readExpression, readSourceValue } from "./source-value.ts";

/** What stands around a call. */
export interface SourceContext {
  readonly tokens: SourceTokens;
  readonly names: Names;
  readonly constants: Constants;
}

/** The token indices `[from, to)` of an expression. */
type Part = readonly [number, number];

/** The options of a call, in the part of its brackets that holds them; what cannot be read of them is said. */
export function readOptions(source: SourceContext, opener: number, part: Part | undefined): CallOptions {
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
 * The options of the transaction builder: who calls is an argument of its own, and its oldest form lists two amounts.
 */
export function builderOptions(source: SourceContext, opener: number, parts: readonly Part[]): CallOptions {
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
 * The builder's `[{ type: "address", value: to }, …]`: the values, in their order; nothing where other options replace
 * them.
 */
export function readParameters(source: SourceContext, parts: readonly Part[]): readonly SourceValue[] | undefined {
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
 * The bracket that opens a list or an object that fills a part, or a constant of this name that is one and stays as it
 * is.
 */
function literalOf({ tokens, names }: SourceContext, [from, to]: Part, bracket: "{" | "["): number | undefined {
  if (isToken(tokens, from, bracket)) return tokens.partners[from] === to - 1 ? from : undefined;
  if (tokens.kinds[from] !== KIND.word || to !== from + 1) return undefined;
  const opener = literalOfName(tokens, names, tokenText(tokens, from)) ?? -1;
  return isToken(tokens, opener, bracket) ? opener : undefined;
}

interface Fields {
  readonly fields: ReadonlyMap<string, SourceValue>;
  /** What may have any field: `...rest` or `[name]: value`. Fields after it are as they stand. */
  readonly unread: Part | undefined;
}

/** The fields of an object; of two with one name the last one counts. */
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
 * The constants of a script that can be read without running it: `const NAME = <literal or a sum of such>`. A name that
 * the file declares a second time, or takes as a parameter, is left out: it may mean something else at the call.
 */
export function readConstants(tokens: SourceTokens, names: Names): ReadonlyMap<string, InputValue> {
  const constants = new Map<string, InputValue>();
  for (const name of names.declared.keys()) {
    const at = onlyDeclaration(tokens, names, name);
    const value = at === undefined ? undefined : initialValue(tokens, at, constants);
    if (value !== undefined && !(typeof value === "object" && names.changed.has(name))) constants.set(name, value);
  }
  return constants;
}

/**
 * The bracket of the list or object that a constant is as long as it lives, if nothing is done with what it opens, as
 * in `{ … }.limits`.
 */
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

/** The token after `=`, past a type that is one name, as in `const LIMIT: number = 5`. */
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
