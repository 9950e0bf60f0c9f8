import { randomBytes } from "node:crypto";
import { type Clock, LOCAL_NETWORK_NAME, type NetworkRef } from "@finality/client/gateway";
import {
  type IncomingEntry,
  IncomingLedger,
  IncomingReader,
  type IncomingWatch,
  type Payment,
  type WatchStatus,
} from "@finality/client/incoming";
import { t } from "@vscode/l10n";
import { IncomingFile, type IncomingUpdate } from "./incoming-file.ts";

export interface IncomingOptions {
  /** Folder in which the windows share their data. */
  readonly folder: string;
  readonly clock: Clock;
  /** The network through which a chain is asked now. */
  readonly networkFor: (place: NetworkRef) => string;
  /** Told payments that this window did not know before, and that anything may look different. */
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
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.#file = new IncomingFile(options.folder);
  }

  get ledger(): IncomingLedger {
    return this.#ledger;
  }

  /** Reads what is known, and follows what other windows add. @throws {ChainError} `INCOMING_UNWRITABLE` */
  async load(): Promise<void> {
    await this.#inTurn(() => this.#readOn());
    this.#isLoaded = true;
    const failed = (error: unknown) =>
      this.#options.failed(t`Incoming payments of other windows cannot be followed.`, error);
    const follow = async (): Promise<void> => {
      // Opening a removed file would create it again.
      if (!this.#isClosed) await this.#readOn();
    };
    await this.#file.follow(() => void this.#inTurn(follow).catch(failed), failed);
  }

  /** Resolves when the entries are on disk, and known here. @throws {ChainError} `INCOMING_UNWRITABLE` */
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

  /** Begins to wait. Resolves when that is on disk: from then on no payment is missed. */
  async begin(wanted: Omit<IncomingWatch, "id">): Promise<IncomingWatch> {
    const watch = { ...wanted, id: randomBytes(8).toString("hex") };
    await this.add([{ kind: "begun", watch }]);
    return watch;
  }

  /** The network through which a watch is read now. */
  networkOf({ watch }: WatchStatus): string {
    return this.#options.networkFor(watch);
  }

  /** Returns the networks with open watches. */
  networks(): readonly string[] {
    return [...new Set(this.#open().map((it) => this.networkOf(it)))].filter((it) => this.readerOn(it).isWaiting);
  }

  /** Why a network cannot be read at the moment; undefined while all is well, or another window reads. */
  issue(network: string): string | undefined {
    return this.#issues.get(network);
  }

  readerOn(network: string): IncomingReader {
    const reader = this.#readers.get(network) ?? this.#newReader(network);
    this.#readers.set(network, reader);
    return reader;
  }

  /** More is known of chains, or networks are others than before. */
  reconsider(): void {
    for (const reader of this.#readers.values()) reader.changed();
  }

  /** Waits for what is under way and closes the file; what is added all the same is written, and the file closed again. */
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
      onIssue: (sentence) => {
        if (sentence === this.#issues.get(network)) return;
        if (sentence === undefined) this.#issues.delete(network);
        else this.#issues.set(network, sentence);
        changed([]);
      },
    });
  }

  async #readOn(): Promise<void> {
    const reading = await this.#file.readOn();
    const fresh = reading.isReplaced ? await this.#foldReplaced(reading) : this.#ledger.fold(reading.entries);
    if (reading.entries.length === 0 && !reading.isReplaced) return;
    this.reconsider();
    const isRead = (it: IncomingEntry) => it.kind === "read" || it.kind === "group";
    if (!reading.entries.every(isRead)) this.#options.watched();
    // Payments that were known before this window opened are not reported as new.
    this.#options.changed(this.#isLoaded ? fresh : []);
  }

  /** Handles a replaced file: entries that this window knows and the file lacks are written again. */
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
    const turn = this.#queue.then(work).finally(() => (this.#isClosed ? this.#file.close() : undefined));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

function isIn(ledger: IncomingLedger, standing: WatchStatus, known: IncomingLedger): boolean {
  const there = ledger.get(standing.watch.id);
  return there !== undefined && ledger.paymentsOf(there).length >= known.paymentsOf(standing).length;
}
