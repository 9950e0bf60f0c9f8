import { isChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import type { Clock } from "../gateway/clock.ts";
import type { JournalEntry, JournalStore } from "../transaction-state/journal-entry.ts";
import { type ConnectionIssue, describeIssue, pauseAfter } from "./connection-issue.ts";

export interface FactWriterOptions {
  /** The name under which the trouble of the journal is told. */
  readonly network: string;
  readonly store: JournalStore;
  readonly clock: Clock;
  readonly log: ((message: string, error: unknown) => void) | undefined;
  /** Told when the disk takes nothing, and with undefined when it does again. */
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
   * Facts that the disk did not take yet. They are true all the same, and written with the next ones, or when it has
   * room again.
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

  /** Notes the date of an entry that is in the journal: what is written later is not older. */
  observe(entry: JournalEntry): void {
    this.#dates.observe(entry);
  }

  /**
   * Writes entries that must be on disk before anything follows from them.
   *
   * @returns the entries as they were written
   * @throws {ChainError} `JOURNAL_UNWRITABLE`
   */
  async record(undated: readonly JournalEntry[]): Promise<readonly JournalEntry[]> {
    const entries = this.#dates.inOrder(undated);
    await this.#append(entries);
    return entries;
  }

  /**
   * Keeps facts that are true whether or not they can be written: what the disk refuses is tried again until it is
   * written.
   */
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
   * As `record`, and everything that other windows have on disk is told before it resolves.
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

  /** Ends the attempts to write what the disk refused. */
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

  /** Other windows know only what is on the disk, so facts do not wait for the next ones. */
  async #retryUnwritten(): Promise<void> {
    if (this.#retrying) return;
    this.#retrying = true;
    const { clock, log } = this.#options;
    try {
      while (this.#unwritten.length > 0) {
        await clock.sleep(pauseAfter(undefined, this.#refusals), this.#closing.signal);
        // A disk that refuses once more is told as trouble, and asked again.
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
 * A clock that was put back must not make a new fact about a transaction look older than what was known before. Signatures
 * may take the place of those before them, so they are not as old either.
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
