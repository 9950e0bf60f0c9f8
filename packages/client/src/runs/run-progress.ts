import type { TxId } from "@finality/tron/primitives";
import { awaitsProof } from "../retry/retry-policy.ts";
import { Listeners, type Subscription, type TransactionTracker } from "../tracking/transaction-tracker.ts";
import type { TrackedTransaction, TrackingState } from "../transaction-state/tracked-transaction.ts";
import type { RunStore, StoredRow } from "./run-store.ts";

/**
 * State of a row: that of its last attempt. `waiting`: it has none, or another one is permitted. A final block is
 * `succeeded` or `failed`.
 */
export type RowState = "waiting" | "succeeded" | "failed" | Exclude<TrackingState["kind"], "solidified">;

/** States of rows, in the order of a summary. */
export const rowStates = [
  ...(["waiting", "signed", "unknown", "pending", "included"] as const),
  ...(["succeeded", "failed", "rejected", "proven-absent", "replaced"] as const),
] as const satisfies readonly RowState[];

/** Names of row states for programs and files. */
export const rowStateNames = {
  ...{ waiting: "waiting", signed: "signed", unknown: "unknown", pending: "pending", included: "included" },
  ...{ succeeded: "succeeded", failed: "failed", rejected: "rejected", replaced: "replaced" },
  "proven-absent": "provenAbsent",
} as const satisfies { readonly [S in RowState]: string };

/** States in which a worker or the tracker still has something to do. */
const OPEN: ReadonlySet<RowState> = new Set(["waiting", "signed", "unknown", "pending", "included"]);

/** Returns true if no later block and no worker changes the state of a row, unless a user permits a retry. */
function isRowOpen(state: RowState, last: TrackedTransaction | undefined): boolean {
  return OPEN.has(state) || (last !== undefined && awaitsExpiryProof(last));
}

/**
 * Returns true after a second refusal as expired or for now: another attempt follows the proof that no block contains
 * this one.
 */
function awaitsExpiryProof(last: TrackedTransaction): boolean {
  const { state, attempts } = last;
  if (state.kind !== "rejected" || attempts.length < 2 || !awaitsProof(last)) return false;
  return state.retry === "rebuild" || state.retry === "same-bytes-later";
}

/** Row with its attempts, and the state of the last one. */
export interface RowProgress extends StoredRow {
  readonly state: RowState;
  readonly last: TrackedTransaction | undefined;
}

export type RowCounts = { readonly [S in RowState]: number };

/** Returns the number of rows that no later block changes. */
export function finalRows({ succeeded, failed, rejected, replaced, "proven-absent": absent }: RowCounts): number {
  return succeeded + failed + rejected + replaced + absent;
}

/** Returns the number of rows that ended without an execution, and may be tried again. */
export function failedRows({ failed, rejected, "proven-absent": absent }: RowCounts): number {
  return failed + rejected + absent;
}

/** Rows read at once. */
const PAGE = 1_000;

interface HeldRow {
  readonly stored: StoredRow;
  readonly state: RowState;
  readonly isOpen: boolean;
}

/** Rows of a run with their states, kept up to date from the tracker: each change costs the changed rows only. */
export class RunProgress {
  readonly run: string;
  readonly #tracker: TransactionTracker;
  readonly #rows = new Map<number, HeldRow>();
  readonly #counts = new Map<RowState, number>();
  readonly #changes = new Listeners<readonly number[]>(() => undefined);
  readonly #following: Subscription;
  #open = 0;

  private constructor(run: string, tracker: TransactionTracker) {
    this.run = run;
    this.#tracker = tracker;
    this.#following = tracker.onDidChange((txIds) => this.#update(txIds));
  }

  /** Reads all rows of a run. The tracker has loaded the journal of the store. */
  static async load(store: Pick<RunStore, "rows">, tracker: TransactionTracker, run: string): Promise<RunProgress> {
    const progress = new RunProgress(run, tracker);
    for (let from = 1; ; ) {
      const rows = await store.rows(run, { from, limit: PAGE });
      for (const row of rows) progress.#set(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return progress;
      from = last.row + 1;
    }
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Number of rows in each state. */
  counts(): RowCounts {
    return Object.fromEntries(rowStates.map((it) => [it, this.#counts.get(it) ?? 0])) as RowCounts;
  }

  /** Number of rows that are not final. */
  get open(): number {
    return this.#open;
  }

  row(number: number): RowProgress | undefined {
    const held = this.#rows.get(number);
    if (held === undefined) return undefined;
    const txId = held.stored.attempts.at(-1);
    return { ...held.stored, state: held.state, last: txId === undefined ? undefined : this.#tracker.get(txId) };
  }

  /** All rows in order. */
  *rows(): Iterable<RowProgress> {
    for (const number of this.#rows.keys()) {
      const row = this.row(number);
      if (row !== undefined) yield row;
    }
  }

  /** Records that another attempt of a row is permitted. */
  permitted(number: number, retryAfter: TxId): void {
    const held = this.#rows.get(number);
    if (held === undefined) return;
    this.#set({ ...held.stored, retryAfter });
    this.#changes.fire([number]);
  }

  /** Fires with the numbers of rows that changed. */
  onDidChange(listener: (rows: readonly number[]) => void): Subscription {
    return this.#changes.add(listener);
  }

  dispose(): void {
    this.#following.dispose();
  }

  /** An attempt that any worker committed names its row in the journal. */
  #update(txIds: readonly TxId[]): void {
    const changed = new Set<number>();
    for (const txId of txIds) {
      const run = this.#tracker.get(txId)?.signed?.run;
      if (run?.id !== this.run) continue;
      const held = this.#rows.get(run.row);
      if (held === undefined) continue;
      const { attempts } = held.stored;
      const isKnown = attempts.includes(txId);
      const before = held.state;
      this.#set(isKnown ? held.stored : { ...held.stored, attempts: [...attempts, txId] });
      if (!isKnown || this.#rows.get(run.row)?.state !== before) changed.add(run.row);
    }
    if (changed.size > 0) this.#changes.fire([...changed]);
  }

  #set(stored: StoredRow): void {
    const state = rowState(stored, (txId) => this.#tracker.get(txId));
    const held = this.#rows.get(stored.row);
    const last = stored.attempts.at(-1);
    const isOpen = isRowOpen(state, last === undefined ? undefined : this.#tracker.get(last));
    if (held !== undefined) this.#count(held, -1);
    const current = { stored, state, isOpen };
    this.#rows.set(stored.row, current);
    this.#count(current, 1);
  }

  #count({ state, isOpen }: HeldRow, change: number): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + change);
    if (isOpen) this.#open += change;
  }
}

/** Returns the state of a row. An attempt that the journal does not have yet is `signed`. */
export function rowState(
  { attempts, retryAfter }: Pick<StoredRow, "attempts" | "retryAfter">,
  get: (txId: TxId) => TrackedTransaction | undefined,
): RowState {
  const txId = attempts.at(-1);
  if (txId === undefined) return "waiting";
  const state = get(txId)?.state ?? { kind: "signed" };
  if (state.kind === "solidified") {
    if (state.outcome.kind === "success") return "succeeded";
    return retryAfter === txId ? "waiting" : "failed";
  }
  const isRetried = retryAfter === txId && (state.kind === "rejected" || state.kind === "proven-absent");
  return isRetried ? "waiting" : state.kind;
}
