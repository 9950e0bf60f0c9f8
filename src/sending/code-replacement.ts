import type { CodeIntent } from "@finality/client/estimates";
import type { Since } from "@finality/client/tracking";
import type { TxId } from "@finality/tron/primitives";
import type { SentTransaction } from "./transaction-kind.ts";

/** A call or a deployment to send again: in place of one that can never be executed, or because it failed. */
export interface CodeReplacement {
  readonly network: string;
  readonly intent: CodeIntent;
  /** The transaction that this one replaces, and its time. */
  readonly replaces?: TxId | undefined;
  readonly since?: Since | undefined;
  readonly label?: string | undefined;
  /** Reason of the last failure. If set, a new simulation chooses the `fee_limit`, unless one is given. */
  readonly lastFailure?: string | undefined;
  readonly feeLimit?: string | undefined;
  readonly acknowledgeUnknown?: readonly TxId[] | undefined;
  /** A program accepts that the simulation fails. */
  readonly acknowledgeFailure: boolean;
  readonly expirySeconds?: string | undefined;
  /** A program passed all arguments: the review is the only dialog, and the local chain shows none. */
  readonly unattended: boolean;
}

/** Simulates and sends it like a new request. Returns undefined if the user cancels. */
export type ReplaceCode = (order: CodeReplacement) => Promise<SentTransaction | undefined>;
