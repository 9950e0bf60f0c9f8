import type { Claim, CommitResult, NewRow, RunControl, SignedEntry, StoredRow } from "@finality/client/runs";
import { ChainError } from "@finality/tron/errors";
import { defined, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { SerialQueue } from "../serial-queue.ts";
import { AppendLog } from "../storage/append-log.ts";
import { linesOf } from "../storage/durable-file.ts";
import {
  decodeSigned,
  encode,
  type NewRunEvent,
  type RunEvent,
  type RunEventOf,
  readRowsLine,
  readRunEvent,
} from "./run-lines.ts";

/** Row with its claims. */
export interface LoggedRow extends NewRow {
  attempts: readonly TxId[];
  retryAfter?: TxId;
  fence: bigint;
  /** Local clock, Unix ms. */
  leaseUntil: number;
  /** Process that claimed it. */
  pid: number;
}

type EventResult = CommitResult | readonly number[];

interface Waiting {
  readonly event: NewRunEvent;
  readonly resolve: (result: EventResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * File of one run: its rows, then events. Processes append events and read on: the order of the file decides which of
 * two claims or commits counts, in every process alike. Events of one process that arrive together are one write.
 */
export class RunLog {
  readonly rows = new Map<number, LoggedRow>();
  /** Signed bytes of all attempts. */
  readonly attempts = new Map<TxId, SignedEntry>();
  /** Rows that may need work. */
  readonly open = new Set<number>();
  control: RunControl = "running";
  attempted = 0;
  readonly #log: AppendLog;
  readonly #writer: string;
  readonly #queue = new SerialQueue();
  readonly #results = new Map<number, EventResult>();
  #waiting: Waiting[] = [];
  #sequence = 0;
  #isOpened = false;

  constructor(file: string, writer: string) {
    this.#log = new AppendLog(file);
    this.#writer = writer;
  }

  /** Reads what other processes wrote. @throws {ChainError} `RUN_STORE_UNAVAILABLE` */
  catchUp(): Promise<void> {
    return this.#queue.run(() => this.#readOn());
  }

  /**
   * Appends an event, synced, and returns what it did: the rows that it counted for, or the result of a commit.
   *
   * @throws {ChainError} `RUN_STORE_UNAVAILABLE` if nothing was written; any other error if that is not known
   */
  submit(event: NewRunEvent): Promise<EventResult> {
    const { promise, resolve, reject } = Promise.withResolvers<EventResult>();
    this.#waiting.push({ event, resolve, reject });
    if (this.#waiting.length === 1) void this.#queue.run(() => this.#flush());
    return promise;
  }

  async close(): Promise<void> {
    await this.#queue.run(() => this.#log.close());
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await this.#readOn();
      const marked = batch.map(({ event }) => ({ n: this.#sequence++, event }));
      const isWritten = await this.#log.append(marked.map(({ n, event }) => encode({ ...event, w: this.#writer, n })));
      if (!isWritten) throw this.#changed();
      await this.#readOn();
      for (const [index, { resolve }] of batch.entries()) {
        const n = marked[index]?.n ?? -1;
        const result = this.#results.get(n);
        this.#results.delete(n);
        if (result === undefined) throw this.#changed();
        resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #readOn(): Promise<void> {
    const change = await this.#log.open();
    if (change !== undefined && (this.#isOpened || this.#log.isEmpty)) throw this.#changed();
    if (!this.#isOpened) {
      this.#isOpened = true;
      await this.#log.readAll((text) => this.#applyText(text));
      return;
    }
    const text = await this.#log.readNew();
    if (text === undefined) throw this.#changed();
    this.#applyText(text);
  }

  #changed(): ChainError {
    const reason = t`another program removed or changed the file`;
    return new ChainError("RUN_STORE_UNAVAILABLE", { store: this.#log.file, reason });
  }

  #applyText(text: string): void {
    for (const line of linesOf(text)) {
      const rows = this.rows.size === 0 ? readRowsLine(line) : undefined;
      if (rows !== undefined) this.#setRows(rows);
      else {
        const event = readRunEvent(line);
        if (event !== undefined) this.#apply(event);
      }
    }
  }

  #setRows(rows: readonly NewRow[]): void {
    for (const row of rows) {
      this.rows.set(row.row, { ...row, attempts: [], fence: 0n, leaseUntil: 0, pid: 0 });
      this.open.add(row.row);
    }
  }

  #apply(event: RunEvent): void {
    const result = this.#resultOf(event);
    if (event.w === this.#writer) this.#results.set(event.n, result);
  }

  #resultOf(event: RunEvent): EventResult {
    switch (event.kind) {
      case "claim": {
        const { until, pid } = event;
        return this.#held(event, (row) => Object.assign(row, { fence: row.fence + 1n, leaseUntil: until, pid }));
      }
      case "extend":
        return this.#held(event, (row) => Object.assign(row, { leaseUntil: event.until }));
      case "release":
        return this.#held(event, (row) => Object.assign(row, { leaseUntil: 0 }));
      case "attempt":
        return this.#commit(event);
      case "permit":
        return this.#permit(event);
      case "control":
        this.control = event.control;
        return [];
    }
  }

  /** Changes the rows that still have the fence of the event. */
  #held(event: RunEventOf<"claim" | "extend" | "release">, change: (row: LoggedRow) => void): readonly number[] {
    const changed: number[] = [];
    for (const { row: number, fence } of event.rows) {
      const row = this.rows.get(number);
      if (row?.fence !== fence) continue;
      change(row);
      changed.push(number);
    }
    return changed;
  }

  #commit({ row: number, fence, after, txId, entry: line }: RunEventOf<"attempt">): CommitResult {
    const row = this.rows.get(number);
    const last = row?.attempts.at(-1);
    if (row === undefined) return "fenced";
    if (last === txId) return "committed";
    if (row.fence !== fence) return "fenced";
    if (row.attempts.length !== after || (last !== undefined && row.retryAfter !== last)) return "attempt-exists";
    if (this.attempts.has(txId)) return "tx-id-used";
    const entry = decodeSigned(line);
    if (entry === undefined) return "fenced";
    this.addAttempt(row, entry);
    return "committed";
  }

  /** Adds an attempt that is stored: also one that the journal has and this file lost. */
  addAttempt(row: LoggedRow, entry: SignedEntry): void {
    if (row.attempts.length === 0) this.attempted++;
    row.attempts = [...row.attempts, entry.txId];
    this.attempts.set(entry.txId, entry);
    this.open.add(row.row);
  }

  #permit({ row: number, txId }: RunEventOf<"permit">): readonly number[] {
    const row = this.rows.get(number);
    if (row?.attempts.at(-1) !== txId) return [];
    row.retryAfter = txId;
    row.leaseUntil = 0;
    this.open.add(number);
    return [number];
  }
}

/** Returns a row without its claims. */
export function storedRow({ row, key, intent, label, attempts, retryAfter }: LoggedRow): StoredRow {
  return { row, key, intent, attempts, ...defined({ label, retryAfter }) };
}

/** Returns the claim of a row as it is now. */
export function claimOf(run: string, row: LoggedRow): Claim {
  return { run, ...storedRow(row), fence: row.fence, leaseUntil: row.leaseUntil };
}
