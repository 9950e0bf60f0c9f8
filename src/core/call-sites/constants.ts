import type { GivenValue } from "../abi/given-value.ts";
import { isToken, type SourceTokens, tokenText } from "./source-tokens.ts";
import { readExpression } from "./source-value.ts";

const NOT_A_DECLARATION = new Set(["if", "while", "for", "switch", "with"]);

/**
 * The constants of a script that can be read without running it: `const NAME = <literal or a sum of such>`.
 * A name that the file declares a second time, or takes as a parameter, is left out: it may mean something else at the call.
 */
export function readConstants(tokens: SourceTokens): ReadonlyMap<string, GivenValue> {
  const constants = new Map<string, GivenValue>();
  const declared = namesBoundOtherwise(tokens);
  for (let at = 0; at < tokens.kinds.length; at += 1) {
    const name = declaredName(tokens, at);
    if (name === undefined) continue;
    const value = declared.has(name) ? undefined : initialValue(tokens, at, constants);
    if (value === undefined) constants.delete(name);
    else constants.set(name, value);
    declared.add(name);
  }
  return constants;
}

function declaredName(tokens: SourceTokens, at: number): string | undefined {
  return declares(tokens, at) && tokens.kinds[at + 1] === "word" ? tokenText(tokens, at + 1) : undefined;
}

function declares(tokens: SourceTokens, at: number): boolean {
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
  return read !== undefined && endsStatement(tokens, read.next) ? read.value : undefined;
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

/** Every word in a list of parameters, `(a, b) =>`, `(a) {`, `(a): Type`, `a =>`, and in a pattern, `const { a } =`. */
function namesBoundOtherwise(tokens: SourceTokens): Set<string> {
  const names = new Set<string>();
  for (let at = 0; at < tokens.kinds.length; at += 1) {
    const partner = tokens.partners[at] ?? -1;
    if (startsArrow(tokens, at + 1) && tokens.kinds[at] === "word") names.add(tokenText(tokens, at));
    if (partner > at && isToken(tokens, at, "(") && isParameterList(tokens, at, partner)) addWords(tokens, at, names);
    if (declares(tokens, at) && tokens.kinds[at + 1] === "open") addWords(tokens, at + 1, names);
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

function addWords(tokens: SourceTokens, opener: number, names: Set<string>): void {
  const closer = tokens.partners[opener] ?? opener;
  for (let at = opener + 1; at < closer; at += 1) if (tokens.kinds[at] === "word") names.add(tokenText(tokens, at));
}
