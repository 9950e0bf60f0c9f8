import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
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
import { counted } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import { SerialQueue } from "../serial-queue.ts";
import { AppendLog } from "../storage/append-log.ts";
import { codeOf, createFile, type OpenFile } from "../storage/durable-file.ts";
import { clearLeftovers, copyFromPredecessor, isWorthwhile, replaceWithNeededLines } from "./journal-compaction.ts";
import { birthLine, JournalMemory, missingLines, readJournalText } from "./journal-text.ts";

type Listener = (entries: readonly JournalEntry[]) => void;

/** Maximum time for other windows to write lost lines again; until then no claim counts. */
const RESTORED_AFTER_MS = 5_000;

export interface JournalOptions {
  /** Called if the lines of other windows cannot be followed. */
  readonly onFollowError?: (error: unknown) => void;
  /** Called if another program removed lines, which this window wrote again. */
  readonly onLost?: (loss: ChainError) => void;
  /** Function that opens the journal, for tests of disks that refuse access. */
  readonly openFile?: OpenFile | undefined;
}

/**
 * Journal in one append-only file that windows share. Compaction replaces the file; an append counts only if its file
 * keeps the name. If a program removes, empties or replaces the file, windows write their lines again
 * (`JournalMemory`). Until all had time for that, no claim counts.
 */
export class JournalFile implements JournalStore {
  readonly file: string;
  readonly #folder: string;
  readonly #log: AppendLog;
  readonly #writer = randomBytes(6).toString("hex");
  readonly #listeners = new Set<Listener>();
  readonly #memory = new JournalMemory();
  #sequence = 0;
  readonly #onFollowError: (error: unknown) => void;
  readonly #onLost: (loss: ChainError) => void;
  /** Number of lines read that a newer version wrote. This version cannot interpret them. */
  #newer = 0;
  /** True if lines were lost a moment ago and other windows may still be writing theirs again. */
  #isDoubtful = false;
  readonly #closing = new AbortController();
  readonly #queue = new SerialQueue();

  /** @param folder - folder of the journal; created if it is missing */
  constructor(folder: string, { onFollowError, onLost, openFile }: JournalOptions = {}) {
    this.#folder = folder;
    this.file = join(folder, "journal.jsonl");
    this.#log = new AppendLog(this.file, openFile);
    this.#onFollowError = onFollowError ?? (() => undefined);
    this.#onLost = onLost ?? (() => undefined);
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
   * @returns the entries that other windows wrote behind these; none without listeners
   * @throws {ChainError} `JOURNAL_LOST` lines were removed a moment ago, so the file decides nothing yet;
   *   `JOURNAL_NEWER`
   */
  appendInOrder(entries: readonly JournalEntry[]): Promise<readonly JournalEntry[]> {
    return this.#inTurn(async () => {
      await this.#open();
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

  /** @throws {ChainError} `JOURNAL_NEWER` the file has lines of a newer version, so its meaning is not known */
  requireReadable(written = false): void {
    if (this.#newer > 0) throw new ChainError("JOURNAL_NEWER", { file: this.file, lines: this.#newer, written });
  }

  /**
   * Leaves out lines that are no longer needed (`superfluousEntries`), if that saves enough. Only the leading window
   * calls this.
   *
   * @returns the number of lines left out
   */
  compact(): Promise<number> {
    return this.#inTurn(async () => {
      await this.#open();
      await clearLeftovers(this.file);
      // Spares the second reading of a long file. A window that has read no line decides from the file.
      const { lines, superfluous } = this.#memory.counts();
      if (lines > 0 && !isWorthwhile(superfluous, lines)) return 0;
      const saved = await replaceWithNeededLines(this.#log);
      if (saved === 0) return 0;
      await this.#open();
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
        if (this.#listeners.size === 0) this.#log.stopFollowing();
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
    this.#log.stopFollowing();
    await this.#inTurn(() => this.#log.close());
  }

  async #load(): Promise<LoadedJournal> {
    await this.#open();
    this.#memory.clear();
    this.#newer = 0;
    const entries: JournalEntry[] = [];
    const damaged: string[] = [];
    const read = (text: string): number => {
      const piece = readJournalText(text);
      damaged.push(...piece.damaged);
      for (const { mark, entry } of piece.entries) if (this.#memory.add(mark, entry)) entries.push(entry);
      return piece.newer;
    };
    const incomplete = await this.#log.readAll((text) => {
      this.#newer += read(text);
    });
    const newer = this.#newer + read(incomplete);
    return { entries, warnings: await this.#warnings(newer, damaged) };
  }

  async #warnings(newer: number, damaged: readonly string[]): Promise<string[]> {
    const damage = await this.#quarantine(damaged);
    const error = new ChainError("JOURNAL_NEWER", { file: this.file, lines: newer, written: false });
    return [...(damage === undefined ? [] : [damage]), ...(newer === 0 ? [] : [error.message])];
  }

  /** Copies damaged lines to a file. If that fails, they stay in the journal, and the other lines are shown. */
  async #quarantine(damaged: readonly string[]): Promise<string | undefined> {
    try {
      return await quarantine(this.#folder, damaged);
    } catch (cause) {
      return t`${damaged.length} damaged lines of the journal could not be saved. ${unwritable(this.file, cause).message}`;
    }
  }

  async #write(entries: readonly JournalEntry[]): Promise<void> {
    const marked = entries.map((entry) => ({ entry, mark: { writer: this.#writer, sequence: this.#sequence++ } }));
    const lines = marked.map(({ entry, mark }) => encodeEntry(entry, mark));
    try {
      do await this.#open();
      while (!(await this.#log.append(lines)));
    } catch (cause) {
      await this.#log.close();
      throw unwritable(this.file, cause);
    }
    for (const { entry, mark } of marked) this.#memory.add(mark, entry);
  }

  /** Opens the file. If it is another file than before, or lines are missing, writes the missing lines. */
  async #open(): Promise<void> {
    try {
      const change = await this.#log.open();
      if (change?.kind === "cut") await this.#restore();
      else if (change !== undefined) await this.#reopened(change.previous);
    } catch (cause) {
      await this.#log.close();
      throw unwritable(this.file, cause);
    }
  }

  /** @param previous - text of the file that had the name before: lines that only this file has are copied */
  async #reopened(previous: string): Promise<void> {
    this.#newer = 0;
    await copyFromPredecessor(this.#log);
    if (previous !== "" || this.#memory.size > 0) await this.#copyMissing(previous);
    await this.#nameBirth();
  }

  /** Writes lines that were removed from the open file again. The next read starts at the first line. */
  async #restore(): Promise<void> {
    this.#newer = 0;
    this.#noteLoss();
    await this.#copyMissing("");
    await this.#nameBirth();
  }

  /**
   * Appends the lines that this window knows, or that the previous text has, and the file lacks. After a compaction
   * nothing is missing.
   */
  async #copyMissing(previous: string): Promise<void> {
    const complete = previous.slice(0, previous.lastIndexOf("\n") + 1);
    const missing = missingLines(await this.#log.text(), `${complete}${this.#memory.text()}`);
    // The process that put the file there may not have synced it.
    if (missing.length === 0) return await this.#log.sync();
    if (readJournalText(missing.join("\n")).entries.some(({ mark }) => this.#memory.has(mark))) this.#noteLoss();
    await this.#log.append(missing);
  }

  /** Writes a unique blank line into an empty file, by which a window notices that the file was emptied. */
  async #nameBirth(): Promise<void> {
    // If the disk is full, nothing is sent either.
    if (this.#log.isEmpty) await this.#log.append([birthLine()]).catch(() => false);
  }

  /** Reports a loss once, and refuses claims for as long as other windows may need. */
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

  async #follow(): Promise<void> {
    if (this.#listeners.size === 0) return;
    await this.#open();
    if (this.#log.isFollowed || this.#closing.signal.aborted) return;
    const changed = () => void this.#inTurn(() => this.#readForListeners()).catch(this.#onFollowError);
    this.#log.follow(changed, this.#onFollowError);
    await this.#readOn();
  }

  /** Reads only if there are listeners: opening a removed file would create it again. */
  async #readForListeners(): Promise<void> {
    if (this.#listeners.size > 0) await this.#readOn();
  }

  /** Passes new entries of other windows to the listeners. Returns those behind the last line of this window. */
  async #readOn(): Promise<readonly JournalEntry[]> {
    await this.#open();
    let text = await this.#log.readNew();
    if (text === undefined) {
      await this.#restore();
      text = (await this.#log.readNew()) ?? "";
    }
    const { entries, newer } = readJournalText(text);
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

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => work().finally(() => (this.#closing.signal.aborted ? this.#log.close() : undefined)));
  }
}

const QUARANTINE = /^journal\.quarantine-(\d+)\.jsonl$/;

/**
 * Copies damaged lines to a file of their own, once: later starts neither copy nor report them again. The journal is
 * not rewritten, because another window may be appending to it.
 *
 * @returns a message for the user; undefined if no line is new
 */
async function quarantine(folder: string, damaged: readonly string[]): Promise<string | undefined> {
  if (damaged.length === 0) return undefined;
  const names = (await readdir(folder)).filter((name) => QUARANTINE.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const known = new Set(texts.flatMap((text) => text.split("\n")));
  const added = damaged.filter((line) => !known.has(line));
  if (added.length === 0) return undefined;
  const next = Math.max(0, ...names.map((name) => Number(QUARANTINE.exec(name)?.[1]))) + 1;
  const file = join(folder, `journal.quarantine-${next}.jsonl`);
  await createFile(file, `${added.join("\n")}\n`);
  const reason = counted(added.length, t`damaged line`, t`damaged lines`);
  return new ChainError("JOURNAL_UNREADABLE", { file, reason }).message;
}

/** Returns an error with the message of the system, and the next step if known. */
function unwritable(file: string, cause: unknown): ChainError {
  if (cause instanceof ChainError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const step = NEXT_STEPS[codeOf(cause) ?? ""] ?? t`Check its folder, then try again`;
  return new ChainError("JOURNAL_UNWRITABLE", { file, reason, step }, { cause });
}

const FULL = t`Free some space on that disk, then try again`;
const FORBIDDEN = t`Give your user write access to that folder, then try again`;
const NEXT_STEPS: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: t`That disk is read-only: make it writable, or start the editor with another --user-data-dir, then try again`,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EMFILE: t`Too many files are open: close some windows, then try again`,
  EIO: t`The disk reports a fault: check it before you send anything`,
};
