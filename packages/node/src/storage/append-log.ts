import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  appendLines,
  appendToFile,
  createFile,
  draftOf,
  fileStatus,
  linesOf,
  type OpenFile,
  openDurably,
  readFrom,
  syncFolder,
} from "./durable-file.ts";

const NEWLINE = 0x0a;
/** Maximum time for the last line of another window to arrive in full before it counts as torn; ms. */
const TORN_AFTER_MS = 30;
/** Bytes that are read at once. */
const PIECE = 256 * 1_024;

/**
 * Change of the file since it was opened: it was closed and is open now, its name refers to another file, or lines that
 * were in it are missing.
 */
export interface LogChange {
  readonly kind: "opened" | "replaced" | "cut";
  /** Text of the file that had the name before, if the file was replaced. */
  readonly previous: string;
}

/**
 * An append-only file of lines that several windows share. Each append is one synced write that starts with a line
 * break, so an incomplete line of another process cannot absorb it. Reads continue after the last line read. The calls
 * of one window must not overlap, and `open` comes first in each operation.
 */
export class AppendLog {
  readonly file: string;
  readonly #openFile: OpenFile | undefined;
  #handle: FileHandle | undefined;
  /** Minimum size of the open file, in bytes. */
  #size = 0;
  #readTo = 0;
  /** The last line read, with its line break. If it is no longer at its position, the file was rewritten. */
  #tail: Buffer = Buffer.alloc(0);
  #follower: { readonly changed: () => void; readonly failed: (error: unknown) => void } | undefined;
  #watcher: FSWatcher | undefined;

  constructor(file: string, openFile?: OpenFile) {
    this.file = file;
    this.#openFile = openFile;
  }

  /**
   * Opens the file, and opens it again if its name refers to another file, so that no line goes to a file without
   * readers. After a change, reads start at the first line.
   *
   * @returns undefined if the file is the same and no line is missing
   */
  async open(): Promise<LogChange | undefined> {
    const old = this.#handle;
    const { named, size } = old === undefined ? { named: false, size: 0 } : await fileStatus(old, this.file);
    if (named) {
      const isCut = size < this.#size;
      this.#size = size;
      if (isCut) this.#startOver();
      return isCut ? { kind: "cut", previous: "" } : undefined;
    }
    const handle = await openDurably(this.file, this.#openFile);
    this.#handle = handle;
    this.#startOver();
    // The folder may be another one too.
    if (this.#watcher !== undefined) this.#watch();
    this.#size = (await handle.stat()).size;
    if (old === undefined) return { kind: "opened", previous: "" };
    try {
      return { kind: "replaced", previous: (await readFrom(old, 0)).toString("utf8") };
    } finally {
      await old.close();
    }
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /**
   * Appends lines.
   *
   * @returns false if the name now refers to another file, or if earlier lines are missing: call `open` and append again
   */
  async append(lines: readonly string[]): Promise<boolean> {
    const handle = this.#opened();
    const bytes = await appendLines(handle, lines);
    const { named, size } = await fileStatus(handle, this.file);
    const expected = this.#size + bytes;
    // If the file was cut, it is smaller than this, which the next `open` reports.
    this.#size = Math.max(expected, size);
    return named && size >= expected;
  }

  /** Syncs lines that another process may have written without syncing them. */
  async sync(): Promise<void> {
    await this.#opened().datasync();
  }

  /**
   * Reads the complete lines after the last line read.
   *
   * @returns undefined if that line is no longer at its position; then the next call starts at the first line
   */
  async readNew(): Promise<string | undefined> {
    const { length } = this.#tail;
    const bytes = await readFrom(this.#opened(), this.#readTo - length);
    if (bytes.subarray(0, length).equals(this.#tail)) return this.#take(bytes.subarray(length));
    this.#startOver();
    return undefined;
  }

  /**
   * Passes all lines from the first one in pieces, so that a long file is never in memory as a whole. An incomplete last
   * line may be on its way, so it is read a second time.
   *
   * @returns the incomplete last line, or ""
   */
  async readAll(onLines: (text: string) => void): Promise<string> {
    const handle = this.#opened();
    this.#startOver();
    let isRepeated = false;
    for (let most = PIECE; ; ) {
      const start = this.#readTo;
      const bytes = await readFrom(handle, start, most);
      const text = this.#take(bytes);
      if (text !== "") onLines(text);
      const isAtEnd = bytes.length < most;
      most = text === "" ? most * 2 : PIECE;
      if (!isAtEnd) continue;
      const incomplete = bytes.toString("utf8", this.#readTo - start);
      if (incomplete === "" || isRepeated) return incomplete;
      await wait(TORN_AFTER_MS);
      isRepeated = true;
    }
  }

  /** Returns the whole text. The position of the next read does not change. */
  async text(): Promise<string> {
    return (await readFrom(this.#opened(), 0)).toString("utf8");
  }

  /** Returns whether this path refers to the open file. */
  async hasName(path: string): Promise<boolean> {
    return (await fileStatus(this.#opened(), path)).named;
  }

  /**
   * Replaces the lines read so far with these lines, atomically. Lines that other windows append meanwhile are copied.
   * Does nothing if another window replaced the file. Afterwards, `open` reports the file as replaced.
   */
  async replace(lines: readonly string[]): Promise<void> {
    const draft = draftOf(this.file);
    try {
      await createFile(draft, `${lines.join("\n")}\n`);
      if (!(await this.hasName(this.file))) return;
      await rename(draft, this.file);
      await syncFolder(dirname(this.file));
      const late = await readFrom(this.#opened(), this.#readTo);
      const added = linesOf(late.toString("utf8", 0, late.lastIndexOf(NEWLINE) + 1));
      if (added.length > 0) await appendToFile(this.file, added);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Watches the folder of the file, because the file may be removed and created again. The log must be open. */
  follow(changed: () => void, failed: (error: unknown) => void): void {
    this.#follower = { changed, failed };
    this.#watch();
  }

  stopFollowing(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  get isFollowed(): boolean {
    return this.#watcher !== undefined;
  }

  /** Closes the file. The next `open` opens it again. */
  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  #opened(): FileHandle {
    if (this.#handle === undefined) throw new Error(`${this.file} is not open`);
    return this.#handle;
  }

  #watch(): void {
    this.stopFollowing();
    if (this.#follower === undefined) return;
    const { changed, failed } = this.#follower;
    this.#watcher = watch(dirname(this.file), { persistent: false }, changed);
    this.#watcher.on("error", failed);
  }

  #startOver(): void {
    this.#readTo = 0;
    this.#tail = Buffer.alloc(0);
  }

  /** Returns the complete lines at the start of these bytes, and counts them as read. */
  #take(bytes: Buffer): string {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#readTo += end;
    this.#size = Math.max(this.#size, this.#readTo);
    if (end > 0) this.#tail = Buffer.from(bytes.subarray(bytes.lastIndexOf(NEWLINE, end - 2) + 1, end));
    return bytes.toString("utf8", 0, end);
  }
}
