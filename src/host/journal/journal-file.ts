import { randomBytes } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  encodeEntry,
  type JournalEntry,
  type JournalStore,
  type LineMark,
  type LoadedJournal,
} from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { bringOver, clearLeftovers, putShorterInPlace } from "./journal-compaction.ts";
import { appendLines, fileStatus, type OpenFile, openDurably, readFrom, unwritable } from "./journal-disk.ts";
import { quarantine } from "./journal-quarantine.ts";
import { birthLine, JournalMemory, type JournalText, missingLines, readJournalText } from "./journal-text.ts";

type Listener = (entries: readonly JournalEntry[]) => void;

const NEWLINE = 0x0a;
/** Maximum time for the last line of another window to arrive in full before it counts as torn. */
const TORN_AFTER_MS = 30;
/** After a loss other windows take so long at most to write again what only they know; until then no claim counts. */
const RESTORED_AFTER_MS = 5_000;

export interface JournalOptions {
  /** Told when the lines of other windows cannot be followed. */
  readonly onFollowError?: (error: unknown) => void;
  /** Told when another program took lines away, which this window wrote again. */
  readonly onLost?: (loss: ChainError) => void;
  /** Function that opens the journal, for tests of disks that refuse access. */
  readonly openFile?: OpenFile | undefined;
}

/**
 * Journal in one append-only file that windows share. Each append is one write of whole lines that starts with a line
 * break, so a torn line cannot absorb it. Compaction replaces the file; an append counts only if its file keeps the
 * name. If a program removes, empties or replaces the file, windows rewrite their lines (`JournalMemory`, the unnamed
 * file). Until all had time for that, no claim counts.
 */
export class JournalFile implements JournalStore {
  readonly file: string;
  readonly #folder: string;
  readonly #writer = randomBytes(6).toString("hex");
  readonly #listeners = new Set<Listener>();
  readonly #memory = new JournalMemory();
  #sequence = 0;
  #handle: FileHandle | undefined;
  /** Minimum size of the open file, in bytes. */
  #size = 0;
  #watcher: FSWatcher | undefined;
  readonly #onFollowError: (error: unknown) => void;
  readonly #openFile: OpenFile | undefined;
  readonly #onLost: (loss: ChainError) => void;
  #readTo = 0;
  /** The last line before that place, with its end: what stands there is held against it. */
  #tail: Buffer = Buffer.alloc(0);
  /** Number of lines read that a newer version wrote. This version cannot interpret them. */
  #newer = 0;
  /** True if lines were lost a moment ago and other windows may still be writing theirs again. */
  #isDoubtful = false;
  readonly #closing = new AbortController();
  /** Appends and reads, one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  /**
   * @param folder - where the journal lives; made when it does not exist
   */
  constructor(folder: string, { onFollowError: onTrouble, onLost, openFile }: JournalOptions = {}) {
    this.#folder = folder;
    this.#onFollowError = onTrouble ?? (() => undefined);
    this.#onLost = onLost ?? (() => undefined);
    this.#openFile = openFile;
    this.file = join(folder, "journal.jsonl");
  }

  load(): Promise<LoadedJournal> {
    return this.#inTurn(() => this.#load());
  }

  append(entries: readonly JournalEntry[]): Promise<void> {
    return this.#inTurn(async () => {
      if (entries.length > 0) await this.#write(entries);
    });
  }

  /**
   * Appends the entries as `append` does.
   *
   * @returns what other windows wrote behind these entries; nothing when nobody listens
   * @throws {ChainError} `JOURNAL_LOST` lines were taken away a moment ago, so what stands in the file decides nothing
   *   yet; `JOURNAL_NEWER`
   */
  appendInOrder(entries: readonly JournalEntry[]): Promise<readonly JournalEntry[]> {
    return this.#inTurn(async () => {
      await this.#opened();
      if (this.#isDoubtful) throw this.#lost(false);
      if (this.#listeners.size > 0) await this.#readOn();
      this.requireReadable();
      await this.#write(entries);
      const behind = this.#listeners.size > 0 ? await this.#readOn() : [];
      if (this.#isDoubtful) throw this.#lost(true);
      this.requireReadable(true);
      return behind;
    });
  }

  /** @throws {ChainError} `JOURNAL_NEWER` what stands there cannot be read in full, so nobody knows what it decides */
  requireReadable(written = false): void {
    if (this.#newer > 0) throw new ChainError("JOURNAL_NEWER", { file: this.file, lines: this.#newer, written });
  }

  /**
   * Leaves out lines that nothing needs any more (`superfluousEntries`), when that is worth it. For the leading window
   * alone.
   *
   * @returns how many lines were left out
   */
  compact(): Promise<number> {
    return this.#inTurn(async () => {
      const handle = await this.#opened();
      await clearLeftovers(this.file);
      const saved = await putShorterInPlace(this.file, handle);
      if (saved === 0) return 0;
      await this.#opened();
      await clearLeftovers(this.file);
      return saved;
    });
  }

  readonly onDidAppend = (listener: Listener): { dispose(): void } => {
    this.#listeners.add(listener);
    this.#inTurn(() => this.#follow()).catch(this.#onFollowError);
    return {
      dispose: () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size === 0) this.#stopFollowing();
      },
    };
  };

  async catchUp(): Promise<void> {
    await this.#inTurn(() => this.#readForListeners());
  }

  /** Waits for pending work and closes the file. Later appends are still written, and the file is closed again. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#listeners.clear();
    this.#stopFollowing();
    await this.#inTurn(() => this.#release());
  }

  async #load(): Promise<LoadedJournal> {
    const handle = await this.#opened();
    const bytes = await this.#readWhole(handle);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#hasRead(bytes.subarray(0, end));
    const whole = readJournalText(bytes.toString("utf8", 0, end));
    const tail = readJournalText(bytes.toString("utf8", end));
    this.#memory.clear();
    this.#newer = whole.newer;
    const lines = [...whole.entries, ...tail.entries].filter(({ mark, entry }) => this.#memory.add(mark, entry));
    return { entries: lines.map(({ entry }) => entry), warnings: await this.#warnings(whole, tail) };
  }

  /** A tail without its end of line may be on its way: it is read a second time before it counts as torn. */
  async #readWhole(handle: FileHandle): Promise<Buffer> {
    this.#startOver();
    const bytes = await readFrom(handle, 0);
    if (endsWhole(bytes)) return bytes;
    await wait(TORN_AFTER_MS);
    return await readFrom(handle, 0);
  }

  async #warnings(...texts: readonly JournalText[]): Promise<string[]> {
    const newer = texts.reduce((sum, it) => sum + it.newer, 0);
    const damage = await this.#keepAside(texts.flatMap((it) => it.damaged));
    const error = new ChainError("JOURNAL_NEWER", { file: this.file, lines: newer, written: false });
    return [...(damage === undefined ? [] : [damage]), ...(newer === 0 ? [] : [error.message])];
  }

  /** Lines that cannot be kept aside stay in the journal, and are no reason not to show the others. */
  async #keepAside(damaged: readonly string[]): Promise<string | undefined> {
    try {
      return await quarantine(this.#folder, damaged);
    } catch (cause) {
      return t`${damaged.length} damaged lines of the journal could not be kept aside. ${unwritable(this.file, cause).message}`;
    }
  }

  async #write(entries: readonly JournalEntry[]): Promise<void> {
    const marked = entries.map((entry) => ({ entry, mark: { writer: this.#writer, sequence: this.#sequence++ } }));
    const lines = marked.map(({ entry, mark }) => encodeEntry(entry, mark));
    try {
      while (!(await this.#appended(await this.#opened(), lines)));
    } catch (cause) {
      await this.#release();
      throw unwritable(this.file, cause);
    }
    for (const { entry, mark } of marked) this.#memory.add(mark, entry);
  }

  /** @returns whether the lines are where others read them */
  async #appended(handle: FileHandle, lines: readonly string[]): Promise<boolean> {
    const bytes = await appendLines(handle, lines);
    const { named, size } = await fileStatus(handle, this.file);
    if (!named) return false;
    // Emptied in between, the file holds these lines, and not those before them.
    if (size < this.#size + bytes) await this.#restore(handle);
    else this.#size = size;
    return true;
  }

  /**
   * Returns the open file. Opens it again if its name now refers to another file, so that no entry goes to a file
   * without readers.
   */
  async #opened(): Promise<FileHandle> {
    const open = this.#handle;
    const { named, size } = open === undefined ? { named: false, size: 0 } : await fileStatus(open, this.file);
    try {
      if (open === undefined || !named) return await this.#reopened(open);
      if (size < this.#size) await this.#restore(open);
      else this.#size = size;
      return open;
    } catch (cause) {
      await this.#release();
      throw unwritable(this.file, cause);
    }
  }

  /** @param old - the file that had the name before, if it is still open: what only that one holds is brought over */
  async #reopened(old: FileHandle | undefined): Promise<FileHandle> {
    const handle = await openDurably(this.file, this.#openFile);
    this.#handle = handle;
    this.#startOver();
    if (this.#watcher !== undefined) {
      // The folder may be another one too.
      this.#stopFollowing();
      this.#watchFolder();
    }
    await bringOver(this.file, handle);
    const before = old === undefined ? "" : (await readFrom(old, 0)).toString("utf8");
    await old?.close();
    if (before !== "" || this.#memory.size > 0) await this.#bringIn(handle, before);
    await this.#nameBirth(handle);
    return handle;
  }

  /** Writes lines that were removed from the open file again, and rereads the whole file. */
  async #restore(handle: FileHandle): Promise<void> {
    this.#startOver();
    this.#noteLoss();
    await this.#bringIn(handle, "");
    await this.#nameBirth(handle);
  }

  /**
   * Appends what this window knows, or finds elsewhere, and the file does not hold. A compaction leaves nothing to
   * bring in.
   */
  async #bringIn(handle: FileHandle, elsewhere: string): Promise<void> {
    const here = (await readFrom(handle, 0)).toString("utf8");
    const complete = elsewhere.slice(0, elsewhere.lastIndexOf("\n") + 1);
    const missing = missingLines(here, `${complete}${this.#memory.text()}`);
    // The process that put the file there may not have synced it.
    if (missing.length === 0) return await handle.datasync();
    if (readJournalText(missing.join("\n")).entries.some(({ mark }) => this.#memory.has(mark))) this.#noteLoss();
    await appendLines(handle, missing);
  }

  /** A file that has nothing yet gets a blank line like no other, by which it is known that it was emptied. */
  async #nameBirth(handle: FileHandle): Promise<void> {
    const { size } = await handle.stat();
    this.#size = size;
    if (size > 0) return;
    // If the disk is full, nothing is sent either.
    this.#size = await appendLines(handle, [birthLine()]).catch(() => 0);
  }

  #startOver(): void {
    this.#readTo = 0;
    this.#newer = 0;
    this.#tail = Buffer.alloc(0);
    this.#size = 0;
  }

  /** Tells it once, and holds claims back for as long as others may need. */
  #noteLoss(): void {
    if (this.#isDoubtful) return;
    this.#isDoubtful = true;
    this.#onLost(this.#lost(false));
    const over = (): boolean => (this.#isDoubtful = false);
    wait(RESTORED_AFTER_MS, undefined, { ref: false, signal: this.#closing.signal }).then(over, () => undefined);
  }

  #lost(written: boolean): ChainError {
    return new ChainError("JOURNAL_LOST", { file: this.file, seconds: RESTORED_AFTER_MS / 1_000, written });
  }

  async #release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** The folder is watched, not the file: the file may be removed and made again. */
  async #follow(): Promise<void> {
    if (this.#listeners.size === 0) return;
    await this.#opened();
    if (this.#watcher !== undefined || this.#closing.signal.aborted) return;
    this.#watchFolder();
    await this.#readOn();
  }

  #watchFolder(): void {
    this.#watcher = watch(this.#folder, { persistent: false }, () => {
      this.#inTurn(() => this.#readForListeners()).catch(this.#onFollowError);
    });
    this.#watcher.on("error", this.#onFollowError);
  }

  #stopFollowing(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  /** Reads only if there are listeners: opening a removed file would create it again. */
  async #readForListeners(): Promise<void> {
    if (this.#listeners.size > 0) await this.#readOn();
  }

  /** Tells listeners what other windows wrote since. @returns the part of it that stands behind our last line */
  async #readOn(): Promise<readonly JournalEntry[]> {
    const handle = await this.#opened();
    let bytes = await this.#readNew(handle);
    if (bytes === undefined) {
      await this.#restore(handle);
      bytes = await readFrom(handle, 0);
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#hasRead(bytes.subarray(0, end));
    const { entries, newer } = readJournalText(bytes.toString("utf8", 0, end));
    this.#newer += newer;
    const last = entries.findIndex(({ mark }) => this.#isOurs(mark) && mark.sequence === this.#sequence - 1);
    const news = entries
      .map((it, at) => ({ ...it, at }))
      .filter(({ mark, entry }) => !this.#isOurs(mark) && this.#memory.add(mark, entry));
    if (news.length > 0) for (const listener of this.#listeners) listener(news.map(({ entry }) => entry));
    return last === -1 ? [] : news.filter(({ at }) => at > last).map(({ entry }) => entry);
  }

  #isOurs({ writer }: LineMark): boolean {
    return writer === this.#writer;
  }

  /** Returns the bytes after the last line that was read. Undefined if that line is no longer at its position. */
  async #readNew(handle: FileHandle): Promise<Buffer | undefined> {
    const { length } = this.#tail;
    const bytes = await readFrom(handle, this.#readTo - length);
    return bytes.subarray(0, length).equals(this.#tail) ? bytes.subarray(length) : undefined;
  }

  /** @param lines - whole ones, which stand behind what was read before */
  #hasRead(lines: Buffer): void {
    this.#readTo += lines.length;
    this.#size = Math.max(this.#size, this.#readTo);
    if (lines.length > 0) this.#tail = Buffer.from(lines.subarray(lines.lastIndexOf(NEWLINE, lines.length - 2) + 1));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work).finally(() => (this.#closing.signal.aborted ? this.#release() : undefined));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

function endsWhole(bytes: Buffer): boolean {
  return bytes.length === 0 || bytes[bytes.length - 1] === NEWLINE;
}
