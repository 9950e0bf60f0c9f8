import { ChainError } from "@finality/tron/errors";
import type { PrivateKey } from "@finality/tron/transaction";
import { HDKey } from "@scure/bip32";
import { t } from "@vscode/l10n";

/** A path of BIP-32 from the root to a key, such as m/44'/195'/0'/0/0. */
export type KeyPath = string & { readonly brand: "KeyPath" };

/** Where wallets of this chain keep the first account: coin type 195 (SLIP-44), BIP-44. */
export const FIRST_PATH = "m/44'/195'/0'/0/0" as KeyPath;

/** Numbers from here are the hardened ones. */
const HARDENED = 0x8000_0000;
const DEEPEST = 10;

/**
 * Reads a path as people write it: hardened steps end in ', h or H.
 *
 * @throws {ChainError} `KEY_PATH_MALFORMED`; nothing of the text enters the message, for it may be a secret at a wrong place
 * @example
 * parseKeyPath("m/44h/195h/0h/0/2"); // "m/44'/195'/0'/0/2"
 */
export function parseKeyPath(text: string): KeyPath {
  const [root, ...steps] = text.trim().split("/");
  const refused = (reason: string) => new ChainError("KEY_PATH_MALFORMED", { reason });
  if (root !== "m") throw refused(t`it has to begin with m/`);
  if (steps.length === 0 || steps.length > DEEPEST) throw refused(t`it has to have 1 to ${DEEPEST} steps`);
  const read = steps.map((step, index) => {
    const [, digits = "", mark = ""] = /^(\d{1,10})(['hH]?)$/.exec(step) ?? [];
    if (digits === "") throw refused(t`its step ${index + 1} is no number, with or without '`);
    if (Number(digits) >= HARDENED) throw refused(t`its step ${index + 1} is above ${HARDENED - 1}`);
    return `${Number(digits)}${mark === "" ? "" : "'"}`;
  });
  return `m/${read.join("/")}` as KeyPath;
}

/** This path and those after it, by their last number. @param count - fewer are given where numbers end */
export function pathsFrom(path: KeyPath, count: number): readonly KeyPath[] {
  const [, start = "", last = "", mark = ""] = /^(.*\/)(\d+)('?)$/.exec(path) ?? [];
  const first = Number(last);
  const all = Array.from({ length: count }, (_, index) => first + index);
  return all.filter((it) => it < HARDENED).map((it) => `${start}${it}${mark}` as KeyPath);
}

/**
 * The key at a path (BIP-32).
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
