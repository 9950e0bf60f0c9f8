import type { mnemonicFault } from "@finality/client/keys";
import type { Checked } from "@finality/tron/format";
import { t } from "@vscode/l10n";

type Fault = ReturnType<typeof mnemonicFault>;

/**
 * Validates a mnemonic while it is typed. The message names the position of a wrong word and similar words, never
 * another word.
 */
export function checkWords(text: string, faultOf: (text: string) => Fault): Checked<string> {
  if (text.trim() === "") return { kind: "empty" };
  const fault = faultOf(text);
  if (fault === undefined)
    return { kind: "good", value: text, message: t`${countOf(text)} words with a valid checksum.` };
  return { kind: "wrong", message: messageOf(fault, /\s$/.test(text)) };
}

/** @param isWordDone - Whether a space follows the last word. */
function messageOf(fault: Exclude<Fault, undefined>, isWordDone: boolean): string {
  switch (fault.kind) {
    case "unknown":
      if (fault.position === fault.count && !isWordDone) return t`Word ${fault.position} is not in the list yet.`;
      return t`Word ${fault.position} is not in the English list of BIP-39.${meant(fault.near)}`;
    case "language":
      return t`None of these words is in the English list of BIP-39. Lists of other languages are not supported.`;
    case "length":
      return fault.count === 1
        ? t`${fault.count} word so far. A mnemonic has 12, 15, 18, 21 or 24.`
        : t`${fault.count} words so far. A mnemonic has 12, 15, 18, 21 or 24.`;
    case "checksum":
      return t`Each word is in the list, but the checksum does not match: one word is wrong, or two are swapped.`;
  }
}

function meant(near: readonly string[]): string {
  return near.length === 0 ? "" : t` Did you mean ${near.join(t` or `)}?`;
}

function countOf(text: string): number {
  return text.trim().split(/\s+/).length;
}

/** Formats the words with their numbers, one per line. */
export function numberedWords(words: readonly string[]): string {
  return words.map((word, index) => `${index + 1}. ${word}`).join("\n");
}
