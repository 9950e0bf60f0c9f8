import { isToken, KIND, type SourceTokens, tokenText } from "../call-sites/source-tokens.ts";
import { partsOf, stepOver } from "../call-sites/source-value.ts";
import type { ByteRange, FunctionDefinition } from "./source-outline.ts";
import type { SourceText } from "./source-text.ts";

/** Construct that can fail. */
export type FailurePointKind =
  | "require"
  | "revert"
  | "assert"
  | "throw"
  | "arithmetic"
  | "division"
  | "index"
  | "slice"
  | "pop"
  | "creation"
  | "member-call"
  | "plain-call"
  | "allocation"
  | "assembly";

/** Reason that a construct gives: a text, an error by name, or a value that is computed. */
type GivenReason =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly name: string }
  | { readonly kind: "computed" };

/** Construct of a source that can fail. */
export interface FailurePoint extends ByteRange {
  readonly kind: FailurePointKind;
  /** Reason of `require` and `revert`. */
  readonly reason: GivenReason;
  /** Name of a called function or member, else empty. */
  readonly name: string;
  /** Start of the statement that has it. */
  readonly statement: number;
}

const NO_REASON: GivenReason = { kind: "none" };

interface Scan {
  readonly tokens: SourceTokens;
  readonly points: FailurePoint[];
  /** Ends of the `unchecked` blocks around a token. */
  uncheckedUntil: number;
  statement: number;
}

/** Lists the constructs of a function that can fail, in source order. Total. */
export function failurePointsOf(source: SourceText, definition: FunctionDefinition): readonly FailurePoint[] {
  const tokens = source.tokens();
  const first = tokenAt(tokens, definition.start);
  const last = tokenAt(tokens, definition.end);
  const scan: Scan = { tokens, points: [], uncheckedUntil: -1, statement: definition.start };
  for (let at = first; at < last; ) at = scanToken(scan, at);
  return scan.points;
}

/** Returns the first token that starts at a byte or after it. */
export function tokenAt({ starts, count }: SourceTokens, byte: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the next token to scan. */
function scanToken(scan: Scan, at: number): number {
  const { tokens } = scan;
  if (isToken(tokens, at, ";") || isToken(tokens, at, "{") || isToken(tokens, at, "}"))
    scan.statement = tokens.starts[at + 1] ?? 0;
  switch (tokens.kinds[at]) {
    case KIND.word:
      return scanWord(scan, at);
    case KIND.mark:
      return scanMark(scan, at);
    case KIND.open:
      scanBracket(scan, at);
      return at + 1;
    default:
      return at + 1;
  }
}

function scanWord(scan: Scan, at: number): number {
  const { tokens } = scan;
  const word = tokenText(tokens, at);
  const next = at + 1;
  if (word === "assembly") return scanAssembly(scan, at);
  if (word === "unchecked" && isToken(tokens, next, "{"))
    scan.uncheckedUntil = Math.max(scan.uncheckedUntil, tokens.partners[next] ?? -1);
  if (word === "throw") add(scan, "throw", [at, at]);
  if (word === "revert") addRevert(scan, at);
  else if (word === "new") addNew(scan, at);
  else if (isToken(tokens, next, "(") || callBehindOptions(tokens, at) !== undefined) addCall(scan, at, word);
  return next;
}

function scanAssembly(scan: Scan, at: number): number {
  const { tokens } = scan;
  let opener = at + 1;
  while (opener < at + 5 && !isToken(tokens, opener, "{")) opener = stepOver(tokens, opener);
  if (!isToken(tokens, opener, "{")) return at + 1;
  const closer = closerOf(tokens, opener);
  add(scan, "assembly", [at, closer]);
  return closer;
}

function addRevert(scan: Scan, at: number): void {
  const { tokens } = scan;
  if (isToken(tokens, at + 1, "(")) {
    const [first] = partsOf(tokens, at + 1);
    add(scan, "revert", [at, closerOf(tokens, at + 1)], first ? { reason: reasonOf(tokens, first) } : {});
    return;
  }
  let name = at + 1;
  while (isToken(tokens, name + 1, ".")) name += 2;
  if (tokens.kinds[name] !== KIND.word || !isToken(tokens, name + 1, "(")) return;
  add(scan, "revert", [at, closerOf(tokens, name + 1)], {
    reason: { kind: "error", name: tokenText(tokens, name) },
  });
}

function reasonOf(tokens: SourceTokens, [from, to]: readonly [number, number]): GivenReason {
  const indexes = Array.from({ length: to - from }, (_, offset) => from + offset);
  const isText = indexes.every((at) => tokens.kinds[at] === KIND.text || isToken(tokens, at, "unicode"));
  if (isText) return { kind: "text", text: indexes.map((at) => literalText(tokenText(tokens, at))).join("") };
  let name = from;
  while (isToken(tokens, name + 1, ".")) name += 2;
  const isCall =
    tokens.kinds[name] === KIND.word && isToken(tokens, name + 1, "(") && stepOver(tokens, name + 1) === to;
  return isCall ? { kind: "error", name: tokenText(tokens, name) } : { kind: "computed" };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\n": "" };

/** Returns the bytes of a literal, one character for each. */
function literalText(token: string): string {
  if (token === "unicode") return "";
  return token.slice(1, -1).replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])/g, (_, code: string) => {
    if (code.length === 3) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (code.length === 5) {
      const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return Buffer.from(letter, "utf8").toString("latin1");
    }
    return ESCAPES[code] ?? code;
  });
}

function addNew(scan: Scan, at: number): void {
  const { tokens } = scan;
  let opener = at + 1;
  while (tokens.kinds[opener] === KIND.word || isToken(tokens, opener, ".")) opener += 1;
  const isArray = isToken(tokens, opener, "[") || /^(bytes|string)$/.test(tokenText(tokens, opener - 1));
  while (isToken(tokens, opener, "[") || isToken(tokens, opener, "{")) opener = stepOver(tokens, opener);
  if (isToken(tokens, opener, "(")) add(scan, isArray ? "allocation" : "creation", [at, closerOf(tokens, opener)]);
}

/** Returns the `(` of `f{value: 1}(…)`. */
function callBehindOptions(tokens: SourceTokens, at: number): number | undefined {
  if (!isToken(tokens, at + 1, "{") || !isToken(tokens, at + 3, ":")) return undefined;
  const next = stepOver(tokens, at + 1);
  return isToken(tokens, next, "(") ? next : undefined;
}

const ELEMENTARY = /^(u?int\d*|address|payable|bytes\d*|bool|string|byte)$/;
const NO_CALLS =
  /^(if|while|for|catch|returns|return|mapping|function|type|emit|modifier|constructor|fallback|receive)$/;
const ENCODERS = /^(encode\w*|concat|push)$/;

function addCall(scan: Scan, at: number, word: string): void {
  const { tokens } = scan;
  const opener = callBehindOptions(tokens, at) ?? at + 1;
  const range = [at, closerOf(tokens, opener)] as const;
  if (isToken(tokens, at - 1, ".")) {
    const isEncoder = ENCODERS.test(word);
    const whole = [chainStart(tokens, at), range[1]] as const;
    if (word === "pop") add(scan, "pop", whole);
    else add(scan, isEncoder ? "allocation" : "member-call", whole, { name: word });
    return;
  }
  if (word === "require" || word === "assert") {
    const [, message] = partsOf(tokens, opener);
    add(scan, word, range, message === undefined ? {} : { reason: reasonOf(tokens, message) });
    return;
  }
  const isDeclared = isToken(tokens, at - 1, "function") || isToken(tokens, at - 1, "modifier");
  if (!isDeclared && !ELEMENTARY.test(word) && !NO_CALLS.test(word)) add(scan, "plain-call", range, { name: word });
}

/** Returns the first token of the expression before a member: `a` of `a.b[1].c(2).d`. */
function chainStart(tokens: SourceTokens, at: number): number {
  let first = at;
  while (isToken(tokens, first - 1, ".")) {
    first -= 2;
    while (tokens.kinds[first] === KIND.close && (tokens.partners[first] ?? -1) >= 0) {
      const opener = tokens.partners[first] ?? 0;
      const isSuffix = tokens.kinds[opener - 1] === KIND.word || tokens.kinds[opener - 1] === KIND.close;
      first = isSuffix ? opener - 1 : opener;
      if (!isSuffix) return first;
    }
  }
  return first;
}

const AFTER_TYPE = ["memory", "storage", "calldata"];

function scanBracket(scan: Scan, at: number): void {
  const { tokens } = scan;
  const before = tokens.kinds[at - 1];
  const isAfterValue = before === KIND.word || before === KIND.close;
  const closer = closerOf(tokens, at);
  if (isToken(tokens, at, "(") && before === KIND.close && !isToken(tokens, at - 1, "}"))
    add(scan, "plain-call", [at, closer]);
  if (!isToken(tokens, at, "[") || !isAfterValue || closer === at + 1) return;
  if (AFTER_TYPE.some((word) => isToken(tokens, closer + 1, word))) return;
  let isSlice = false;
  for (let inside = at + 1; inside < closer; inside = stepOver(tokens, inside))
    if (isToken(tokens, inside, ":") && !scan.tokens.text.slice(tokens.starts[at], tokens.starts[inside]).includes("?"))
      isSlice = true;
  add(scan, isSlice ? "slice" : "index", [at, closer]);
}

const OPERATORS = ["+", "-", "*", "++", "--", "/", "%"];

function scanMark(scan: Scan, at: number): number {
  const { tokens } = scan;
  const operator = OPERATORS.find((it) => isToken(tokens, at, it));
  if (operator === undefined) return at + 1;
  const isPower = operator === "*" && isToken(tokens, at + 1, "*");
  const isChecked = at > scan.uncheckedUntil;
  // A signed division overflows for the smallest number and -1.
  if (isChecked && operator !== "%") add(scan, "arithmetic", [at, at]);
  if (operator === "/" || operator === "%") add(scan, "division", [at, at]);
  return at + (isPower ? 2 : 1);
}

/** Reason and name of a construct. */
interface Details {
  readonly reason?: GivenReason;
  readonly name?: string;
}

function add(
  { tokens, points, statement }: Scan,
  kind: FailurePointKind,
  [first, last]: readonly [number, number],
  { reason = NO_REASON, name = "" }: Details = {},
): void {
  points.push({ kind, reason, name, statement, start: tokens.starts[first] ?? 0, end: tokens.ends[last] ?? 0 });
}

function closerOf(tokens: SourceTokens, opener: number): number {
  const closer = tokens.partners[opener] ?? -1;
  return closer < 0 ? tokens.count - 1 : closer;
}
