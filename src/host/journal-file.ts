import { randomBytes } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { JournalEntry } from "../core/journal/journal.ts";
import { encodeEntry, type LineMark } from "../core/journal/journal-codec.ts";
import type { JournalStore, LoadedJournal } from "../core/journal/journal-store.ts";
import { bringOver, clearLeftovers, putShorterInPlace } from "./journal-compaction.ts";
import { appendLines, isNamed, type OpenFile, openDurably, readFrom, unwritable } from "./journal-disk.ts";
import { quarantine } from "./journal-quarantine.ts";
import { type JournalText, readJournalText } from "./journal-text.ts";

type Listener = (entries: readonly JournalEntry[]) => void;

const NEWLINE = 0x0a;
/** How long the last line of another window may take to arrive in full before it counts as torn. */
const TORN_AFTER_MS = 30;

/**
 * The journal in one append-only file that several windows share.
 *
 * Each append is one write of whole lines, and begins with an end of line: a line that another process left torn can then never
 * swallow the next one. The file is never cut; a compaction puts another one in its place, and an append counts only when the
 * file it went to still has the name afterwards.
 */
export class JournalFile implements JournalStore {
  readonly file: string;
  readonly #folder: string;
  readonly #writer = randomBytes(6).toString("hex");
  readonly #listeners = new Set<Listener>();
  #sequence = 0;
  #handle: FileHandle | undefined;
  #watcher: FSWatcher | undefined;
  readonly #onTrouble: (error: unknown) => void;
  readonly #openFile: OpenFile | undefined;
  #readTo = 0;
  /** The lines seen of each writer, by their sequence: a line may stand in the file twice, and nothing is told twice. */
  #seen = new Map<string, Set<number>>();
  /** Appends and reads, one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  /**
   * @param folder - where the journal lives; made when it does not exist
   * @param onTrouble - told when the lines of other windows cannot be followed
   * @param openFile - how the journal is opened, for tests of disks that refuse
   */
  constructor(folder: string, onTrouble: (error: unknown) => void = () => undefined, openFile?: OpenFile) {
    this.#folder = folder;
    this.#onTrouble = onTrouble;
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

  /** As `append`. @returns what other windows wrote behind these entries; nothing when nobody listens */
  appendInOrder(entries: readonly JournalEntry[]): Promise<readonly JournalEntry[]> {
    return this.#inTurn(async () => {
      await this.#write(entries);
      return this.#listeners.size > 0 ? await this.#readOn() : [];
    });
  }

  /**
   * Leaves out lines that nothing needs any more (`superfluousEntries`), when that is worth it. For the leading window alone.
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
    this.#inTurn(() => this.#follow()).catch(this.#onTrouble);
    return {
      dispose: () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size === 0) this.#stopFollowing();
      },
    };
  };

  async catchUp(): Promise<void> {
    if (this.#listeners.size > 0) await this.#inTurn(() => this.#readOn());
  }

  /** Waits for what is under way and closes the file. */
  async close(): Promise<void> {
    this.#listeners.clear();
    this.#stopFollowing();
    await this.#inTurn(() => this.#release());
  }

  async #load(): Promise<LoadedJournal> {
    const handle = await this.#opened();
    const { text, torn, end } = await this.#readWhole(handle);
    this.#readTo = end;
    const whole = readJournalText(text);
    const tail = readJournalText(torn);
    this.#seen = new Map();
    const lines = [...whole.entries, ...tail.entries].filter(({ mark }) => this.#isNew(mark));
    return { entries: lines.map(({ entry }) => entry), warnings: await this.#warnings(whole, tail) };
  }

  /** A tail without its end of line may be on its way: it is read a second time before it counts as torn. */
  async #readWhole(handle: FileHandle): Promise<{ text: string; torn: string; end: number }> {
    let bytes = await readFrom(handle, 0);
    if (!endsWhole(bytes)) {
      await wait(TORN_AFTER_MS);
      bytes = await readFrom(handle, 0);
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    return { text: bytes.toString("utf8", 0, end), torn: bytes.toString("utf8", end), end };
  }

  async #warnings(...texts: readonly JournalText[]): Promise<string[]> {
    const newer = texts.reduce((sum, it) => sum + it.newer, 0);
    const damage = await this.#keepAside(texts.flatMap((it) => it.damaged));
    return [
      ...(damage === undefined ? [] : [damage]),
      ...(newer === 0
        ? []
        : [`${newer} lines of the journal were written by a newer version. They are kept; update to see them.`]),
    ];
  }

  /** Lines that cannot be kept aside stay in the journal, and are no reason not to show the others. */
  async #keepAside(damaged: readonly string[]): Promise<string | undefined> {
    try {
      return await quarantine(this.#folder, damaged);
    } catch (cause) {
      return `${damaged.length} damaged lines of the journal could not be kept aside. ${unwritable(this.file, cause).message}`;
    }
  }

  async #write(entries: readonly JournalEntry[]): Promise<void> {
    const lines = entries.map((it) => encodeEntry(it, { writer: this.#writer, sequence: this.#sequence++ }));
    try {
      let handle: FileHandle;
      do {
        handle = await this.#opened();
        await appendLines(handle, lines);
      } while (!(await isNamed(handle, this.file)));
    } catch (cause) {
      await this.#release();
      throw unwritable(this.file, cause);
    }
  }

  /** The open file; opened again when its name went to another file, so that nothing is written where nobody reads. */
  async #opened(): Promise<FileHandle> {
    const open = this.#handle;
    if (open !== undefined && (await isNamed(open, this.file))) return open;
    await this.#release();
    try {
      const handle = await openDurably(this.file, this.#openFile);
      this.#handle = handle;
      this.#readTo = 0;
      await bringOver(this.file, handle);
      return handle;
    } catch (cause) {
      await this.#release();
      throw unwritable(this.file, cause);
    }
  }

  async #release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** The folder is watched, not the file: the file may be removed and made again. */
  async #follow(): Promise<void> {
    await this.#opened();
    if (this.#watcher !== undefined || this.#listeners.size === 0) return;
    this.#watcher = watch(this.#folder, { persistent: false }, () => {
      this.#inTurn(() => this.#readOn()).catch(this.#onTrouble);
    });
    this.#watcher.on("error", this.#onTrouble);
    await this.#readOn();
  }

  #stopFollowing(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  /** Tells listeners what other windows wrote since. @returns the part of it that stands behind our last line */
  async #readOn(): Promise<readonly JournalEntry[]> {
    const handle = await this.#opened();
    const bytes = await readFrom(handle, this.#readTo);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#readTo += end;
    const { entries } = readJournalText(bytes.toString("utf8", 0, end));
    const last = entries.findIndex(({ mark }) => this.#isOurs(mark) && mark.sequence === this.#sequence - 1);
    const news = entries
      .map((it, at) => ({ ...it, at }))
      .filter(({ mark }) => !this.#isOurs(mark) && this.#isNew(mark));
    if (news.length > 0) for (const listener of this.#listeners) listener(news.map(({ entry }) => entry));
    return last === -1 ? [] : news.filter(({ at }) => at > last).map(({ entry }) => entry);
  }

  #isOurs({ writer }: LineMark): boolean {
    return writer === this.#writer;
  }

  #isNew({ writer, sequence }: LineMark): boolean {
    const seen = this.#seen.get(writer) ?? new Set();
    if (seen.has(sequence)) return false;
    this.#seen.set(writer, seen.add(sequence));
    return true;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

function endsWhole(bytes: Buffer): boolean {
  return bytes.length === 0 || bytes[bytes.length - 1] === NEWLINE;
}
