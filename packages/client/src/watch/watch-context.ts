import type { TxId } from "@finality/tron/primitives";
import type { Block } from "../gateway/gateway.ts";
import type { JournalEntry } from "../life/journal-entry.ts";
import type { TrackedTransaction } from "../life/tracked-transaction.ts";
import type { BlockPace } from "./block-pace.ts";
import type { LookFailures } from "./look-failures.ts";

/** What is watched, and where to put what is learned. */
export interface WatchSubject {
  /** The transactions that may still change. */
  readonly live: () => readonly TrackedTransaction[];
  /** The transactions that a gateway refused: whoever reads blocks looks for them as well. */
  readonly refused: () => readonly TrackedTransaction[];
  readonly learned: (facts: readonly JournalEntry[]) => Promise<void>;
}

/** What the ways of watching one network share. */
export interface WatchContext extends WatchSubject {
  /**
   * Those that can no longer enter the chain as far as was seen: a reason to stop asking, not yet a proof of absence.
   */
  readonly ended: Set<TxId>;
  /** Tells that a solidified block was read just now, and after which height all blocks before it were. */
  readonly sawSolid: (block: { readonly number: number; readonly timestamp: number }, readFrom?: number) => void;
  /** Hands on blocks that were read, in order and linked. */
  readonly sawBlocks: (blocks: readonly Block[]) => void;
  readonly failures: LookFailures;
  pace: BlockPace;
  /** The newest solidified chain time that was read, ms. */
  solidTime: number;
}
