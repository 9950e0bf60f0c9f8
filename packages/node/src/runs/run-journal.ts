import { isDecidingFact, isExecuted } from "@finality/client/runs";
import type { JournalEntry, JournalStore, LoadedJournal } from "@finality/client/tracking";
import type { TxId } from "@finality/tron/primitives";
import type { JournalFile } from "../journal/journal-file.ts";

type Listener = (entries: readonly JournalEntry[]) => void;

interface Waiting {
  readonly entries: readonly JournalEntry[];
  /** True if the order among processes decides. */
  readonly inOrder: boolean;
  readonly resolve: (behind: readonly JournalEntry[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Journal of a process that executes runs: entries that arrive together are one synced write. It knows which attempts
 * are decided, without their entries.
 */
export class RunJournal implements JournalStore {
  readonly #file: JournalFile;
  readonly #restore: (entries: readonly JournalEntry[]) => Promise<readonly JournalEntry[]>;
  readonly #listeners = new Set<Listener>();
  readonly #signed = new Set<TxId>();
  readonly #decided = new Set<TxId>();
  readonly #executed = new Set<TxId>();
  #waiting: Waiting[] = [];
  #isWriting = false;

  /** @param restore - returns the signed bytes of attempts that the loaded entries lack */
  constructor(file: JournalFile, restore: (entries: readonly JournalEntry[]) => Promise<readonly JournalEntry[]>) {
    this.#file = file;
    this.#restore = restore;
    file.onDidAppend((entries) => {
      this.#observe(entries);
      this.#report(entries);
    });
  }

  async load(): Promise<LoadedJournal> {
    const { entries, warnings } = await this.#file.load();
    this.#observe(entries);
    const missing = await this.#restore(entries);
    if (missing.length > 0) await this.append(missing);
    return { entries: [...entries, ...missing], warnings };
  }

  async append(entries: readonly JournalEntry[]): Promise<void> {
    await this.#submit(entries, false);
  }

  appendInOrder(entries: readonly JournalEntry[]): Promise<readonly JournalEntry[]> {
    return this.#submit(entries, true);
  }

  catchUp(): Promise<void> {
    return this.#file.catchUp();
  }

  readonly onDidAppend = (listener: Listener): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  /** Appends the signed bytes of a commit and reports them, unless the journal has them. */
  async appendSigned(entry: JournalEntry): Promise<void> {
    if (this.#signed.has(entry.txId)) return;
    await this.append([entry]);
    this.#report([entry]);
  }

  isDecided(txId: TxId): boolean {
    return this.#decided.has(txId);
  }

  isExecuted(txId: TxId): boolean {
    return this.#executed.has(txId);
  }

  #submit(entries: readonly JournalEntry[], inOrder: boolean): Promise<readonly JournalEntry[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly JournalEntry[]>();
    this.#waiting.push({ entries, inOrder, resolve, reject });
    if (!this.#isWriting) void this.#flush();
    return promise;
  }

  async #flush(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const entries = batch.flatMap((it) => it.entries);
      try {
        const inOrder = batch.some((it) => it.inOrder);
        const behind = inOrder ? await this.#file.appendInOrder(entries) : [];
        if (!inOrder) await this.#file.append(entries);
        this.#observe(entries);
        for (const { resolve } of batch) resolve(behind);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isWriting = false;
  }

  #report(entries: readonly JournalEntry[]): void {
    for (const listener of this.#listeners) listener(entries);
  }

  #observe(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (entry.kind === "signed") this.#signed.add(entry.txId);
      if (isDecidingFact(entry)) this.#decided.add(entry.txId);
      if (isExecuted(entry)) this.#executed.add(entry.txId);
    }
  }
}
