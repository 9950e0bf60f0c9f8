/** Why blocks prove nothing. The scan stays where it was; nothing was skipped. */
export type NoProof =
  /** A block is not there, also when an answer is `{}`. */
  | { readonly kind: "hole"; readonly height: number }
  | { readonly kind: "broken-link"; readonly height: number }
  /** Its transactions are not those that its id stands for, or cannot be checked. */
  | { readonly kind: "incomplete"; readonly height: number }
  /** The node's newest solidified block is older than what was read, or known, before. */
  | { readonly kind: "went-backwards"; readonly height: number; readonly newest: number }
  /** Solidified time has not reached the expiration. */
  | { readonly kind: "not-reached"; readonly newest: number }
  /** It is later than the clock of this computer by so many ms. */
  | { readonly kind: "future"; readonly height: number; readonly ahead: number }
  /** The full node does not have the solidified block of this height: it has none, or another one. */
  | { readonly kind: "not-in-head"; readonly height: number }
  /** Too few of the witnesses that were known before built on the last block. */
  | { readonly kind: "not-built-on"; readonly height: number; readonly built: number; readonly needed: number }
  /** A block without a signature that can be read, or with that of somebody else than its witness used before. */
  | { readonly kind: "stranger"; readonly height: number }
  /** A further URL of the network has another block at this height. */
  | { readonly kind: "differs-elsewhere"; readonly endpoint: string; readonly height: number }
  /** A further URL of the network holds the transaction. */
  | { readonly kind: "held-elsewhere"; readonly endpoint: string }
  | { readonly kind: "unreadable"; readonly message: string };

/** What to say of a transaction that refers to another chain. */
export const ON_ANOTHER_CHAIN =
  "The block that it refers to is not on this chain, so nothing is proven. Does the network still have the same URL? Nothing was replaced.";

const MS_A_MINUTE = 60_000;

/** The reason as a sentence that ends with what was not done. */
export function describeNoProof(reason: NoProof): string {
  return `${sentenceOf(reason)} Nothing was replaced.`;
}

/** The reason alone. */
export function sentenceOf(reason: NoProof): string {
  switch (reason.kind) {
    case "hole":
      return `Block ${reason.height} could not be read; the proof is incomplete.`;
    case "broken-link":
      return `Block ${reason.height} does not continue the chain; the proof is incomplete.`;
    case "incomplete":
      return `What block ${reason.height} is said to hold cannot be checked against its id; the proof is incomplete.`;
    case "went-backwards":
      return `The node is at solidified block ${reason.newest}, before block ${reason.height}; the proof is incomplete.`;
    case "not-reached":
      return `Solidified time has not reached the expiration at block ${reason.newest}.`;
    case "future": {
      const minutes = Math.ceil(reason.ahead / MS_A_MINUTE).toLocaleString("en-US");
      return `Block ${reason.height} is said to be ${minutes} minutes in the future; the proof is not believed. Is the clock of this computer right?`;
    }
    case "not-in-head":
      return `The full node does not have the solidified block ${reason.height}; the proof is not believed. Are both URLs of the network of the same chain?`;
    case "not-built-on":
      return `Only ${reason.built} of the ${reason.needed} witnesses that make block ${reason.height} final were seen to build on it.`;
    case "stranger":
      return `Block ${reason.height} is not signed as the blocks of its witness were before; the proof is not believed.`;
    case "differs-elsewhere":
      return `${reason.endpoint} has another block ${reason.height}: the URLs of the network follow different chains, and which is right is not known.`;
    case "held-elsewhere":
      return `${reason.endpoint} knows the transaction, so it may have been executed.`;
    case "unreadable":
      return `${reason.message} The proof is incomplete.`;
  }
}
