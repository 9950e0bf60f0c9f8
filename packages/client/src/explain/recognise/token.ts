import { isHexPairs, stripHexPrefix } from "@finality/tron/primitives";
import type { ExplainContext } from "../result/explanation.ts";
import type { Finding } from "../words/finding.ts";
import type { Span } from "./objects.ts";
import { explainHex, explainNoData, explainOddHex } from "./hex.ts";
import { explainAddressText, explainBareWord } from "./word.ts";

/** Hex, an address, a word in capitals or a panic, in a text. */
export interface Token extends Span {
  readonly text: string;
}

/**
 * Forms of a token, for the decoder and for hovers alike. `\b` lets each match begin only at a word, so matching takes
 * time linear in the text.
 */
const TOKEN =
  /\b(?:0x[\da-fA-F]{8,}|[\da-fA-F]{16,}|T[1-9A-HJ-NP-Za-km-z]{33}|[A-Z][A-Z\d_]{2,40})\b|\bPanic\((?:uint256 )?(?:0x[\da-fA-F]{1,64}|\d{1,20})\)/g;

/** Words in capitals such as FACE are hex by chance. */
const MIN_HEX = 8;

/** The tokens of a text, in order. */
export function* tokensIn(text: string): Generator<Token> {
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.length < MIN_HEX && isHexPairs(token)) continue;
    yield { text: token, start: index, end: index + token.length };
  }
}

const MAX_WORD = 80;
/** Pairs were asked for before. Digits alone are a number. */
const ODD_HEX = /^(?:0x|(?=[0-9]*[a-f]))[0-9a-f]{9,}$/i;

/** Explains a text that is one token: a code, an address, or hex of any length. */
export function explainToken(text: string, context: ExplainContext): Finding | undefined {
  const word = text.replace(/^["'`]|["'`,;]{1,3}$/g, "");
  const digits = stripHexPrefix(word);
  if (isHexPairs(digits)) return explainHex(digits, context);
  if (/^0x$/i.test(word)) return explainNoData();
  if (ODD_HEX.test(word)) return explainOddHex(digits, context);
  if (word.length > MAX_WORD) return undefined;
  return explainBareWord(word, context) ?? explainAddressText(word);
}

