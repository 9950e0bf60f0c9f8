import type { TxId } from "@finality/tron/primitives";
import type { JournalEntry } from "./journal-entry.ts";

/** The entries of one kind. */
export type EntryOf<K extends JournalEntry["kind"]> = Extract<JournalEntry, { kind: K }>;

/**
 * The facts known about one txID, sorted by what they say. It is a set in effect: two windows may write in any order,
 * and whoever reads all of their facts gets the same history.
 */
export interface History {
  readonly txId: TxId;
  readonly signed: readonly EntryOf<"signed">[];
  readonly adopted: readonly EntryOf<"adopted">[];
  readonly started: readonly EntryOf<"broadcast-started">[];
  readonly answered: readonly EntryOf<"broadcast-answered">[];
  readonly headTime: EntryOf<"head-time"> | undefined;
  /** The first time it was seen in the pool. */
  readonly pool: EntryOf<"seen-in-pool"> | undefined;
  /** The newest word about the head view. */
  readonly head: EntryOf<"seen-in-head" | "lost-from-head"> | undefined;
  readonly solidified: EntryOf<"solidified"> | undefined;
  /** What others than its gateway say of an outcome, each once for each window that asked. */
  readonly secondWords: readonly EntryOf<"outcome-told">[];
  readonly notFound: EntryOf<"not-found"> | undefined;
  readonly absent: EntryOf<"proven-absent"> | undefined;
  /** More than one when two windows began a replacement at once; then none of the later ones was sent. */
  readonly replaced: readonly EntryOf<"replaced">[];
  readonly hidden: EntryOf<"hidden"> | undefined;
}

/** The history of a transaction of which no line was read yet. */
export function emptyHistory(txId: TxId): History {
  return {
    txId,
    signed: [],
    adopted: [],
    started: [],
    answered: [],
    secondWords: [],
    replaced: [],
    headTime: undefined,
    pool: undefined,
    head: undefined,
    solidified: undefined,
    notFound: undefined,
    absent: undefined,
    hidden: undefined,
  };
}

/** Whether others have its bytes, and may sign and send them. */
export function isShared({ signed }: History): boolean {
  return signed.some(({ signers }) => signers !== undefined);
}
