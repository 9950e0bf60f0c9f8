import type { CodeIntent } from "@finality/client/estimates";
import type { Since } from "@finality/client/tracking";
import type { TxId } from "@finality/tron/primitives";
import type { SentTransaction } from "./transaction-kind.ts";

/**
 * A call or a deployment that is to be done again by a new transaction: in the place of one that can never be executed
 * any more, or because it failed.
 */
export interface CodeReplacement {
  readonly network: string;
  readonly intent: CodeIntent;
  /** The transaction whose place it takes, and when that one was signed. */
  readonly replaces?: TxId | undefined;
  readonly since?: Since | undefined;
  readonly label?: string | undefined;
  /** How it failed the last time: then the `fee_limit` comes from a new simulation, unless one is given. */
  readonly lastFailure?: string | undefined;
  readonly feeLimit?: string | undefined;
  readonly acknowledgeUnknown?: readonly TxId[] | undefined;
  /** It may be signed although the simulation says that it would fail. */
  readonly acknowledgeFailure: boolean;
  readonly expirySeconds?: string | undefined;
  /** A program passed every argument: the review is the only dialog, and there is none on the local chain. */
  readonly unattended: boolean;
}

/** Simulates, shows and sends it as if it was asked for anew. @returns undefined when the person left */
export type ReplaceCode = (order: CodeReplacement) => Promise<SentTransaction | undefined>;
