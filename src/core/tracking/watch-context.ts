import type { JournalEntry } from "../journal/journal.ts";
import type { TxId } from "../primitives/hash.ts";
import type { BlockPace } from "./block-pace.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** What is watched, and where to put what is learned. */
export interface WatchSubject {
  /** The transactions that may still change. */
  readonly live: () => readonly TrackedTransaction[];
  readonly learned: (facts: readonly JournalEntry[]) => Promise<void>;
}

/** What the ways of watching one network share. */
export interface WatchContext extends WatchSubject {
  /** Those that can no longer enter the chain as far as was seen: a reason to stop asking, not yet a proof of absence. */
  readonly ended: Set<TxId>;
  /** Tells that a solidified block was read just now. */
  readonly sawSolid: (block: { readonly number: number; readonly timestamp: number }) => void;
  pace: BlockPace;
  /** The newest solidified chain time that was read, ms. */
  solidTime: number;
}
