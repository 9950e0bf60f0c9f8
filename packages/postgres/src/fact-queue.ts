import { randomBytes } from "node:crypto";
import type { Claim, CommitResult, SignedEntry } from "@finality/client/runs";
import { isDecidingFact } from "@finality/client/runs";
import { encodeEntry, type JournalEntry } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import type { JsonObject } from "@finality/tron/primitives";
import pg from "pg";
import type { Database } from "./database.ts";
import { REFUSED } from "./schema.ts";

/** Signed bytes for a claimed row. */
interface PendingAttempt {
  readonly claim: Claim;
  readonly entry: SignedEntry;
}

/** Result of a write: what became of the attempt, and the highest sequence number of what was written. */
interface Written {
  readonly result: CommitResult | undefined;
  readonly sequence: bigint;
}

interface PendingWrite {
  readonly attempt?: PendingAttempt;
  readonly entries: readonly JournalEntry[];
  /** Number of the first entry. */
  readonly number: number;
  resolve(written: Written): void;
  reject(error: unknown): void;
}

/** Most writes of one transaction. */
const MOST_WRITES = 200;

/**
 * Writes of one worker. While one transaction is on its way, later writes wait and share the next one, so that many rows
 * need few commits. Each entry has its writer and number, so that a repeated write is stored once.
 */
export class FactQueue {
  readonly writer = randomBytes(8).toString("hex");
  readonly #database: Database;
  #waiting: PendingWrite[] = [];
  #isWriting = false;
  #next = 0;
  /** Numbers of entries that may have been written although their write failed. */
  readonly unacknowledged = new Set<number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores entries. @throws {ChainError} `JOURNAL_UNWRITABLE`, `RESEND_REFUSED` */
  append(entries: readonly JournalEntry[]): Promise<Written> {
    return this.#enqueue({ entries, number: this.#take(entries.length) });
  }

  /** Stores an attempt with its entry. @throws {ChainError} `RUN_COMMIT_UNKNOWN` */
  commit(attempt: PendingAttempt): Promise<Written> {
    return this.#enqueue({ attempt, entries: [], number: this.#take(1) });
  }

  #take(count: number): number {
    const first = this.#next;
    this.#next += count;
    return first;
  }

  #enqueue(write: Omit<PendingWrite, "resolve" | "reject">): Promise<Written> {
    const { promise, resolve, reject } = Promise.withResolvers<Written>();
    this.#waiting.push({ ...write, resolve, reject });
    void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeAll(this.#waiting.splice(0, MOST_WRITES));
    this.#isWriting = false;
  }

  async #writeAll(writes: readonly PendingWrite[]): Promise<void> {
    try {
      const { results, sequence } = await this.#send(writes);
      for (const { number, resolve } of writes) resolve({ result: results[number], sequence });
    } catch (error) {
      // One refused entry must not refuse the writes of other rows.
      if (writes.length > 1 && error instanceof pg.DatabaseError) {
        for (const write of writes) await this.#writeAll([write]);
        return;
      }
      for (const write of writes) {
        this.#noteUnacknowledged(write);
        write.reject(failureOf(error, write, this.#database.shown));
      }
    }
  }

  #noteUnacknowledged({ attempt, entries, number }: PendingWrite): void {
    const count = attempt === undefined ? entries.length : 1;
    for (let index = 0; index < count; index++) this.unacknowledged.add(number + index);
  }

  async #send(
    writes: readonly PendingWrite[],
  ): Promise<{ results: Readonly<Record<string, CommitResult>>; sequence: bigint }> {
    const attempts = writes.flatMap(({ attempt, number }) => (attempt ? [this.#attemptItem(attempt, number)] : []));
    const entries = writes.flatMap(({ entries: list, number }) =>
      list.map((entry, index) => this.#entryItem(entry, number + index)),
    );
    const [row] = await this.#database.query<{ written: { results: Record<string, CommitResult>; sequence: string } }>(
      "SELECT finality.write($1::jsonb, $2::jsonb) AS written",
      [JSON.stringify(attempts), JSON.stringify(entries)],
    );
    return { results: row?.written.results ?? {}, sequence: BigInt(row?.written.sequence ?? 0) };
  }

  #attemptItem({ claim, entry }: PendingAttempt, number: number): JsonObject {
    const { run, row, fence, attempts } = claim;
    return { run, row, fence: String(fence), attempts: [...attempts], ...this.#entryItem(entry, number) };
  }

  #entryItem(entry: JournalEntry, number: number): JsonObject {
    const { writer } = this;
    const outcome = "outcome" in entry && entry.outcome !== undefined ? entry.outcome.kind : null;
    const line = encodeEntry(entry, { writer, sequence: number });
    return { writer, number, tx_id: entry.txId, kind: entry.kind, outcome, line, decides: isDecidingFact(entry) };
  }
}

function failureOf(cause: unknown, { attempt, entries }: PendingWrite, store: string): unknown {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const [first] = entries;
  if (cause instanceof pg.DatabaseError && cause.code === REFUSED && first !== undefined)
    return new ChainError("RESEND_REFUSED", { txId: first.txId, reason }, { cause });
  if (attempt !== undefined)
    return new ChainError("RUN_COMMIT_UNKNOWN", { txId: attempt.entry.txId, reason }, { cause });
  return new ChainError("JOURNAL_UNWRITABLE", { file: store, reason }, { cause });
}
