import type { AnyChainError } from "../errors/chain-error.ts";

/** What one broadcast proved. A value, not an exception: each case has a next step of its own. */
export type BroadcastOutcome =
  /** `result: true`: this node holds it. Not yet a success. */
  | { readonly kind: "accepted" }
  /**
   * `DUP_TRANSACTION_ERROR`: the node has seen this txID. It proves neither that it holds it nor why it refused it
   * before.
   */
  | { readonly kind: "already-known"; readonly message: string }
  /** The node says that it refused these bytes and did not keep them. `code` as it spells it, `message` decoded. */
  | { readonly kind: "rejected"; readonly code: string; readonly message: string }
  /**
   * No usable answer. The bytes may be on their way, so nothing may replace them before they expire. `turnedAway`:
   * whoever stands before the node refused the request in words of its own. Then the bytes were not sent as far as is
   * known, which proves nothing.
   */
  | { readonly kind: "unknown"; readonly cause: AnyChainError; readonly turnedAway?: true };

/** An outcome with the answer it was read from. */
export interface BroadcastAnswer {
  readonly outcome: BroadcastOutcome;
  /** The base URL that was asked. */
  readonly endpoint: string;
  /** The txID that the node computed; another one than ours means that it read other bytes. */
  readonly txId?: string;
  /** The body as it came, shortened to what a journal can hold; absent without one. */
  readonly raw?: string;
}
