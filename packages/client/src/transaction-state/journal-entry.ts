import { blockReference } from "@finality/tron/primitives";
import {
  address,
  byKind,
  hex,
  integerText,
  listOf,
  mark,
  object,
  type ReadOf,
  text,
  txId,
  wholeNumber,
} from "@finality/tron/read";
import { readIntent } from "@finality/tron/transaction";
import { chainId } from "../gateway/network.ts";
import { evidenceFields, furtherEvidence } from "../proof/evidence.ts";
import { executionOutcome, seenBlock } from "./execution-outcome.ts";

const recordedOutcome = byKind({
  accepted: object({}),
  "already-known": object({ message: text }),
  rejected: object({ code: text, message: text }),
  unknown: object({ code: text, message: text }, { turnedAway: mark }),
});

/** An outcome of a broadcast as the journal keeps it: without the error object, whose sentence is kept instead. */
export type RecordedOutcome = ReadOf<typeof recordedOutcome>;

/** Fields of every line: the transaction, and the local time (Unix ms), which orders lines and proves nothing. */
const line = { txId, at: wholeNumber };

/** Reads each kind of entry. An entry is one fact, written once and never changed. */
export const entryKinds = {
  /** The signed bytes are safe. Written and synced before the first byte of them leaves. */
  signed: object(
    {
      ...line,
      network: text,
      intent: readIntent,
      rawDataHex: hex,
      signatures: listOf(hex),
      /** `raw_data.expiration`, chain time in ms. */
      expiration: wholeNumber,
      /** The solidified height before any signature was made: the transaction cannot be in an earlier block. */
      solidHeight: wholeNumber,
    },
    {
      /** Genesis block of the network at signing time; absent if it was unknown, and on lines of earlier versions. */
      chain: chainId,
      label: text,
      /**
       * Signers of these signatures, in their order; present if the bytes were exported to a file or imported from one.
       * Any party that has the bytes may sign and send them. Signatures collected by several windows count together. A
       * line without it supersedes earlier signatures.
       */
      signers: listOf(address),
      /** The transaction that this one takes the place of, which is proven never to execute. */
      replaces: txId,
      /** Energy that the contract call was estimated to need when it was signed. */
      estimatedEnergy: wholeNumber,
      /**
       * The threshold of the permission, and the weight of each of these signatures, in their order; 0 is a key that has
       * no part in it. As the gateway said when the bytes were stored.
       */
      quorum: object({ threshold: integerText, weights: listOf(integerText) }),
    },
  ),
  /** Transaction of another sender, tracked by its txID alone. */
  adopted: object({ ...line, network: text }, { chain: chainId, label: text }),
  /** Bytes may leave from here on. Without its answer, the outcome of this attempt is unknown. */
  "broadcast-started": object({ ...line, attempt: wholeNumber, endpoint: text }),
  "broadcast-answered": object(
    { ...line, attempt: wholeNumber, endpoint: text, outcome: recordedOutcome },
    { answeredTxId: text, raw: text },
  ),
  /**
   * Chain time of the head (ms) after a refusal as expired: it tells an expiration that is over from one too far ahead.
   */
  "head-time": object({ ...line, time: wholeNumber }),
  "seen-in-pool": object(line),
  "seen-in-head": object({ ...line, block: seenBlock }, { outcome: executionOutcome }),
  /** A head block held it before and the chain does not any more. */
  "lost-from-head": object(line),
  solidified: object({ ...line, block: blockReference, outcome: executionOutcome }),
  /**
   * Outcome that another URL of the network reports for a transaction that failed according to its gateway: no block
   * hash covers a receipt.
   */
  "outcome-told": object({ ...line, endpoint: text, outcome: executionOutcome }),
  /** Refused, and looked for by its txID once solidified time (ms) had reached its expiration: nothing showed it. */
  "not-found": object({ ...line, time: wholeNumber }),
  /** Every solidified block that could have held it was read, and none does. */
  "proven-absent": object({ ...line, ...evidenceFields }, furtherEvidence),
  /** Another transaction takes its place. Written and synced before the first byte of that one leaves. */
  replaced: object({ ...line, by: txId }),
  /** The person does not want to see it any more. Its facts stay. */
  hidden: object(line),
};

/** Reads an entry of a kind that this version knows. */
export const readEntry = byKind(entryKinds);

/** One fact, written once and never changed. The state of a transaction is the replay of its facts. */
export type JournalEntry = ReadOf<typeof readEntry>;

/** Result of reading the journal. No readable entry is ever omitted. */
export interface LoadedJournal {
  readonly entries: readonly JournalEntry[];
  /** Sentences for people about what could not be read and where it was kept. */
  readonly warnings: readonly string[];
}

/** The port through which core remembers. */
export interface JournalStore {
  load(): Promise<LoadedJournal>;
  /** Resolves when the entries are on disk, synced. @throws {ChainError} `JOURNAL_UNWRITABLE` */
  append(entries: readonly JournalEntry[]): Promise<void>;
  /**
   * Resolves when listeners were told every entry that another window had on disk by now. Absent where there is one
   * writer only.
   */
  catchUp?(): Promise<void>;
  /**
   * As `append`, and then listeners were told what other windows have on disk.
   *
   * @returns what they wrote behind these entries: everything else that listeners heard of stands before them
   * @throws {ChainError} `JOURNAL_UNWRITABLE`; `JOURNAL_LOST` when another program took lines away a moment ago, so
   *   that their order decides nothing
   */
  appendInOrder?(entries: readonly JournalEntry[]): Promise<readonly JournalEntry[]>;
  /** Entries that another window wrote, in the order of the file. Absent where there is one writer only. */
  readonly onDidAppend?: (listener: (entries: readonly JournalEntry[]) => void) => { dispose(): void };
}
