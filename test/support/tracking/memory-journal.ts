import { type DecodedLine, decodeLine, encodeEntry } from "../../../packages/client/src/journal/journal-codec.ts";
import type {
  JournalEntry,
  JournalStore,
  LoadedJournal,
} from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { ChainError } from "../../../packages/tron/src/errors/chain-error.ts";

type Listener = (entries: readonly JournalEntry[]) => void;

/**
 * A journal in memory that writes the real lines. `failNext` makes appends fail; `write` is what another window does.
 */
export class MemoryJournal implements JournalStore {
  readonly lines: string[] = [];
  /** Decoded lines: each is decoded once. */
  readonly #decoded: DecodedLine[] = [];
  readonly #listeners = new Set<Listener>();
  #failures = 0;

  constructor(entries: readonly JournalEntry[] = []) {
    this.#write(entries);
  }

  get entries(): readonly JournalEntry[] {
    for (const line of this.lines.slice(this.#decoded.length)) this.#decoded.push(decodeLine(line));
    return this.#decoded.flatMap((it) => (it.kind === "entry" ? [it.entry] : []));
  }

  /** The kinds of the entries in their order: what most tests ask. */
  get kinds(): readonly JournalEntry["kind"][] {
    return this.entries.map(({ kind }) => kind);
  }

  failNext(count = 1): void {
    this.#failures = count;
  }

  /** Entries of another window. */
  write(...entries: readonly JournalEntry[]): void {
    this.#write(entries);
    this.report(entries);
  }

  /** Passes entries that are in the journal to the listeners. */
  report(entries: readonly JournalEntry[]): void {
    for (const listener of this.#listeners) listener(entries);
  }

  async load(): Promise<LoadedJournal> {
    await Promise.resolve();
    return { entries: this.entries, warnings: [] };
  }

  async append(entries: readonly JournalEntry[]): Promise<void> {
    await Promise.resolve();
    if (this.#failures > 0) {
      this.#failures--;
      throw new ChainError("JOURNAL_UNWRITABLE", { file: "memory", reason: "the test said so" });
    }
    this.#write(entries);
  }

  readonly onDidAppend = (listener: Listener): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  #write(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.lines.push(encodeEntry(entry, { writer: "memory", sequence: this.lines.length }));
  }
}

/** Before the first line of this window is on the disk, another window writes its own there. */
export class OvertakenJournal extends MemoryJournal {
  #overtaking: JournalEntry | undefined;

  constructor(overtaking: JournalEntry) {
    super();
    this.#overtaking = overtaking;
  }

  override async append(entries: readonly JournalEntry[]): Promise<void> {
    const first = this.#overtaking;
    this.#overtaking = undefined;
    if (first !== undefined) this.write(first);
    await super.append(entries);
  }
}
