import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Clock, LOCAL_NETWORK_NAME, type NetworkRef } from "@finality/client/gateway";
import {
  decodeIncoming,
  encodeIncoming,
  type IncomingEntry,
  IncomingLedger,
  IncomingReader,
  type IncomingWatch,
  type Payment,
  type WatchStatus,
} from "@finality/client/incoming";
import { SerialQueue } from "@finality/node/serial-queue";
import { AppendLog, linesOf } from "@finality/node/storage";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";

export interface IncomingOptions {
  /** Folder in which the windows share their data. */
  readonly folder: string;
  readonly clock: Clock;
  /** Returns the network that currently reaches a chain. */
  readonly networkFor: (network: NetworkRef) => string;
  /** Called with the payments that are new to this window, after any change. */
  readonly changed: (fresh: readonly Payment[]) => void;
  /** Called when watches begin or end: a window has to read blocks for them. */
  readonly watched: () => void;
  readonly failed: (message: string, error: unknown) => void;
}

/** Number of lines from which the file is rewritten. */
const LINES_TO_SHORTEN = 3_000;

/** Watches for incoming payments and the payments received: their file, and the readers of blocks. */
export class IncomingPayments {
  readonly #options: IncomingOptions;
  readonly #file: IncomingFile;
  readonly #readers = new Map<string, IncomingReader>();
  readonly #issues = new Map<string, string>();
  #ledger = new IncomingLedger();
  #isLoaded = false;
  #isClosed = false;
  readonly #queue = new SerialQueue();

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.#file = new IncomingFile(options.folder);
  }

  get ledger(): IncomingLedger {
    return this.#ledger;
  }

  /** Reads the file, and follows the entries of other windows. @throws {ChainError} `INCOMING_UNWRITABLE` */
  async load(): Promise<void> {
    await this.#inTurn(() => this.#readOn());
    this.#isLoaded = true;
    const failed = (error: unknown) =>
      this.#options.failed(t`Incoming payments of other windows cannot be tracked.`, error);
    const follow = async (): Promise<void> => {
      // Opening a removed file would create it again.
      if (!this.#isClosed) await this.#readOn();
    };
    await this.#file.follow(() => void this.#inTurn(follow).catch(failed), failed);
  }

  /** Resolves when the entries are on disk and in the ledger. @throws {ChainError} `INCOMING_UNWRITABLE` */
  async add(entries: readonly IncomingEntry[]): Promise<void> {
    await this.#inTurn(async () => {
      await this.#file.append(entries);
      await this.#readOn();
      const isReader = entries.some(({ kind }) => kind === "read");
      if (!isReader || this.#file.shortenableLines < LINES_TO_SHORTEN) return;
      await this.#file.replace(this.#ledger.entries());
      await this.#readOn();
    });
  }

  /** Starts a watch. Resolves when it is on disk: from then on no payment is missed. */
  async begin(options: Omit<IncomingWatch, "id">): Promise<IncomingWatch> {
    const watch = { ...options, id: randomBytes(8).toString("hex") };
    await this.add([{ kind: "begun", watch }]);
    return watch;
  }

  /** Returns the network that is currently read for a watch. */
  networkOf({ watch }: WatchStatus): string {
    return this.#options.networkFor(watch);
  }

  /** Returns the networks with open watches. */
  networks(): readonly string[] {
    return [...new Set(this.#open().map((it) => this.networkOf(it)))].filter((it) => this.readerOn(it).isWaiting);
  }

  /** Returns the reason why a network cannot be read; undefined if it can, or if another window reads it. */
  issue(network: string): string | undefined {
    return this.#issues.get(network);
  }

  readerOn(network: string): IncomingReader {
    const reader = this.#readers.get(network) ?? this.#newReader(network);
    this.#readers.set(network, reader);
    return reader;
  }

  /** Updates the readers after a change of networks or their chains. */
  reconsider(): void {
    for (const reader of this.#readers.values()) reader.changed();
  }

  /** Waits for pending work and closes the file. Later entries are still written, and the file is closed again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inTurn(() => this.#file.close());
  }

  #open(): readonly WatchStatus[] {
    return this.#ledger.list().filter(({ stoppedAt }) => stoppedAt === undefined);
  }

  #newReader(network: string): IncomingReader {
    const { clock, changed } = this.#options;
    return new IncomingReader({
      clock,
      isFree: network === LOCAL_NETWORK_NAME,
      ledger: () => this.#ledger,
      open: () => this.#open().filter((it) => this.networkOf(it) === network),
      recordEntries: (entries) => this.add(entries),
      onIssue: (message) => {
        if (message === this.#issues.get(network)) return;
        if (message === undefined) this.#issues.delete(network);
        else this.#issues.set(network, message);
        changed([]);
      },
    });
  }

  async #readOn(): Promise<void> {
    const appended = await this.#file.readOn();
    const fresh = appended.isReplaced ? await this.#foldReplaced(appended) : this.#ledger.fold(appended.entries);
    if (appended.entries.length === 0 && !appended.isReplaced) return;
    this.reconsider();
    const isRead = (it: IncomingEntry) => it.kind === "read" || it.kind === "group";
    if (!appended.entries.every(isRead)) this.#options.watched();
    // Payments that were known before this window opened are not reported as new.
    this.#options.changed(this.#isLoaded ? fresh : []);
  }

  /** Handles a replaced file: writes entries again that this window knows and the file lacks. */
  async #foldReplaced({ entries }: IncomingUpdate): Promise<readonly Payment[]> {
    const known = this.#ledger;
    this.#ledger = new IncomingLedger();
    this.#ledger.fold(entries);
    if (!known.list().every((it) => isIn(this.#ledger, it, known))) {
      await this.#file.append(known.entries());
      this.#ledger.fold((await this.#file.readOn()).entries);
    }
    return [];
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => work().finally(() => (this.#isClosed ? this.#file.close() : undefined)));
  }
}

/** Returns whether a ledger has a watch, with at least the payments that another ledger knows. */
function isIn(ledger: IncomingLedger, status: WatchStatus, previous: IncomingLedger): boolean {
  const same = ledger.get(status.watch.id);
  return same !== undefined && ledger.paymentsOf(same).length >= previous.paymentsOf(status).length;
}

/** Entries in the file after the last entry read. */
interface IncomingUpdate {
  readonly entries: readonly IncomingEntry[];
  /** True if the file was replaced or cut: then these are all its entries. */
  readonly isReplaced: boolean;
}

/** Incoming payments in a file that windows share: one entry per line. Lines that cannot be parsed are ignored. */
class IncomingFile {
  readonly #log: AppendLog;
  #lines = 0;
  /** Number of lines that are damaged or of a newer version. */
  #unreadable = 0;
  #isReplaced = false;

  /** @param folder - folder of the file; created if it is missing */
  constructor(folder: string) {
    this.#log = new AppendLog(join(folder, "incoming", "payments.jsonl"));
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
