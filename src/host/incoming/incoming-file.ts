import { randomBytes } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { decodeIncoming, encodeIncoming, type IncomingEntry } from "@finality/client/incoming";
import { ChainError } from "@finality/tron/errors";
import { appendLines, fileStatus, openDurably, readFrom, syncFolder } from "../journal/journal-disk.ts";

/** Entries in the file after the part that was read before. */
export interface IncomingUpdate {
  readonly entries: readonly IncomingEntry[];
  /** The file is another one than before: these are all entries that there are. */
  readonly isReplaced: boolean;
}

const NEWLINE = 0x0a;

/**
 * Incoming payments in a file that the windows share: one entry per line, append-only, synced. Each append is followed
 * by a read, so that all windows see all entries in one order. Torn lines are ignored.
 */
export class IncomingFile {
  readonly file: string;
  #handle: FileHandle | undefined;
  #watcher: FSWatcher | undefined;
  #readTo = 0;
  #lines = 0;
  /** Lines that are torn, damaged, or of a newer version. */
  #unread = 0;
  #isNew = false;

  /** @param folder - where the file lives; made when it does not exist */
  constructor(folder: string) {
    this.file = join(folder, "incoming", "payments.jsonl");
  }

  /** Number of lines read. Zero if one of them cannot be parsed, because that line must not be lost. */
  get shortenableLines(): number {
    return this.#unread > 0 ? 0 : this.#lines;
  }

  /** Tells that the file may have changed. @param failed - told when it cannot be followed */
  async follow(changed: () => void, failed: (error: unknown) => void): Promise<void> {
    await this.#open();
    this.#watcher ??= watch(dirname(this.file), { persistent: false }, changed).on("error", failed);
  }

  /** Resolves when the entries are on disk where others read them. @throws {ChainError} `INCOMING_UNWRITABLE` */
  async append(entries: readonly IncomingEntry[]): Promise<void> {
    await this.#guarded(async () => {
      for (let isThere = false; !isThere; ) {
        const handle = await this.#open();
        await appendLines(handle, entries.map(encodeIncoming));
        isThere = (await fileStatus(handle, this.file)).named;
      }
    });
  }

  /**
   * Reads the entries that any window appended since the last read.
   *
   * @throws {ChainError} `INCOMING_UNWRITABLE`
   */
  async readOn(): Promise<IncomingUpdate> {
    return await this.#guarded(async () => {
      const handle = await this.#open();
      const bytes = await readFrom(handle, this.#readTo);
      const isReplaced = this.#isNew;
      this.#isNew = false;
      return { entries: this.#entriesIn(bytes), isReplaced };
    });
  }

  /** Puts these entries in the place of all that were read; what others append meanwhile is brought over. */
  async replace(entries: readonly IncomingEntry[]): Promise<void> {
    const draft = join(dirname(this.file), `${randomBytes(6).toString("hex")}.tmp`);
    await this.#guarded(async () => {
      const old = await this.#open();
      try {
        const handle = await openDurably(draft);
        await appendLines(handle, entries.map(encodeIncoming)).finally(() => handle.close());
        if (!(await fileStatus(old, this.file)).named) return;
        await rename(draft, this.file);
        await syncFolder(dirname(this.file));
        const late = this.#linesIn(await readFrom(old, this.#readTo));
        if (late.length > 0) await appendLines(await this.#open(), late);
      } finally {
        await rm(draft, { force: true });
      }
    });
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    this.#watcher = undefined;
    await this.#release();
  }

  /** The open file; opened again when its name went to another file, or when it was cut. */
  async #open(): Promise<FileHandle> {
    const open = this.#handle;
    if (open !== undefined) {
      const { named, size } = await fileStatus(open, this.file);
      if (named && size >= this.#readTo) return open;
      // The window that replaced the file copies lines that were appended to the old file after it was read.
      await this.#release();
    }
    this.#handle = await openDurably(this.file);
    this.#isNew = open !== undefined || this.#isNew;
    [this.#readTo, this.#lines, this.#unread] = [0, 0, 0];
    return this.#handle;
  }

  async #release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  #entriesIn(bytes: Buffer): readonly IncomingEntry[] {
    const lines = this.#linesIn(bytes);
    const entries = lines.flatMap((line) => decodeIncoming(line) ?? []);
    this.#readTo += bytes.lastIndexOf(NEWLINE) + 1;
    this.#lines += lines.length;
    this.#unread += lines.length - entries.length;
    return entries;
  }

  #linesIn(bytes: Buffer): readonly string[] {
    const text = bytes.toString("utf8", 0, bytes.lastIndexOf(NEWLINE) + 1);
    return text.split("\n").filter((line) => line.trim() !== "");
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      await this.#release().catch(() => undefined);
      this.#isNew = true;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ChainError("INCOMING_UNWRITABLE", { file: this.file, reason }, { cause });
    }
  }
}
