import { isChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import type { Clock } from "../gateway/clock.ts";
import type { JournalEntry, JournalStore } from "../transaction-state/journal-entry.ts";
import { type ConnectionIssue, describeIssue, pauseAfter } from "./connection-issue.ts";

export interface FactWriterOptions {
  /** Name under which issues of the journal are reported. */
  readonly network: string;
  readonly store: JournalStore;
  readonly clock: Clock;
  readonly log: ((message: string, error: unknown) => void) | undefined;
  /** Called when the disk refuses writes, and with undefined when it accepts them again. */
  readonly onIssue: (issue: ConnectionIssue | undefined) => void;
}

/** Claimed entries, and the entries that other windows wrote after them. */
export interface ClaimResult {
  readonly entries: readonly JournalEntry[];
  readonly behind: readonly JournalEntry[];
  /** `JOURNAL_LOST`, `JOURNAL_NEWER`: the entries are written, and the claim counts for nothing. */
  readonly loss: unknown;
}

/**
 * Writes facts to the journal in the order of their dates. Facts that the disk refuses are retained and written when
 * there is room again.
 */
export class FactWriter {
  readonly #options: FactWriterOptions;
  readonly #dates = new FactDates();
  /**
   * Facts that the disk has not accepted yet. They are valid, and are written with the next ones or when there is room
   * again.
   */
  #unwritten: JournalEntry[] = [];
  /** Number of consecutive writes that the disk refused, and the time of the first. */
  #refusals = 0;
  #refusedSince: number | undefined;
  #retrying = false;
  readonly #closing = new AbortController();

  constructor(options: FactWriterOptions) {
    this.#options = options;
  }

  /** Records the date of an entry in the journal: later entries must not be older. */
  observe(entry: JournalEntry): void {
    this.#dates.observe(entry);
  }

  /**
   * Writes entries that must be on disk before they have any effect.
   *
   * @returns the entries as written
   * @throws {ChainError} `JOURNAL_UNWRITABLE`
   */
  async record(undated: readonly JournalEntry[]): Promise<readonly JournalEntry[]> {
    const entries = this.#dates.inOrder(undated);
    await this.#append(entries);
    return entries;
  }

  /** Stores facts that are valid even if they cannot be written: refused writes are repeated until they succeed. */
  async note(undated: readonly JournalEntry[]): Promise<readonly JournalEntry[]> {
    const facts = this.#dates.inOrder(undated);
    try {
      await this.#append(facts);
    } catch (error) {
      if (!isChainError(error)) throw error;
      this.#unwritten.push(...facts);
      void this.#retryUnwritten();
    }
    return facts;
  }

  /**
   * Like `record`, and reports everything that other windows have on disk before it resolves.
   *
   * @throws {ChainError} `JOURNAL_UNWRITABLE`; nothing was written then
   */
  async claim(undated: readonly JournalEntry[]): Promise<ClaimResult> {
    const { store } = this.#options;
    const entries = this.#dates.inOrder(undated);
    let behind: readonly JournalEntry[] = [];
    let loss: unknown;
    await this.#append(entries, async (all) => {
      try {
        if (store.appendInOrder !== undefined) behind = await store.appendInOrder(all);
        else await store.append(all).then(() => store.catchUp?.());
      } catch (error) {
        if (!isWrittenDespite(error)) throw error;
        loss = error;
      }
    });
    return { entries, behind, loss };
  }

  /** Stops repeating refused writes. */
  close(): void {
    this.#closing.abort();
  }

  async #append(
    entries: readonly JournalEntry[],
    write = (all: readonly JournalEntry[]): Promise<void> => this.#options.store.append(all),
  ): Promise<void> {
    const { network, clock, onIssue: troubled } = this.#options;
    const late = this.#unwritten.splice(0);
    try {
      await write([...late, ...entries]);
      this.#refusals = 0;
      this.#refusedSince = undefined;
      troubled(undefined);
    } catch (error) {
      this.#unwritten.unshift(...late);
      this.#refusals++;
      const now = clock.now();
      this.#refusedSince ??= now;
      const nextTryAt = now + pauseAfter(error, this.#refusals);
      troubled({ network, ...describeIssue(error), since: this.#refusedSince, nextTryAt });
      throw error;
    }
  }

  /** Other windows see only what is on disk, so facts are written at once. */
  async #retryUnwritten(): Promise<void> {
    if (this.#retrying) return;
    this.#retrying = true;
    const { clock, log } = this.#options;
    try {
      while (this.#unwritten.length > 0) {
        await clock.sleep(pauseAfter(undefined, this.#refusals), this.#closing.signal);
        // Repeated refusals of the disk are reported as an issue, and the write is repeated.
        if (this.#unwritten.length > 0) await this.#append([]).catch(() => undefined);
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) log?.("Facts could not be written.", error);
    } finally {
      this.#retrying = false;
    }
  }
}

/**
 * Returns true if the entries are on disk although the write failed; in that case the stored entries decide nothing.
 */
function isWrittenDespite(error: unknown): boolean {
  if (!isChainError(error)) return false;
  return (error.code === "JOURNAL_LOST" || error.code === "JOURNAL_NEWER") && error.details.written;
}

/**
 * After the clock was set back, a new fact must not look older than earlier ones. Signatures may supersede earlier
 * ones, so they must not be as old either.
 */
class FactDates {
  /** Date of the newest fact about each transaction; Unix ms. */
  readonly #lastAt = new Map<TxId, number>();

  observe({ txId, at }: JournalEntry): void {
    this.#lastAt.set(txId, Math.max(at, this.#lastAt.get(txId) ?? 0));
  }

  inOrder(entries: readonly JournalEntry[]): readonly JournalEntry[] {
    return entries.map((it) => {
      const last = this.#lastAt.get(it.txId) ?? 0;
      const isOld = it.at < last || (it.kind === "signed" && it.at === last);
      return isOld ? { ...it, at: last + 1 } : it;
    });
  }
}
