import { readSampleCall, type SampleCall } from "./call-file.ts";
import type { TextRange } from "./call-site.ts";
import { isToken, KIND, type SourceTokens, tokenize, tokenText } from "./source-tokens.ts";
import { partsOf, rangeOf, stepOver } from "./source-value.ts";

type ContractKind = "contract" | "abstract" | "interface" | "library";
type Mutability = "pure" | "view" | "payable" | "nonpayable";

/**
 * Parameter as written. An elementary type has the ABI's spelling: `uint` is `uint256`, `address payable` is `address`.
 */
interface SolidityParameter {
  readonly type: string;
  readonly name: string;
}

/** Constructor, or a function that can be called from outside. */
export interface SolidityCallable {
  readonly kind: "function" | "constructor";
  /** Empty for a constructor. */
  readonly name: string;
  /** The name, or the word `constructor`: location of the lens. */
  readonly range: TextRange;
  readonly parameters: readonly SolidityParameter[];
  readonly mutability: Mutability;
  /** Sample calls of its `@custom:estimate` tags. */
  readonly samples: readonly SampleCall[];
}

export interface SolidityContract {
  readonly kind: ContractKind;
  readonly name: string;
  readonly range: TextRange;
  readonly callables: readonly SolidityCallable[];
}

/**
 * Finds the contracts of a Solidity source with their constructors and their external and public functions, in source
 * order. Total: incomplete code gives its readable part; comments and strings give nothing.
 */
export function findSolidityContracts(text: string): readonly SolidityContract[] {
  const tokens = tokenize(text, "solidity");
  const contracts: SolidityContract[] = [];
  for (let at = 0; at < tokens.count; ) {
    const contract = readContract(tokens, at);
    if (contract !== undefined) contracts.push(contract.read);
    at = contract?.next ?? stepOver(tokens, at);
  }
  return contracts;
}

function readContract(tokens: SourceTokens, at: number): { read: SolidityContract; next: number } | undefined {
  const kind = contractKind(tokens, at);
  if (kind === undefined || tokens.kinds[at + 1] !== KIND.word) return undefined;
  const body = bodyOf(tokens, at + 2);
  if (body === undefined) return undefined;
  const closer = tokens.partners[body] ?? -1;
  const end = closer < 0 ? tokens.count : closer;
  const read: SolidityContract = {
    kind,
    name: tokenText(tokens, at + 1),
    range: rangeOf(tokens, at, Math.min(end + 1, tokens.count)),
    callables: readCallables(tokens, body + 1, end),
  };
  return { read, next: end + 1 };
}

function contractKind(tokens: SourceTokens, at: number): ContractKind | undefined {
  if (isToken(tokens, at, "contract")) return isToken(tokens, at - 1, "abstract") ? "abstract" : "contract";
  if (isToken(tokens, at, "interface")) return "interface";
  return isToken(tokens, at, "library") ? "library" : undefined;
}

/** Returns the `{` of a contract. A `;` or `}` before it means that this is no declaration. */
function bodyOf(tokens: SourceTokens, from: number): number | undefined {
  for (let at = from; at < tokens.count; at = stepOver(tokens, at)) {
    if (isToken(tokens, at, "{")) return at;
    if (isToken(tokens, at, ";") || isToken(tokens, at, "}") || isToken(tokens, at, "=")) return undefined;
  }
  return undefined;
}

function readCallables(tokens: SourceTokens, from: number, to: number): readonly SolidityCallable[] {
  const callables: SolidityCallable[] = [];
  for (let at = from; at < to; at = stepOver(tokens, at)) {
    const callable = readCallable(tokens, at);
    if (callable !== undefined) callables.push(callable);
  }
  return callables;
}

function readCallable(tokens: SourceTokens, at: number): SolidityCallable | undefined {
  const isConstructor = isToken(tokens, at, "constructor");
  if (!isConstructor && !(isToken(tokens, at, "function") && tokens.kinds[at + 1] === KIND.word)) return undefined;
  const opener = isConstructor ? at + 1 : at + 2;
  const closer = tokens.partners[opener] ?? -1;
  if (!isToken(tokens, opener, "(") || closer < 0) return undefined;
  const attributes = attributesAfter(tokens, closer + 1);
  if (!isConstructor && !attributes.has("external") && !attributes.has("public")) return undefined;
  return {
    kind: isConstructor ? "constructor" : "function",
    name: isConstructor ? "" : tokenText(tokens, at + 1),
    range: isConstructor ? rangeOf(tokens, at, at + 1) : rangeOf(tokens, at + 1, at + 2),
    parameters: partsOf(tokens, opener).map(([first, end]) => readParameter(tokens, first, end)),
    mutability: MUTABILITIES.find((mutability) => attributes.has(mutability)) ?? "nonpayable",
    samples: readEstimateTags(tokens.text.slice(tokens.ends[at - 1] ?? 0, tokens.starts[at])),
  };
}

const MUTABILITIES = ["pure", "view", "payable"] as const;

/**
 * Returns the words between parameters and body. Bracketed content (modifiers' arguments, returned values) is skipped.
 */
function attributesAfter(tokens: SourceTokens, from: number): ReadonlySet<string> {
  const attributes = new Set<string>();
  for (let at = from; at < tokens.count; at = stepOver(tokens, at)) {
    if (
      isToken(tokens, at, "{") ||
      isToken(tokens, at, "}") ||
      isToken(tokens, at, ";") ||
      isToken(tokens, at, "function")
    )
      break;
    if (tokens.kinds[at] === KIND.word) attributes.add(tokenText(tokens, at));
  }
  return attributes;
}

const LOCATIONS = new Set(["memory", "calldata", "storage", "payable"]);
const ALIASES: Readonly<Record<string, string>> = { uint: "uint256", int: "int256", byte: "bytes1" };

function readParameter(tokens: SourceTokens, from: number, to: number): SolidityParameter {
  let at = from + 1;
  while (isToken(tokens, at, ".") && at < to) at += 2;
  const word = tokens.text.slice(tokens.starts[from], tokens.ends[Math.min(at, to) - 1]);
  const typeStart = at;
  while (at < to && (tokens.kinds[at] === KIND.open || isToken(tokens, at, "payable"))) at = stepOver(tokens, at);
  const arrays = tokens.text.slice(tokens.ends[typeStart - 1], tokens.ends[at - 1]).replace(/payable|\s/g, "");
  const names = Array.from({ length: Math.max(0, to - at) }, (_, offset) => tokenText(tokens, at + offset));
  return { type: (ALIASES[word] ?? word) + arrays, name: names.find((name) => !LOCATIONS.has(name)) ?? "" };
}

const TAG = /@custom:estimate\b[ \t]*(.*)/g;

/**
 * Parses the sample calls in a function's documentation, each with the fields of a call file as JSON on one line: `///
 * @custom:estimate {"caller": "Bob", "arguments": ["TXYZ…", "1000000"]}`. An invalid tag has a `problem`.
 *
 * @param comments - Comments and whitespace before the function.
 */
function readEstimateTags(comments: string): readonly SampleCall[] {
  return [...comments.matchAll(TAG)].map(([, written = ""]) => readSampleCall(written.replace(/\*\/.*$/, "").trim()));
}
