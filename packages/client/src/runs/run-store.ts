import type { Address, TxId } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import type { ChainId, NetworkRef } from "../gateway/network.ts";
import { retryAfterRefusal } from "../transaction-state/after-refusal.ts";
import type { EntryOf } from "../transaction-state/history.ts";
import type { JournalEntry, JournalStore, RecordedOutcome } from "../transaction-state/journal-entry.ts";

/** Newest format of a run that this version can execute. */
export const RUN_VERSION = 1;

/** One reviewed file of payments or calls. */
export interface NewRun {
  readonly id: string;
  /** The chain has to be known: keys are unique on a chain, whatever its network is called. */
  readonly network: NetworkRef & { readonly chain: ChainId };
  /** Account that all rows pay from. */
  readonly owner: Address;
  readonly title: string;
  /** SHA-256 of the bytes of the file, hex. */
  readonly fileHash: string;
  /** Format that a worker has to know: `RUN_VERSION` of the program that created the run. */
  readonly version: number;
  /** Local clock, Unix ms. */
  readonly createdAt: number;
}

/** One intent of a run. */
export interface NewRow {
  /** Line of the file, from 1. Rows of a run have different numbers, in ascending order. */
  readonly row: number;
  /** Idempotency key, unique for the chain and the owner without expiry. */
  readonly key: string;
  readonly intent: Intent;
  readonly label?: string;
}

/**
 * Order of the user: `paused` and `stopping` rows are not claimed. Both keep the claims of workers, which end what they
 * have sent. A stopped run can run again.
 */
export type RunControl = "running" | "paused" | "stopping";

export interface StoredRun extends NewRun {
  readonly control: RunControl;
  /** Number of rows, and of those with at least one attempt. */
  readonly rows: number;
  readonly attempted: number;
}

/** Row with its attempts. Its state is that of the last attempt in the journal, and is not stored. */
export interface StoredRow extends NewRow {
  /** TxIDs of its attempts, in order. */
  readonly attempts: readonly TxId[];
  /** Last attempt, if another one is permitted after it. */
  readonly retryAfter?: TxId;
}

/** Reason for another attempt. Its facts are in the journal. */
export interface RetryReason {
  /** `proof`: no block contains it. `rejection`: its only submission was refused. `failure`: it was executed and failed. */
  readonly kind: "proof" | "rejection" | "failure";
  /** Sentence for logs and the reconciliation file. */
  readonly message: string;
}

/** Right of one worker to make the next attempt of a row, until its lease ends. */
export interface Claim extends NewRow {
  readonly run: string;
  /** Grows with each claim of this row. A commit with an older fence changes nothing. */
  readonly fence: bigint;
  /** End of the lease by the clock of the store; Unix ms. Never compared with another clock. */
  readonly leaseUntil: number;
  readonly attempts: readonly TxId[];
  readonly retryAfter?: TxId;
}

export interface Worker {
  readonly id: string;
  /** Newest format that it knows. Runs of newer formats are not claimed for it. */
  readonly version: number;
}

export interface ClaimOptions {
  /** Undefined for every run. */
  readonly run?: string;
  /** Maximum number of claims. */
  readonly limit: number;
  readonly leaseMs: number;
}

/** Signed bytes of an attempt, as the journal has them. */
export type SignedEntry = EntryOf<"signed">;

/**
 * Result of a commit. `fenced`: another worker has the row by now. `attempt-exists`: the row has an attempt that this
 * claim does not know, or its last one permits no other. `tx-id-used`: another row has the same bytes, so they have to be
 * built again. Nothing was stored unless it is `committed`.
 */
export type CommitResult = "committed" | "fenced" | "attempt-exists" | "tx-id-used";

/** Lead of the tracking of a network. */
export interface Leadership {
  /** Aborts when another worker may lead. Facts that arrive later are harmless, because facts are idempotent. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * Port through which runs are stored. Methods reject with `RUN_STORE_UNAVAILABLE` if the store cannot be used now;
 * nothing changed then, unless the error says otherwise.
 */
export interface RunStore {
  /**
   * Facts about all transactions. `load` includes the signed bytes of every committed attempt, and `onDidAppend` reports
   * those that `commitAttempt` of this store wrote, before it resolves.
   */
  readonly journal: JournalStore;
  /**
   * Stores the run and its rows, all or none. The same run again (same id, owner, chain and rows) changes nothing.
   *
   * @throws {ChainError} `RUN_KEY_USED` if another run has one of the keys on this chain for this owner; `RUN_DIFFERS` if
   *   the id has other rows
   */
  create(run: NewRun, rows: readonly NewRow[]): Promise<void>;
  /** Oldest first. */
  runs(): Promise<readonly StoredRun[]>;
  run(id: string): Promise<StoredRun | undefined>;
  /** Reads rows with at least this number, in order; none for an unknown run. */
  rows(run: string, query: { readonly from: number; readonly limit: number }): Promise<readonly StoredRow[]>;
  /**
   * Claims rows of running runs that need work (`needsWork`) and that no live lease holds, in the order of the rows. Two
   * workers never hold a row at once.
   */
  claim(worker: Worker, options: ClaimOptions): Promise<readonly Claim[]>;
  /** Extends leases. Returns the claims that this worker still holds, also those whose lease had ended unclaimed. */
  extend(claims: readonly Claim[], leaseMs: number): Promise<readonly Claim[]>;
  /** Ends leases, so that others can claim the rows at once. Claims that are no longer held are skipped. */
  release(claims: readonly Claim[]): Promise<void>;
  /**
   * Stores signed bytes as the next attempt of a row, together with the journal entry, if this claim still has the newest
   * fence and knows all attempts of the row. Only after `committed` may a byte leave. A commit of the last attempt's own
   * txID is `committed` again, whatever the fence.
   *
   * @throws {ChainError} `RUN_COMMIT_UNKNOWN` if the acknowledgement was lost: commit the same bytes again
   */
  commitAttempt(claim: Claim, entry: SignedEntry): Promise<CommitResult>;
  /**
   * Records that the retry policy permits another attempt after `txId`, which has to be the last attempt; otherwise
   * nothing changes. The caller has verified the permission (`retryPermission`). Ends the lease of the row.
   */
  permitRetry(run: string, row: number, after: TxId, reason: RetryReason): Promise<void>;
  /** Changes nothing for an unknown run. */
  setControl(run: string, control: RunControl): Promise<void>;
  /** Leads the tracking of a network: one worker at a time. Undefined while another one leads. */
  lead(network: NetworkRef): Promise<Leadership | undefined>;
  close(): Promise<void>;
}

/** Facts after which the tracker alone decides about an attempt. */
const DECIDING: ReadonlySet<JournalEntry["kind"]> = new Set([
  "seen-in-pool",
  "seen-in-head",
  "solidified",
  "not-found",
  "proven-absent",
  "replaced",
]);

/**
 * Returns true if the bytes of an attempt may never have arrived: no answer except unknown ones, and no sighting. Its
 * worker sends the same bytes.
 *
 * @param entries - All journal entries of its txID.
 */
export function mayBeUnsent(entries: readonly JournalEntry[]): boolean {
  return !entries.some(isDecidingFact);
}

/** Returns true for an entry after which an attempt is no longer unsent. */
export function isDecidingFact(entry: JournalEntry): boolean {
  if (entry.kind !== "broadcast-answered") return DECIDING.has(entry.kind);
  const { outcome } = entry;
  return outcome.kind === "rejected" ? !isRefusedForNow(outcome) : outcome.kind !== "unknown";
}

/** Returns true for a refusal after which the same bytes are sent again: of a busy node, or before any byte left. */
export function isRefusedForNow(outcome: Extract<RecordedOutcome, { kind: "rejected" }>): boolean {
  return retryAfterRefusal(outcome, {}) === "same-bytes-later";
}

/** Returns true for an entry after which no other attempt of the row is needed. */
export function isExecuted(entry: JournalEntry): boolean {
  return entry.kind === "solidified" && entry.outcome.kind === "success";
}

/**
 * Returns true if a worker has something to do for a row. It has no attempt, or its last one may never have arrived.
 * Otherwise another one has to be permitted, and the last one must not be executed.
 *
 * @param entries - Returns the journal entries of a txID.
 */
export function needsWork(
  { attempts, retryAfter }: Pick<StoredRow, "attempts" | "retryAfter">,
  entries: (txId: TxId) => readonly JournalEntry[],
): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return true;
  return retryAfter === last ? !entries(last).some(isExecuted) : mayBeUnsent(entries(last));
}

/** Returns true if two lists of rows have the same numbers, keys and intents. Labels do not matter. */
export function isSameRows(left: readonly NewRow[], right: readonly NewRow[]): boolean {
  const text = ({ row, key, intent }: NewRow): string => `${row} ${key} ${intentText(intent)}`;
  return left.length === right.length && left.every((it, index) => right[index] && text(it) === text(right[index]));
}

/** Returns a text that two intents share only if all of their fields are equal. */
export function intentText(intent: Intent): string {
  return JSON.stringify(
    Object.entries(intent).sort(([a], [b]) => (a < b ? -1 : 1)),
    (_name, value: unknown) => (typeof value === "bigint" ? value.toString() : value),
  );
}
