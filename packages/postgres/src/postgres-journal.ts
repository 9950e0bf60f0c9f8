import { setTimeout as wait } from "node:timers/promises";
import { decodeLine, type JournalEntry, type JournalStore, type LoadedJournal } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import type pg from "pg";
import type { Database } from "./database.ts";
import type { FactQueue } from "./fact-queue.ts";
import { CHANNEL } from "./schema.ts";

type Listener = (entries: readonly JournalEntry[]) => void;

interface StoredLine extends pg.QueryResultRow {
  readonly sequence: string;
  readonly writer: string;
  readonly number: string;
  readonly tx_id: string;
  readonly line: string;
}

/** Lines of one query. */
const PAGE = 5_000;
/** Notifications are a hint only, so new lines are also queried after this time. */
const POLL_MS = 1_000;
const RECONNECT_MS = 1_000;
/** Time after a notification in which further commits share a read; ms. */
const GATHER_MS = 50;
/** Entries that an append may still compare. */
const RECENT = 2_000;

/** Journal in a database. Its lines are in the order in which they were committed, for all workers. */
export class PostgresJournal implements JournalStore {
  readonly #database: Database;
  readonly #queue: FactQueue;
  readonly #listeners = new Set<Listener>();
  /** TxIDs with lines of a newer version, which this version must not act on. */
  readonly #newer = new Set<string>();
  /** Sequence number of the last line that was read; undefined before `load`. */
  #position = 0n;
  #reading: Promise<unknown> = Promise.resolve();
  /** Read that has not begun yet, which all callers of this moment share. */
  #nextRead: Promise<void> | undefined;
  /** Entries of other writers that were read last: a read may return entries behind those of a pending append. */
  #recent: readonly SequencedEntry[] = [];
  #wake = Promise.withResolvers<void>();
  #following: Promise<void> | undefined;

  constructor(database: Database, queue: FactQueue) {
    this.#database = database;
    this.#queue = queue;
  }

  load(): Promise<LoadedJournal> {
    return this.#inTurn(async () => {
      this.#position = 0n;
      this.#newer.clear();
      const entries: JournalEntry[] = [];
      const damaged: string[] = [];
      for await (const line of this.#newLines()) {
        const decoded = this.#decode(line);
        if (decoded.kind === "entry") entries.push(decoded.entry);
        if (decoded.kind === "malformed") damaged.push(`Line ${line.sequence} of the journal: ${decoded.reason}.`);
      }
      const error = (lines: number) =>
        new ChainError("JOURNAL_NEWER", { file: this.#database.shown, lines, written: false });
      return { entries, warnings: [...damaged, ...(this.#newer.size > 0 ? [error(this.#newer.size).message] : [])] };
    });
  }

  async append(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length > 0) await this.#queue.append(entries);
  }

  async appendInOrder(entries: readonly JournalEntry[]): Promise<readonly JournalEntry[]> {
    const newer = entries.filter(({ txId }) => this.#newer.has(txId)).length;
    if (newer > 0) throw new ChainError("JOURNAL_NEWER", { file: this.#database.shown, lines: newer, written: false });
    const { sequence } = await this.#queue.append(entries);
    if (this.#listeners.size === 0) return [];
    await this.#readShared();
    return this.#recent.filter((it) => it.sequence > sequence).map(entryOf);
  }

  async catchUp(): Promise<void> {
    if (this.#listeners.size > 0) await this.#readShared();
  }

  readonly onDidAppend = (listener: Listener): { dispose(): void } => {
    this.#listeners.add(listener);
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined;
    });
    return {
      dispose: () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size === 0) this.#wake.resolve();
      },
    };
  };

  /** Passes the entry of a committed attempt to the listeners: they did not append it themselves. */
  reportCommitted(entry: JournalEntry): void {
    for (const listener of this.#listeners) listener([entry]);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#wake.resolve();
    await this.#following;
  }

  /** Reads new lines whenever the database notifies, and every second. */
  async #follow(): Promise<void> {
    let connection: pg.Client | undefined;
    let triedAt = 0;
    while (this.#listeners.size > 0 && !this.#database.signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      if (connection === undefined && performance.now() - triedAt > RECONNECT_MS) {
        triedAt = performance.now();
        connection = await this.#listen(() => {
          connection = undefined;
        }).catch(() => undefined);
      }
      await this.#readShared().catch(() => undefined);
      const timer = new AbortController();
      await Promise.race([
        this.#wake.promise,
        wait(POLL_MS, undefined, { ref: false, signal: timer.signal }).catch(() => undefined),
      ]);
      timer.abort();
      // One read for the commits of this time.
      await wait(GATHER_MS, undefined, { ref: false });
    }
    await connection?.end().catch(() => undefined);
  }

  async #listen(onEnd: () => void): Promise<pg.Client> {
    const connection = await this.#database.connect();
    connection.once("end", onEnd);
    connection.on("notification", () => this.#wake.resolve());
    await connection.query(`LISTEN ${CHANNEL}`);
    return connection;
  }

  /** Reads everything that is committed now. Callers that come before the read begins share it. */
  #readShared(): Promise<void> {
    this.#nextRead ??= this.#inTurn(async () => {
      this.#nextRead = undefined;
      await this.#readOn();
    });
    return this.#nextRead;
  }

  /** Passes new entries of other writers to the listeners. */
  async #readOn(): Promise<void> {
    const news: SequencedEntry[] = [];
    for await (const line of this.#newLines()) {
      const number = Number(line.number);
      const isOwn = line.writer === this.#queue.writer && !this.#queue.unacknowledged.delete(number);
      const decoded = this.#decode(line);
      if (!isOwn && decoded.kind === "entry") news.push({ sequence: BigInt(line.sequence), entry: decoded.entry });
    }
    if (news.length === 0) return;
    this.#recent = [...this.#recent, ...news].slice(-RECENT);
    for (const listener of this.#listeners) listener(news.map(entryOf));
  }

  async *#newLines(): AsyncGenerator<StoredLine> {
    for (;;) {
      const lines = await this.#database.query<StoredLine>(
        "SELECT sequence, writer, number, tx_id, line FROM finality.journal WHERE sequence > $1 ORDER BY sequence LIMIT $2",
        [String(this.#position), PAGE],
      );
      for (const line of lines) {
        yield line;
        this.#position = BigInt(line.sequence);
      }
      if (lines.length < PAGE) return;
    }
  }

  #decode(line: StoredLine): ReturnType<typeof decodeLine> {
    const decoded = decodeLine(line.line);
    if (decoded.kind === "newer") this.#newer.add(line.tx_id);
    return decoded;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#reading.then(work);
    this.#reading = done.catch(() => undefined);
    return done;
  }
}

interface SequencedEntry {
  readonly sequence: bigint;
  readonly entry: JournalEntry;
}

const entryOf = ({ entry }: SequencedEntry): JournalEntry => entry;
