import { randomBytes } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ChainError } from "../core/errors/chain-error.ts";
import type { JournalEntry } from "../core/journal/journal.ts";
import { encodeEntry, type LineMark } from "../core/journal/journal-codec.ts";
import type { JournalStore, LoadedJournal } from "../core/journal/journal-store.ts";
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
 * swallow the next one. The file is never rewritten or cut.
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
  #readTo = 0;
  /** The last line seen of each writer, whose lines stand in the order of their sequence: nothing is told twice. */
  readonly #seen = new Map<string, number>();
  /** Appends and reads, one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  /**
   * @param folder - where the journal lives; made when it does not exist
   * @param onTrouble - told when the lines of other windows cannot be followed
   */
  constructor(folder: string, onTrouble: (error: unknown) => void = () => undefined) {
    this.#folder = folder;
    this.#onTrouble = onTrouble;
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
    const lines = [...whole.entries, ...tail.entries];
    for (const { mark } of lines) this.#seen.set(mark.writer, mark.sequence);
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
    const damage = await quarantine(
      this.#folder,
      texts.flatMap((it) => it.damaged),
    );
    return [
      ...(damage === undefined ? [] : [damage]),
      ...(newer === 0
        ? []
        : [`${newer} lines of the journal were written by a newer version. They are kept; update to see them.`]),
    ];
  }

  async #write(entries: readonly JournalEntry[]): Promise<void> {
    const lines = entries.map((it) => encodeEntry(it, { writer: this.#writer, sequence: this.#sequence++ }));
    const bytes = Buffer.from(`\n${lines.join("\n")}\n`);
    try {
      const handle = await this.#opened();
      const { bytesWritten } = await handle.write(bytes);
      if (bytesWritten !== bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes fit`);
      await handle.datasync();
    } catch (cause) {
      await this.#release();
      throw this.#unwritable(cause);
    }
  }

  /** The open file; opened again when somebody removed it, so that nothing is written into a file without a name. */
  async #opened(): Promise<FileHandle> {
    const open = this.#handle;
    if (open !== undefined && (await open.stat()).nlink > 0) return open;
    await this.#release();
    const handle = await openDurably(this.file).catch((cause: unknown) => Promise.reject(this.#unwritable(cause)));
    this.#readTo = 0;
    this.#handle = handle;
    return handle;
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

  async #readOn(): Promise<void> {
    const handle = await this.#opened();
    const bytes = await readFrom(handle, this.#readTo);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#readTo += end;
    const { entries } = readJournalText(bytes.toString("utf8", 0, end));
    const others = entries.filter(({ mark }) => this.#isNews(mark)).map(({ entry }) => entry);
    if (others.length > 0) for (const listener of this.#listeners) listener(others);
  }

  #isNews({ writer, sequence }: LineMark): boolean {
    if (writer === this.#writer || sequence <= (this.#seen.get(writer) ?? -1)) return false;
    this.#seen.set(writer, sequence);
    return true;
  }

  #unwritable(cause: unknown): ChainError {
    if (cause instanceof ChainError) return cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new ChainError("JOURNAL_UNWRITABLE", { file: this.file, reason }, { cause });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

/** Opens the file for appending and makes sure that its name survives a power cut too. */
async function openDurably(file: string): Promise<FileHandle> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(file, "a+", 0o600);
  await syncFolder(folder);
  await syncFolder(dirname(folder));
  return handle;
}

/** Windows cannot open a folder, and does not need to. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

function endsWhole(bytes: Buffer): boolean {
  return bytes.length === 0 || bytes[bytes.length - 1] === NEWLINE;
}

async function readFrom(handle: FileHandle, start: number): Promise<Buffer> {
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(Math.max(0, size - start));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
