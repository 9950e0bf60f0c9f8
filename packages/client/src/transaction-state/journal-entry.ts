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

/** Outcome of a broadcast as stored in the journal: the message instead of the error object. */
export type RecordedOutcome = ReadOf<typeof recordedOutcome>;

/** Fields of every line: the transaction, and the local time (Unix ms), which orders lines and proves nothing. */
const line = { txId, at: wholeNumber };

/** Parses each kind of entry. An entry is one fact, written once and never changed. */
export const entryKinds = {
  /** Signed bytes. Written and synced before the first byte of them is sent. */
  signed: object(
    {
      ...line,
      network: text,
      intent: readIntent,
      rawDataHex: hex,
      signatures: listOf(hex),
      /** `raw_data.expiration`, chain time in ms. */
      expiration: wholeNumber,
      /** Solidified height before any signature: the transaction cannot be in an earlier block. */
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
      /** Transaction that this one replaces and that is proven never to execute. */
      replaces: txId,
      /** Estimated energy of the contract call at signing time. */
      estimatedEnergy: wholeNumber,
      /** Signature of the called function, from the ABI that the call was built with. */
      functionSignature: text,
      /** Id of the proposal of an agent that became this transaction: no proposal becomes two. */
      proposal: text,
      /** Row of a run whose attempt it is. Rows with equal intents are different payments. */
      run: object({ id: text, row: wholeNumber }),
      /**
       * Threshold of the permission, and the weight of each of these signatures, in order; 0 for a key that has no part
       * in it. As the gateway reported when the bytes were stored.
       */
      quorum: object({ threshold: integerText, weights: listOf(integerText) }),
    },
  ),
  /** Transaction of another sender, tracked by its txID alone. */
  adopted: object({ ...line, network: text }, { chain: chainId, label: text }),
  /** Bytes may be sent from here on. Without its answer, the outcome of this attempt is unknown. */
  "broadcast-started": object({ ...line, attempt: wholeNumber, endpoint: text }),
  "broadcast-answered": object(
    { ...line, attempt: wholeNumber, endpoint: text, outcome: recordedOutcome },
    { answeredTxId: text, raw: text },
  ),
  /**
   * Chain time of the head (ms) after a refusal as expired: distinguishes an expiration in the past from one too far
   * ahead.
   */
  "head-time": object({ ...line, time: wholeNumber }),
  "seen-in-pool": object(line),
  "seen-in-head": object({ ...line, block: seenBlock }, { outcome: executionOutcome }),
  /** A head block contained it before, and the chain no longer does. */
  "lost-from-head": object(line),
  solidified: object({ ...line, block: blockReference, outcome: executionOutcome }),
  /**
   * Outcome that another URL of the network reports for a transaction that failed according to its gateway: no block
   * hash covers a receipt.
   */
  "outcome-told": object({ ...line, endpoint: text, outcome: executionOutcome }),
  /** Refused, and not found by its txID after solidified time (ms) had reached its expiration. */
  "not-found": object({ ...line, time: wholeNumber }),
  /** Every solidified block that could contain it was read, and none does. */
  "proven-absent": object({ ...line, ...evidenceFields }, furtherEvidence),
  /** Another transaction replaces it. Written and synced before the first byte of that one is sent. */
  replaced: object({ ...line, by: txId }),
  /** The user hid it from the list. Its facts stay. */
  hidden: object(line),
};

/** Parses an entry of a kind that this version knows. */
export const readEntry = byKind(entryKinds);

/** One fact, written once and never changed. The state of a transaction is the replay of its facts. */
export type JournalEntry = ReadOf<typeof readEntry>;

/** Result of reading the journal. No readable entry is ever omitted. */
export interface LoadedJournal {
  readonly entries: readonly JournalEntry[];
  /** Messages about unreadable lines and where they were saved. */
  readonly warnings: readonly string[];
}

/** Port through which core stores facts. */
export interface JournalStore {
  load(): Promise<LoadedJournal>;
  /** Resolves when the entries are on disk, synced. @throws {ChainError} `JOURNAL_UNWRITABLE` */
  append(entries: readonly JournalEntry[]): Promise<void>;
  /**
   * Resolves when listeners know every entry that other windows have on disk. Undefined if there is only one writer.
   */
  catchUp?(): Promise<void>;
  /**
   * Appends like `append`, and notifies listeners of what other windows have on disk.
   *
   * @returns the entries that they wrote after these; all other reported entries precede them
   * @throws {ChainError} `JOURNAL_UNWRITABLE`; `JOURNAL_LOST` if another program just removed lines, so that their
   *   order decides nothing
   */
  appendInOrder?(entries: readonly JournalEntry[]): Promise<readonly JournalEntry[]>;
  /** Entries that another window wrote, in file order. Undefined if there is only one writer. */
  readonly onDidAppend?: (listener: (entries: readonly JournalEntry[]) => void) => { dispose(): void };
}
