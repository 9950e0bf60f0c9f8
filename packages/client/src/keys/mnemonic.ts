import { randomInt } from "node:crypto";
import { ChainError } from "@finality/tron/errors";
import type { PrivateKey } from "@finality/tron/transaction";
import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedWebcrypto, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { t } from "@vscode/l10n";

/** BIP-39 words with a valid checksum. They are never stored. */
export type Mnemonic = readonly string[] & { readonly brand: "Mnemonic" };

/** Problem of a mnemonic. Only `near` contains a word; show it to the person who types and nowhere else. */
export type MnemonicFault =
  | { readonly kind: "length"; readonly count: number }
  /** @param position - from 1 */
  | { readonly kind: "unknown"; readonly position: number; readonly count: number; readonly near: readonly string[] }
  | { readonly kind: "language"; readonly count: number }
  | { readonly kind: "checksum" };

const LENGTHS: readonly number[] = [12, 15, 18, 21, 24];
const NEW_BITS = 128;
/** The first four letters identify a word. */
const DISTINCT_LETTERS = 4;
const MOST_NEAR = 3;

const KNOWN: ReadonlySet<string> = new Set(wordlist);

/**
 * Parses 12, 15, 18, 21 or 24 words of the English list, in any case and spacing.
 *
 * @throws {ChainError} `MNEMONIC_REFUSED`; the message never contains a word
 */
export function readMnemonic(text: string): Mnemonic {
  const fault = mnemonicFault(text);
  if (fault !== undefined) throw new ChainError("MNEMONIC_REFUSED", { reason: reasonOf(fault) });
  return wordsOf(text) as readonly string[] as Mnemonic;
}

/** Returns the problem of a text as a mnemonic; undefined if it is valid. */
export function mnemonicFault(text: string): MnemonicFault | undefined {
  const words = wordsOf(text);
  const count = words.length;
  const at = words.findIndex((it) => !KNOWN.has(it));
  if (count >= 6 && words.every((it) => !KNOWN.has(it))) return { kind: "language", count };
  if (at >= 0) return { kind: "unknown", position: at + 1, count, near: nearWords(words[at] ?? "") };
  if (!LENGTHS.includes(count)) return { kind: "length", count };
  return validateMnemonic(words.join(" "), wordlist) ? undefined : { kind: "checksum" };
}

/** Generates twelve words from the system's random numbers. */
export function newMnemonic(): Mnemonic {
  return generateMnemonic(wordlist, NEW_BITS).split(" ") as readonly string[] as Mnemonic;
}

/**
 * Returns the seed of all keys of these words (BIP-39), 64 bytes.
 *
 * @param passphrase - May be empty; each passphrase gives different, valid keys.
 */
export async function seedOf(words: Mnemonic, passphrase: string): Promise<Uint8Array> {
  return await mnemonicToSeedWebcrypto(words.join(" "), passphrase);
}

/** Returns the positions of words to confirm: from 1, ascending, distinct. */
export function positionsToConfirm(count: number, limit: number): readonly number[] {
  const places = new Set<number>();
  while (places.size < Math.min(limit, count)) places.add(randomInt(count) + 1);
  return [...places].sort((a, b) => a - b);
}

function wordsOf(text: string): readonly string[] {
  const plain = text.normalize("NFKD").trim().toLowerCase();
  return plain === "" ? [] : plain.split(/\s+/);
}

/** Returns list words that begin like this one, then those that differ by one letter. */
function nearWords(word: string): readonly string[] {
  const start = word.slice(0, DISTINCT_LETTERS);
  const alike = wordlist.filter((it) => isOneLetterAway(word, it));
  const begin = start.length < DISTINCT_LETTERS - 1 ? [] : wordlist.filter((it) => it.startsWith(start));
  return [...new Set([...begin, ...alike])].slice(0, MOST_NEAR);
}

/** Returns true if one insertion, deletion, replacement or swap of letters turns one word into the other. */
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
      return t`there are ${fault.count}, but a mnemonic has 12, 15, 18, 21 or 24`;
    case "unknown":
      return t`word ${fault.position} of ${fault.count} is not in the English list of BIP-39`;
    case "language":
      return t`none of them is in the English list of BIP-39; lists of other languages are not supported`;
    case "checksum":
      return t`each is in the list, but the checksum does not match: one word is wrong, or two are swapped`;
  }
}

/** Path of BIP-32 from the root to a key, such as m/44'/195'/0'/0/0. */
export type KeyPath = string & { readonly brand: "KeyPath" };

/** Default path of wallets for the first account: coin type 195 (SLIP-44), BIP-44. */
export const FIRST_PATH = "m/44'/195'/0'/0/0" as KeyPath;

/** Indexes from here on are hardened. */
const HARDENED = 0x8000_0000;
const DEEPEST = 10;

/**
 * Parses a path: hardened steps end in ', h or H.
 *
 * @throws {ChainError} `KEY_PATH_MALFORMED`; the message never contains the text, which may be a misplaced secret
 * @example
 * parseKeyPath("m/44h/195h/0h/0/2"); // "m/44'/195'/0'/0/2"
 */
export function parseKeyPath(text: string): KeyPath {
  const [root, ...steps] = text.trim().split("/");
  const refused = (reason: string) => new ChainError("KEY_PATH_MALFORMED", { reason });
  if (root !== "m") throw refused(t`it must begin with m/`);
  if (steps.length === 0 || steps.length > DEEPEST) throw refused(t`it must have 1 to ${DEEPEST} steps`);
  const read = steps.map((step, index) => {
    const [, digits = "", mark = ""] = /^(\d{1,10})(['hH]?)$/.exec(step) ?? [];
    if (digits === "") throw refused(t`its step ${index + 1} is not a number, with or without '`);
    if (Number(digits) >= HARDENED) throw refused(t`its step ${index + 1} is above ${HARDENED - 1}`);
    return `${Number(digits)}${mark === "" ? "" : "'"}`;
  });
  return `m/${read.join("/")}` as KeyPath;
}

/**
 * Returns this path and the following ones, by their last index.
 *
 * @param count - Fewer are returned at the end of the range.
 */
export function pathsFrom(path: KeyPath, count: number): readonly KeyPath[] {
  const [, start = "", last = "", mark = ""] = /^(.*\/)(\d+)('?)$/.exec(path) ?? [];
  const first = Number(last);
  const all = Array.from({ length: count }, (_, index) => first + index);
  return all.filter((it) => it < HARDENED).map((it) => `${start}${it}${mark}` as KeyPath);
}

/**
 * Derives the key at a path (BIP-32).
 *
 * @param seed - 64 bytes of `seedOf`
 */
export function keyAt(seed: Uint8Array, path: KeyPath): PrivateKey {
  const root = HDKey.fromMasterSeed(seed);
  const node = root.derive(path);
  const key = Uint8Array.from(node.privateKey ?? []);
  node.wipePrivateData();
  root.wipePrivateData();
  return key as PrivateKey;
}
