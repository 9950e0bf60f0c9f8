import { decodeIncoming, encodeIncoming, type IncomingEntry } from "@finality/client/incoming";
import { ChainError } from "@finality/tron/errors";
import { AppendLog } from "../storage/append-log.ts";
import { linesOf } from "../storage/durable-file.ts";

/** Entries in the file after the last entry read. */
export interface IncomingUpdate {
  readonly entries: readonly IncomingEntry[];
  /** True if the file was replaced or cut: then these are all its entries. */
  readonly isReplaced: boolean;
}

/**
 * Incoming payments and watched events in a file that windows share: one entry per line. Lines that cannot be parsed are
 * ignored.
 */
export class IncomingFile {
  readonly #log: AppendLog;
  #lines = 0;
  /** Number of lines that are damaged or of a newer version. */
  #unreadable = 0;
  #isReplaced = false;

  /** @param file - its folder is created if it is missing */
  constructor(file: string) {
    this.#log = new AppendLog(file);
  }

  /** Number of lines read. Zero if one of them cannot be parsed, because that line must not be lost. */
  get shortenableLines(): number {
    return this.#unreadable > 0 ? 0 : this.#lines;
  }

  /** Calls `changed` when the file may have changed, and `failed` when it cannot be followed. */
  async follow(changed: () => void, failed: (error: unknown) => void): Promise<void> {
    await this.#open();
    if (!this.#log.isFollowed) this.#log.follow(changed, failed);
  }

  /** Resolves when the entries are on disk where other windows read them. */
  async append(entries: readonly IncomingEntry[]): Promise<void> {
    await this.#guarded(async () => {
      do await this.#open();
      while (!(await this.#log.append(entries.map(encodeIncoming))));
    });
  }

  /** Reads the entries that any window appended since the last read. */
  async readOn(): Promise<IncomingUpdate> {
    return await this.#guarded(async () => {
      await this.#open();
      let text = await this.#log.readNew();
      if (text === undefined) {
        this.#startOver();
        text = (await this.#log.readNew()) ?? "";
      }
      const isReplaced = this.#isReplaced;
      this.#isReplaced = false;
      return { entries: this.#entriesIn(text), isReplaced };
    });
  }

  /** Replaces all entries read so far. */
  async replace(entries: readonly IncomingEntry[]): Promise<void> {
    await this.#guarded(async () => {
      await this.#open();
      await this.#log.replace(entries.map(encodeIncoming));
    });
  }

  async close(): Promise<void> {
    this.#log.stopFollowing();
    await this.#log.close();
  }

  async #open(): Promise<void> {
    const change = await this.#log.open();
    if (change !== undefined) this.#startOver(change.kind !== "opened");
  }

  #startOver(isReplaced = true): void {
    this.#isReplaced ||= isReplaced;
    [this.#lines, this.#unreadable] = [0, 0];
  }

  #entriesIn(text: string): readonly IncomingEntry[] {
    const lines = linesOf(text);
    const entries = lines.flatMap((line) => decodeIncoming(line) ?? []);
    this.#lines += lines.length;
    this.#unreadable += lines.length - entries.length;
    return entries;
  }

  /** @throws {ChainError} `INCOMING_UNWRITABLE` */
  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      await this.#log.close().catch(() => undefined);
      this.#startOver();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ChainError("INCOMING_UNWRITABLE", { file: this.#log.file, reason }, { cause });
    }
  }
}
