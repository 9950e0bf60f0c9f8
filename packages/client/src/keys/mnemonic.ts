import { randomInt } from "node:crypto";
import { ChainError } from "@finality/tron/errors";
import { generateMnemonic, mnemonicToSeedWebcrypto, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { t } from "@vscode/l10n";

/** Words of BIP-39 whose checksum fits. They are used and let go: nothing stores them. */
export type Mnemonic = readonly string[] & { readonly brand: "Mnemonic" };

/** What is wrong with words. None of them is in it but in `near`, which is for the eyes of who types alone. */
export type MnemonicFault =
  | { readonly kind: "length"; readonly count: number }
  /** @param position - from 1 */
  | { readonly kind: "unknown"; readonly position: number; readonly count: number; readonly near: readonly string[] }
  | { readonly kind: "language"; readonly count: number }
  | { readonly kind: "checksum" };

const LENGTHS: readonly number[] = [12, 15, 18, 21, 24];
const NEW_BITS = 128;
/** Words are told apart by their first four letters. */
const TELLING_LETTERS = 4;
const MOST_NEAR = 3;

const KNOWN: ReadonlySet<string> = new Set(wordlist);

/**
 * Reads 12, 15, 18, 21 or 24 words of the English list, whatever case and blanks they are written with.
 *
 * @throws {ChainError} `MNEMONIC_REFUSED`; no word ever enters the message
 */
export function readMnemonic(text: string): Mnemonic {
  const fault = mnemonicFault(text);
  if (fault !== undefined) throw new ChainError("MNEMONIC_REFUSED", { reason: reasonOf(fault) });
  return wordsOf(text) as readonly string[] as Mnemonic;
}

/** What is wrong with a text as a mnemonic; undefined when nothing is. */
export function mnemonicFault(text: string): MnemonicFault | undefined {
  const words = wordsOf(text);
  const count = words.length;
  const at = words.findIndex((it) => !KNOWN.has(it));
  if (count >= 6 && words.every((it) => !KNOWN.has(it))) return { kind: "language", count };
  if (at >= 0) return { kind: "unknown", position: at + 1, count, near: nearWords(words[at] ?? "") };
  if (!LENGTHS.includes(count)) return { kind: "length", count };
  return validateMnemonic(words.join(" "), wordlist) ? undefined : { kind: "checksum" };
}

/** Twelve new words, from the random numbers of the system. */
export function newMnemonic(): Mnemonic {
  return generateMnemonic(wordlist, NEW_BITS).split(" ") as readonly string[] as Mnemonic;
}

/**
 * The seed from which all keys of these words come (BIP-39), 64 bytes.
 *
 * @param passphrase - may be empty; another one gives other keys, and none is wrong
 */
export async function seedOf(words: Mnemonic, passphrase: string): Promise<Uint8Array> {
  return await mnemonicToSeedWebcrypto(words.join(" "), passphrase);
}

/** Which words are asked back: places from 1, in their order, each once. */
export function placesToAsk(count: number, asked: number): readonly number[] {
  const places = new Set<number>();
  while (places.size < Math.min(asked, count)) places.add(randomInt(count) + 1);
  return [...places].sort((a, b) => a - b);
}

function wordsOf(text: string): readonly string[] {
  const plain = text.normalize("NFKD").trim().toLowerCase();
  return plain === "" ? [] : plain.split(/\s+/);
}

/** Words of the list that begin as this one does, then those one letter away. */
function nearWords(word: string): readonly string[] {
  const start = word.slice(0, TELLING_LETTERS);
  const alike = wordlist.filter((it) => isOneLetterAway(word, it));
  const begin = start.length < TELLING_LETTERS - 1 ? [] : wordlist.filter((it) => it.startsWith(start));
  return [...new Set([...begin, ...alike])].slice(0, MOST_NEAR);
}

/** Whether one letter more, less or another one, or two that changed places, makes one of the other. */
function isOneLetterAway(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return isSwapped || short.slice(at + 1) === long.slice(at + 1);
}

function reasonOf(fault: MnemonicFault): string {
  switch (fault.kind) {
    case "length":
      return t`there are ${fault.count}, and a mnemonic has 12, 15, 18, 21 or 24`;
    case "unknown":
      return t`word ${fault.position} of ${fault.count} is not in the English list of BIP-39`;
    case "language":
      return t`none of them is in the English list of BIP-39, and lists of other languages are not read here`;
    case "checksum":
      return t`each is in the list, but their checksum does not fit: one is another word, or two changed places`;
  }
}
