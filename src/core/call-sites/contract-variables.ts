import type { SourceValue } from "./call-site.ts";
import { isToken, KIND, type SourceTokens, tokenText } from "./source-tokens.ts";
import { type Constants, partsOf, readSourceValue } from "./source-value.ts";

/**
 * The addresses of variables that hold a contract, by the variable's name, where they stand in the source:
 * `const token = await tronWeb.contract().at("T…")` and `const token = tronWeb.contract(abi, "T…")`.
 * A name that is declared twice has no address: which of the two a call means depends on where it stands.
 */
export function contractAddresses(tokens: SourceTokens, constants: Constants): ReadonlyMap<string, SourceValue> {
  const addresses = new Map<string, SourceValue>();
  const seen = new Set<string>();
  const { count, kinds } = tokens;
  for (let at = 0; at < count; at += 1) {
    const mayCall = kinds[at] === KIND.word && kinds[at + 1] === KIND.open;
    if (!mayCall || !isToken(tokens, at, "contract") || !isToken(tokens, at + 1, "(")) continue;
    const name = variableBefore(tokens, at);
    if (name === undefined) continue;
    const address = addressAfter(tokens, at + 1, constants);
    if (address === undefined || seen.has(name)) addresses.delete(name);
    else addresses.set(name, address);
    seen.add(name);
  }
  return addresses;
}

/** The name in `name = [await] a.b.contract`, seen from `contract`. */
function variableBefore(tokens: SourceTokens, at: number): string | undefined {
  let first = at;
  while (isToken(tokens, first - 1, ".") && tokens.kinds[first - 2] === KIND.word) first -= 2;
  if (isToken(tokens, first - 1, "await")) first -= 1;
  const named = isToken(tokens, first - 1, "=") && tokens.kinds[first - 2] === KIND.word;
  return named && !isToken(tokens, first - 3, ".") ? tokenText(tokens, first - 2) : undefined;
}

function addressAfter(tokens: SourceTokens, opener: number, constants: Constants): SourceValue | undefined {
  const closer = tokens.partners[opener] ?? -1;
  if (closer < 0) return undefined;
  const hasAt =
    isToken(tokens, closer + 1, ".") && isToken(tokens, closer + 2, "at") && isToken(tokens, closer + 3, "(");
  const part = hasAt ? partsOf(tokens, closer + 3)[0] : partsOf(tokens, opener)[1];
  return part === undefined ? undefined : readSourceValue(tokens, ...part, constants);
}
