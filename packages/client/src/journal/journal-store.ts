import type { JournalEntry } from "../life/journal-entry.ts";

/** What reading the journal found. Nothing readable is ever left out. */
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
