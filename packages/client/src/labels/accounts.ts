import { coinsText } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import type { KeyPolicy } from "../keys/key-policy.ts";

/** Location of the key of an account. */
export interface AccountKeyLocation {
  /** No key is stored: the account is watched only. */
  readonly watchOnly: boolean;
  /** Present if an external wallet holds the key. */
  readonly signer?: "outside";
}

/** Returns whether the extension stores the key, as opposed to an external wallet or nothing. */
export function hasStoredKey({ watchOnly, signer }: AccountKeyLocation): boolean {
  return !watchOnly && signer === undefined;
}

/** Returns whether the user added the account, as opposed to a local chain. */
export function isOwnAccount({ chain }: { readonly chain?: string }): boolean {
  return chain === undefined;
}

/** Returns the codicon that shows where the key of an account is. */
export function accountIcon({ watchOnly, signer }: AccountKeyLocation): string {
  if (watchOnly) return "eye";
  return signer === "outside" ? "browser" : "key";
}

/** Describes a key policy in a few words. */
export function policyText(policy: KeyPolicy): string {
  switch (policy.kind) {
    case "always-ask":
      return t`asks before each signature`;
    case "retype-above":
      return t`asks before each signature, and twice above ${coinsText(policy.amount)}`;
    case "never-real":
      return t`signs on local chains only`;
  }
}

/** Returns a name for the next account, with the first number that is not taken. */
export function nextLabel(taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const label = t`Account ${number}`;
    if (!taken.includes(label)) return label;
  }
}
