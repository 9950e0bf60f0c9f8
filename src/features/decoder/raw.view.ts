import { counted } from "@finality/tron/format";
import { isHexPairs, stripHexPrefix, visibleText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { DecoderRaw } from "../../webview-messages/decoder.ts";

const MAX_TEXT = 50_000;
const MAX_WORDS = 256;
/** Marks that change the direction of text, join or hide letters, and characters that steer a terminal. */
const UNSEEN = /[^\P{Cc}\n\r\t]|\p{Cf}/gu;

/** The text letter by letter: what is not seen as its number, and encoded data in words. */
export function describeRaw(text: string): DecoderRaw {
  const digits = stripHexPrefix(text.trim());
  const words = wordsOf(digits);
  const lines = text.split("\n").length;
  const size =
    words.length > 0
      ? counted(digits.length / 2, t`byte of data`, t`bytes of data`)
      : counted(new TextEncoder().encode(text).length, t`byte`, t`bytes`);
  return {
    facts: [counted(text.length, t`character`, t`characters`), size, ...(lines > 1 ? [t`${lines} lines`] : [])],
    text: visibleText(text, MAX_TEXT),
    words,
  };
}

/** What a person should know of the text before she trusts her eyes. */
export function describeWarnings(text: string): readonly string[] {
  const unseen = text.match(UNSEEN) ?? [];
  if (unseen.length === 0) return [];
  const numbers = [...new Set(unseen.map((it) => visibleText(it).slice(1, -1)))].slice(0, 4).join(", ");
  const many = counted(unseen.length, t`character`, t`characters`);
  return [t`The text has ${many} that nobody sees (${numbers}). In the explanation they stand as numbers.`];
}

function wordsOf(digits: string): DecoderRaw["words"] {
  if (!isHexPairs(digits) || digits.length < 64) return [];
  const head = digits.length % 64 === 8 ? 8 : 0;
  const words = digits.slice(head, head + 64 * MAX_WORDS).match(/.{1,64}/g) ?? [];
  return [
    ...(head === 0 ? [] : [{ name: "selector", value: digits.slice(0, head) }]),
    ...words.map((value, index) => ({ name: `0x${(index * 32).toString(16).padStart(2, "0")}`, value })),
  ];
}
