import type { GivenValue } from "../abi/given-value.ts";
import { isToken, KIND, type SourceTokens, tokenText } from "./source-tokens.ts";
import { readExpression } from "./source-value.ts";

const NOT_A_DECLARATION = new Set(["if", "while", "for", "switch", "with"]);

/**
 * The constants of a script that can be read without running it: `const NAME = <literal or a sum of such>`.
 * A name that the file declares a second time, or takes as a parameter, is left out: it may mean something else at the call.
 */
export function readConstants(tokens: SourceTokens): ReadonlyMap<string, GivenValue> {
  const constants = new Map<string, GivenValue>();
  const { declarations, otherwise: declared } = readBindings(tokens);
  for (const at of declarations) {
    const name = tokenText(tokens, at + 1);
    const value = declared.has(name) ? undefined : initialValue(tokens, at, constants);
    if (value === undefined) constants.delete(name);
    else constants.set(name, value);
    declared.add(name);
  }
  return constants;
}

interface Bindings {
  /** The tokens `const`, `let` and `var` before one name. */
  readonly declarations: readonly number[];
  /** Every word in a list of parameters, `(a, b) =>`, `(a) {`, `(a): Type`, `a =>`, and in a pattern, `const { a } =`. */
  readonly otherwise: Set<string>;
}

function readBindings(tokens: SourceTokens): Bindings {
  const { kinds, partners } = tokens;
  const declarations: number[] = [];
  const otherwise = new Set<string>();
  for (let at = 0; at < tokens.count; at += 1) {
    const kind = kinds[at];
    if (kind === KIND.word && declares(tokens, at)) {
      if (kinds[at + 1] === KIND.word) declarations.push(at);
      else if (kinds[at + 1] === KIND.open) addWords(tokens, at + 1, otherwise);
    } else if (kind === KIND.open) {
      const partner = partners[at] ?? -1;
      if (partner > at && isToken(tokens, at, "(") && isParameterList(tokens, at, partner))
        addWords(tokens, at, otherwise);
    } else if (kind === KIND.mark && kinds[at - 1] === KIND.word && startsArrow(tokens, at))
      otherwise.add(tokenText(tokens, at - 1));
  }
  return { declarations, otherwise };
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
  const { text, count, kinds, starts, ends } = tokens;
  if (next >= count || isToken(tokens, next, ";") || isToken(tokens, next, ",")) return true;
  const onNextLine = text.slice(ends[next - 1], starts[next]).includes("\n");
  return onNextLine && (kinds[next] === KIND.word || kinds[next] === KIND.close);
}

function isParameterList(tokens: SourceTokens, opener: number, closer: number): boolean {
  const next = closer + 1;
  if (!isToken(tokens, next, "{") && !isToken(tokens, next, ":") && !startsArrow(tokens, next)) return false;
  return opener === 0 || !NOT_A_DECLARATION.has(tokenText(tokens, opener - 1));
}

function startsArrow(tokens: SourceTokens, at: number): boolean {
  return isToken(tokens, at, "=") && isToken(tokens, at + 1, ">") && tokens.ends[at] === tokens.starts[at + 1];
}

function addWords(tokens: SourceTokens, opener: number, names: Set<string>): void {
  const closer = tokens.partners[opener] ?? opener;
  for (let at = opener + 1; at < closer; at += 1) if (tokens.kinds[at] === KIND.word) names.add(tokenText(tokens, at));
}
