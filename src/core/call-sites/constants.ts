import type { InputValue } from "../abi/input-value.ts";
import { type Names, onlyDeclaration } from "./names.ts";
import { isToken, KIND, type SourceTokens } from "./source-tokens.ts";
import { pastAssertion, readExpression } from "./source-value.ts";

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
export function literalOfName(tokens: SourceTokens, names: Names, name: string): number | undefined {
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
