import type { InputValue } from "@finality/tron/abi";
import { SUN_PER_COIN } from "@finality/tron/primitives";
import type { SourceValue, TextRange } from "./call-site.ts";
import { isToken, KIND, type SourceTokens, tokenText } from "./source-tokens.ts";

/** Values of names that the source declares once, as constants, by name. */
export type Constants = ReadonlyMap<string, InputValue>;

interface Read {
  readonly value: InputValue;
  readonly next: number;
}

const LARGEST_EXPONENT = 256n;
const DEEPEST = 32;

/**
 * Evaluates the expression in the tokens from `from` up to `to`: literals, lists, sums and products of integers, names
 * of constants, `BigInt(…)`, `String(…)` and `toSun(…)` (TronWeb: coins to sun). Any other expression needs the code to
 * run and has no value.
 */
export function readSourceValue(tokens: SourceTokens, from: number, to: number, constants: Constants): SourceValue {
  const read = readSum({ tokens, constants, depth: 0 }, from);
  const ends = read !== undefined && pastAssertion(tokens, read.next) === to;
  return { range: rangeOf(tokens, from, to), value: ends ? read.value : undefined };
}

/** Skips TypeScript syntax after a value: `value!`, `value as const`, `value satisfies number`. */
export function pastAssertion(tokens: SourceTokens, at: number): number {
  if (isToken(tokens, at, "!")) return at + 1;
  const asserts = isToken(tokens, at, "as") || isToken(tokens, at, "satisfies");
  return asserts && tokens.kinds[at + 1] === KIND.word ? at + 2 : at;
}

/** Reads the longest expression that begins at a token, if any; `next` is the first token after it. */
export function readExpression(tokens: SourceTokens, from: number, constants: Constants): Read | undefined {
  return readSum({ tokens, constants, depth: 0 }, from);
}

/** Returns the characters from token `from` up to `to`; an empty range after the previous token if there are none. */
export function rangeOf({ starts, ends }: SourceTokens, from: number, to: number): TextRange {
  const start = starts[from] ?? ends.at(-1) ?? 0;
  return to <= from ? { start, end: start } : { start, end: ends[to - 1] ?? start };
}

/**
 * Returns the token indices `[from, to)` of each part between an opening bracket and its partner, split at commas; a
 * trailing comma adds none.
 */
export function partsOf(tokens: SourceTokens, opener: number): readonly (readonly [number, number])[] {
  const closer = tokens.partners[opener] ?? -1;
  const parts: [number, number][] = [];
  let from = opener + 1;
  for (let at = from; at < closer; at = pastTypes(tokens, at) ?? stepOver(tokens, at))
    if (isToken(tokens, at, ",")) {
      parts.push([from, at]);
      from = at + 1;
    }
  if (from < closer) parts.push([from, closer]);
  return parts;
}

/**
 * Returns the token after type arguments `<A, B>`, which TypeScript distinguishes from comparisons by the next token;
 * undefined if there are none.
 */
function pastTypes(tokens: SourceTokens, at: number): number | undefined {
  if (!isToken(tokens, at, "<") || tokens.kinds[at - 1] !== KIND.word) return undefined;
  let depth = 1;
  let next = at + 1;
  for (; depth > 0; next = stepOver(tokens, next)) {
    if (isToken(tokens, next, "<")) depth += 1;
    else if (isToken(tokens, next, ">")) depth -= 1;
    else if (!isInType(tokens, next)) return undefined;
  }
  return AFTER_TYPES.some((mark) => isToken(tokens, next, mark)) ? next : undefined;
}

const IN_TYPE = [",", ".", "|", "&", "[", "{"];
const AFTER_TYPES = ["(", ")", ",", "]", "}", ">"];

function isInType(tokens: SourceTokens, at: number): boolean {
  return (
    tokens.kinds[at] === KIND.word ||
    tokens.kinds[at] === KIND.text ||
    IN_TYPE.some((mark) => isToken(tokens, at, mark))
  );
}

/** Returns the token after this one, or after the bracket that closes the one at this token. */
export function stepOver({ kinds, partners }: SourceTokens, index: number): number {
  const partner = partners[index] ?? -1;
  return (kinds[index] === KIND.open && partner > index ? partner : index) + 1;
}

interface ParsedExpression {
  readonly tokens: SourceTokens;
  readonly constants: Constants;
  readonly depth: number;
}

function readSum(expression: ParsedExpression, from: number): Read | undefined {
  return readChain(expression, from, readProduct, ADDITIONS);
}

function readProduct(expression: ParsedExpression, from: number): Read | undefined {
  return readChain(expression, from, readPower, PRODUCTS);
}

type Operation = (left: bigint, right: bigint) => bigint | undefined;
const ADDITIONS: Readonly<Record<string, Operation>> = { "+": (a, b) => a + b, "-": (a, b) => a - b };
const PRODUCTS: Readonly<Record<string, Operation>> = {
  "*": (a, b) => a * b,
  "/": (a, b) => (b !== 0n && a % b === 0n ? a / b : undefined),
};

type Step = (expression: ParsedExpression, from: number) => Read | undefined;

function readChain(
  expression: ParsedExpression,
  from: number,
  operand: Step,
  operations: Readonly<Record<string, Operation>>,
): Read | undefined {
  let left = operand(expression, from);
  while (left !== undefined) {
    const operation = isPower(expression.tokens, left.next)
      ? undefined
      : operations[tokenText(expression.tokens, left.next)];
    if (operation === undefined) return left;
    left = combined(left, operand(expression, left.next + 1), operation);
  }
  return undefined;
}

function combined(left: Read, right: Read | undefined, operation: Operation): Read | undefined {
  if (right === undefined || typeof left.value !== "bigint" || typeof right.value !== "bigint") return undefined;
  const value = operation(left.value, right.value);
  return value === undefined ? undefined : { value, next: right.next };
}

function readPower(expression: ParsedExpression, from: number): Read | undefined {
  const base = readUnary(expression, from);
  if (base === undefined || !isPower(expression.tokens, base.next)) return base;
  const power: Operation = (a, b) => (b >= 0n && b <= LARGEST_EXPONENT ? a ** b : undefined);
  return combined(base, readUnary(expression, base.next + 2), power);
}

function isPower(tokens: SourceTokens, at: number): boolean {
  return isToken(tokens, at, "*") && isToken(tokens, at + 1, "*") && tokens.ends[at] === tokens.starts[at + 1];
}

function readUnary(expression: ParsedExpression, from: number): Read | undefined {
  if (!isToken(expression.tokens, from, "-")) return readPrimary(expression, from);
  const read = readPrimary(expression, from + 1);
  return typeof read?.value === "bigint" ? { value: -read.value, next: read.next } : undefined;
}

function readPrimary(expression: ParsedExpression, from: number): Read | undefined {
  const { tokens } = expression;
  switch (tokens.kinds[from]) {
    case KIND.number:
      return only(readInteger(tokenText(tokens, from)), from);
    case KIND.text:
      return only(readText(tokenText(tokens, from)), from);
    case KIND.word:
      return readWord(expression, from);
    case KIND.open:
      return expression.depth < DEEPEST
        ? readBrackets({ ...expression, depth: expression.depth + 1 }, from)
        : undefined;
    default:
      return undefined;
  }
}

function only(value: InputValue | undefined, from: number): Read | undefined {
  return value === undefined ? undefined : { value, next: from + 1 };
}

function readWord(expression: ParsedExpression, from: number): Read | undefined {
  const { tokens, constants } = expression;
  const word = tokenText(tokens, from);
  if (word === "true" || word === "false") return only(word === "true", from);
  if (isToken(tokens, from + 1, "(")) return readConversion(expression, from, word);
  if (isToken(tokens, from + 1, ".")) return isToken(tokens, from + 3, "(") ? readToSun(expression, from) : undefined;
  return only(constants.get(word), from);
}

/** `tronWeb.toSun(5)`, whatever the variable is called. */
function readToSun(expression: ParsedExpression, from: number): Read | undefined {
  return isToken(expression.tokens, from + 2, "toSun") ? readConversion(expression, from + 2, "toSun") : undefined;
}

function readConversion(expression: ParsedExpression, from: number, name: string): Read | undefined {
  const coins = name === "toSun" ? coinsOf(expression.tokens, from + 1) : undefined;
  if (coins !== undefined) return { value: coins, next: from + 4 };
  const argument =
    expression.depth < DEEPEST ? readBrackets({ ...expression, depth: expression.depth + 1 }, from + 1) : undefined;
  if (argument === undefined) return undefined;
  const value = converted(name, argument.value);
  return value === undefined ? undefined : { value, next: argument.next };
}

/** Returns `(1.5)` or `("1.5")` coins in sun, as TronWeb converts them. */
function coinsOf(tokens: SourceTokens, opener: number): string | undefined {
  if (!isToken(tokens, opener, "(") || !isToken(tokens, opener + 2, ")")) return undefined;
  const [, whole, fraction = ""] = /^["'`]?(\d{1,30})\.(\d{1,6})["'`]?$/.exec(tokenText(tokens, opener + 1)) ?? [];
  return whole === undefined ? undefined : String(BigInt(whole + fraction.padEnd(6, "0")));
}

function converted(name: string, value: InputValue): InputValue | undefined {
  const integer = typeof value === "string" ? integerInText(value) : value;
  if (name === "String" && typeof value !== "object") return value.toString();
  if (typeof integer !== "bigint") return undefined;
  if (name === "Number") return BigInt(Number(integer)) === integer ? integer : undefined;
  if (name === "BigInt") return integer;
  return name === "toSun" ? String(integer * SUN_PER_COIN) : undefined;
}

/** Evaluates the text of `BigInt("…")` and `Number("…")`. */
function integerInText(text: string): bigint | undefined {
  return /^\d{1,100}$|^0[xX][\da-fA-F]{1,64}$/.test(text) ? BigInt(text) : undefined;
}

function readBrackets(expression: ParsedExpression, opener: number): Read | undefined {
  const { tokens, constants } = expression;
  const closer = tokens.partners[opener] ?? -1;
  if (closer < 0) return undefined;
  if (isToken(tokens, opener, "(")) {
    const inner = readSum({ tokens, constants, depth: expression.depth }, opener + 1);
    return inner?.next === closer ? { value: inner.value, next: closer + 1 } : undefined;
  }
  if (!isToken(tokens, opener, "[")) return undefined;
  const items = partsOf(tokens, opener).map(([from, to]) => {
    const read = readSum(expression, from);
    return read?.next === to ? read.value : undefined;
  });
  const known = items.filter((item) => item !== undefined);
  return known.length === items.length ? { value: known, next: closer + 1 } : undefined;
}

/**
 * Parses an integer literal: `1_000`, `0x2a`, `10n`, `1e6`, `1.5e6`. Returns nothing for a fraction, for a number that
 * JavaScript would round, and for `010`.
 */
function readInteger(text: string): bigint | undefined {
  const digits = text.replaceAll("_", "").replace(/n$/, "");
  const value = /^0\d/.test(digits) ? undefined : integerOf(digits);
  return value === undefined || text.endsWith("n") || BigInt(Number(value)) === value ? value : undefined;
}

function integerOf(digits: string): bigint | undefined {
  if (/^0[xX][\da-fA-F]+$|^0[bB][01]+$|^0[oO][0-7]+$|^\d{1,100}$/.test(digits)) return BigInt(digits);
  const decimal = /^(\d{1,100})?(?:\.(\d{0,100}))?(?:[eE]\+?(\d{1,2}))?$/.exec(digits);
  if (decimal === null || digits === "" || digits === ".") return undefined;
  const [, whole = "", fraction = "", exponent = "0"] = decimal;
  const shift = Number(exponent) - fraction.replace(/0+$/, "").length;
  return shift < 0 ? undefined : BigInt(whole + fraction.replace(/0+$/, "")) * 10n ** BigInt(shift);
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
};
/** `\101` is a character by its octal code, where allowed; a final backslash escapes the quote. */
const UNREADABLE = /^(?:[^\\]|\\[\s\S])*?(?:\\[1-9]|\\0\d|\\$)/;

/** Returns the value of a string literal; undefined if it is not closed. */
function readText(literal: string): string | undefined {
  const quote = literal.charAt(0);
  const words = literal.slice(1, -1);
  if (literal.length < 2 || !literal.endsWith(quote) || UNREADABLE.test(words)) return undefined;
  return words
    .replace(/\r\n?/g, "\n")
    .replace(/\\(?:u\{[\da-fA-F]{1,6}\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|\r?\n|[\s\S])/g, unescaped);
}

/** Returns the character of an escape such as `\n`, `\x41` or `\u{1f600}`; an escaped line break is empty. */
function unescaped(sequence: string): string {
  const digits = /[\da-fA-F]+/.exec(sequence.slice(2))?.[0];
  if (digits === undefined) return sequence.endsWith("\n") ? "" : (ESCAPES[sequence.slice(1)] ?? sequence.slice(1));
  const code = Number.parseInt(digits, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
