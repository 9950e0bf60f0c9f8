import type { SourceValue } from "./call-site.ts";
import { declares, isAssigned, type Names } from "./names.ts";
import { isDot, isToken, KIND, type SourceTokens, tokenText } from "./source-tokens.ts";
import { type Constants, partsOf, readSourceValue } from "./source-value.ts";

/**
 * The addresses of variables that hold a contract, by the variable's name, where they stand in the source:
 * `const token = await tronWeb.contract().at("T…")` and `const token = tronWeb.contract(abi, "T…")`.
 * A name that may mean something else has no address: which of the two a call means depends on where it stands.
 */
export function contractAddresses(
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
export function addressBefore(tokens: SourceTokens, last: number, constants: Constants): SourceValue | undefined {
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
