import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { EventWatch } from "@finality/client/events";
import { type Clock, LOCAL_NETWORK_NAME, type NetworkRef } from "@finality/client/gateway";
import {
  type BlockWatch,
  type BlockWatchStatus,
  type FreshItems,
  type IncomingEntry,
  IncomingLedger,
  IncomingReader,
  type IncomingWatch,
} from "@finality/client/incoming";
import { IncomingFile, type IncomingUpdate } from "@finality/node/incoming";
import { SerialQueue } from "@finality/node/serial-queue";
import { t } from "@vscode/l10n";

export interface IncomingOptions {
  /** Folder in which the windows share their data. */
  readonly folder: string;
  readonly clock: Clock;
  /** Returns the network that currently reaches a chain. */
  readonly networkFor: (network: NetworkRef) => string;
  /** Called with the payments and events that are new to this window, after any change. */
  readonly changed: (fresh: FreshItems) => void;
  /** Called when watches begin or end: a window has to read blocks for them. */
  readonly watched: () => void;
  readonly failed: (message: string, error: unknown) => void;
}

/** Number of lines from which the file is rewritten. */
const LINES_TO_SHORTEN = 3_000;
const NOTHING: FreshItems = { payments: [], events: [] };

/** Watches for incoming payments and for events, and what they found: their file, and the readers of blocks. */
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
    this.#file = new IncomingFile(join(options.folder, "incoming", "payments.jsonl"));
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

  /** Starts a watch for events. Resolves when it is on disk: from then on no event is missed. */
  async beginEvents(options: Omit<EventWatch, "id">): Promise<EventWatch> {
    const watch = { ...options, id: randomBytes(8).toString("hex") };
    await this.add([{ kind: "events-begun", watch }]);
    return watch;
  }

  /** Returns the network that is currently read for a watch. */
  networkOf({ watch }: { readonly watch: BlockWatch }): string {
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

  #open(): readonly BlockWatchStatus[] {
    return this.#ledger.all().filter(({ stoppedAt }) => stoppedAt === undefined);
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
        changed(NOTHING);
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
    // Payments and events that were known before this window opened are not reported as new.
    this.#options.changed(this.#isLoaded ? fresh : NOTHING);
  }

  /** Handles a replaced file: writes entries again that this window knows and the file lacks. */
  async #foldReplaced({ entries }: IncomingUpdate): Promise<FreshItems> {
    const known = this.#ledger;
    this.#ledger = new IncomingLedger();
    this.#ledger.fold(entries);
    if (!known.all().every((it) => isIn(this.#ledger, it, known))) {
      await this.#file.append(known.entries());
      this.#ledger.fold((await this.#file.readOn()).entries);
    }
    return NOTHING;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => work().finally(() => (this.#isClosed ? this.#file.close() : undefined)));
  }
}

/** Returns whether a ledger has a watch, with at least the payments or events that another ledger knows. */
function isIn(ledger: IncomingLedger, { watch: { id } }: BlockWatchStatus, previous: IncomingLedger): boolean {
  const count = itemsOf(ledger, id);
  return count !== undefined && count >= (itemsOf(previous, id) ?? 0);
}

/** Returns the number of payments or events of a watch; undefined if the ledger does not have the watch. */
function itemsOf(ledger: IncomingLedger, id: string): number | undefined {
  const payments = ledger.get(id);
  if (payments !== undefined) return ledger.paymentsOf(payments).length;
  const events = ledger.eventWatches().find(({ watch }) => watch.id === id);
  return events && ledger.eventsOf(events).length;
}
