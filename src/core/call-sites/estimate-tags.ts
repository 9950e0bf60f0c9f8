import type { ReadValue } from "./call-site.ts";
import { isToken, type SourceTokens, tokenize, tokenText } from "./source-tokens.ts";
import { partsOf, readSourceValue } from "./source-value.ts";

const TAG = /@custom:estimate\b[ \t]*(.*)/g;

/**
 * The sample arguments in a function's documentation: `/// @custom:estimate TXYZ…, 1_000_000` gives one list of two values.
 * Values are separated by commas; numbers, texts in quotes and `[lists]` are read as in a script, and a bare word (an address,
 * the name of an account) is a text. A tag with a value that cannot be read gives no list.
 *
 * @param comments what stands before the function: its comments and blanks
 */
export function readEstimateTags(comments: string): readonly (readonly ReadValue[])[] {
  return [...comments.matchAll(TAG)]
    .map(([, written = ""]) => readSample(written.replace(/\*\/.*$/, "").trim()))
    .filter((sample) => sample !== undefined);
}

function readSample(written: string): readonly ReadValue[] | undefined {
  const tokens = tokenize(`(${written})`, "script");
  if (tokens.partners[0] !== tokens.kinds.length - 1) return undefined;
  const values = partsOf(tokens, 0).map(([from, to]) => readSampleValue(tokens, from, to));
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

function readSampleValue(tokens: SourceTokens, from: number, to: number): ReadValue | undefined {
  const isBareWord = to === from + 1 && tokens.kinds[from] === "word";
  if (isBareWord && !isToken(tokens, from, "true") && !isToken(tokens, from, "false")) return tokenText(tokens, from);
  return readSourceValue(tokens, from, to, new Map()).value;
}
