import * as vscode from "vscode";
import { ChainError } from "../core/errors/chain-error.ts";
import type { Gateway, SignedTransaction } from "../core/gateway/gateway.ts";
import type { TxId } from "../core/primitives/hash.ts";
import type { Clock } from "../core/time/clock.ts";
import type { SubmissionContext } from "../core/tracking/submit-transaction.ts";
import type { TrackedTransaction } from "../core/tracking/tracked-transaction.ts";
import type { TransactionTracker } from "../core/tracking/transaction-tracker.ts";
import type { JournalFile } from "./journal-file.ts";
import type { Log } from "./log.ts";

type Parts = typeof import("./lazy/tracking.ts");

export interface DeskOptions {
  /** Where the journal lives. */
  readonly folder: string;
  readonly gatewayFor: (network: string) => Promise<Gateway>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is there as soon as the journal is read. */
interface Opened {
  readonly parts: Parts;
  readonly store: JournalFile;
  readonly tracker: TransactionTracker;
}

/**
 * The transactions of this window: the journal is read on first use, and then one window of all watches the chain. Until then
 * there are none, and nothing of it is loaded.
 */
export class TransactionDesk implements vscode.Disposable {
  readonly #options: DeskOptions;
  readonly #changed = new vscode.EventEmitter<readonly TxId[]>();
  readonly #troubled = new vscode.EventEmitter<void>();
  readonly #closing = new AbortController();
  #opening: Promise<Opened> | undefined;
  #opened: Opened | undefined;

  readonly onDidChange = this.#changed.event;
  readonly onDidChangeTrouble = this.#troubled.event;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Reads the journal and goes on watching what is not final, unless that was done already. */
  async ready(): Promise<void> {
    await this.#open();
  }

  list(): readonly TrackedTransaction[] {
    return this.#opened?.tracker.list() ?? [];
  }

  get(txId: TxId): TrackedTransaction | undefined {
    return this.#opened?.tracker.get(txId);
  }

  /** Why watching does not get on, as sentences; undefined while all is well. */
  get trouble(): string | undefined {
    const sentences = this.#opened?.tracker.troubles().map(({ sentence }) => sentence) ?? [];
    return sentences.length === 0 ? undefined : sentences.join("\n");
  }

  /** Writes the signed bytes down, then hands them to the gateway. @throws {ChainError} nothing was sent */
  async submit(signed: SignedTransaction, context: SubmissionContext): Promise<TrackedTransaction> {
    const { parts, tracker } = await this.#open();
    return await parts.submitTransaction(await this.#services(tracker, context.network), signed, context);
  }

  /**
   * Hands the bytes of the journal to the gateway once more.
   *
   * @param acknowledged - equal transactions that the sender knows of
   * @param gateway - another node than the network's first one
   * @throws {ChainError} `RESEND_REFUSED`: nothing was sent
   */
  async resend(txId: TxId, acknowledged: readonly string[] = [], gateway?: Gateway): Promise<TrackedTransaction> {
    const { parts, tracker } = await this.#open();
    await tracker.catchUp();
    const tracked = tracker.get(txId);
    const reason = tracked && parts.whyNotResend(tracked, tracker.list(), acknowledged);
    if (reason !== undefined) throw new ChainError("RESEND_REFUSED", { txId, reason });
    const services = await this.#services(tracker, this.get(txId)?.network ?? "", gateway);
    const result = await parts.resubmitTransaction(services, txId, { acknowledged });
    if (result.kind === "refused") throw new ChainError("RESEND_REFUSED", { txId, reason: result.reason });
    return result.tracked;
  }

  /** Follows a transaction by its txID, whoever signed it. */
  async adopt(txId: TxId, network: string, label?: string): Promise<TrackedTransaction> {
    const { tracker } = await this.#open();
    return await tracker.adopt(txId, network, label);
  }

  async lookNow(txId: TxId): Promise<void> {
    const { tracker } = await this.#open();
    await tracker.lookNow(txId, this.#closing.signal);
  }

  /** Stops the search for a proof of absence in this window, or lets it go on. */
  async stopProof(txId: TxId, stopped: boolean): Promise<void> {
    const { tracker } = await this.#open();
    tracker.stopProof(txId, stopped);
  }

  async hide(txId: TxId): Promise<void> {
    const { tracker } = await this.#open();
    await tracker.hide(txId);
  }

  /** What was seen of this network counts no more: its chain went back, or is another one. */
  startOver(network: string): void {
    this.#opened?.tracker.startOver(network);
  }

  dispose(): void {
    this.#closing.abort();
    this.#opened?.tracker.dispose();
    this.#changed.dispose();
    this.#troubled.dispose();
  }

  #open(): Promise<Opened> {
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #load(): Promise<Opened> {
    const { log } = this.#options;
    const opened = this.#opened ?? (await this.#create());
    this.#opened = opened;
    const warnings = await opened.tracker.load();
    for (const warning of warnings) {
      log.warn(warning);
      void vscode.window.showWarningMessage(warning);
    }
    this.#watch(opened).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) log.error("Transactions are not watched any more.", error);
    });
    return opened;
  }

  async #create(): Promise<Opened> {
    const { folder, gatewayFor, clock, log } = this.#options;
    const parts = await import("./lazy/tracking.ts");
    this.#closing.signal.throwIfAborted();
    const store = new parts.JournalFile(folder, (error) =>
      log.error("The lines of other windows cannot be followed.", error),
    );
    const report = (message: string, error: unknown): void => log.error(message, error);
    const note = (message: string): void => log.info(message);
    const scans = new parts.ScanFile(folder, (error) => log.error("A scan for a proof could not be kept.", error));
    const tracker = new parts.TransactionTracker({ store, gatewayFor, clock, scans, log: report, note });
    tracker.onDidChange((txIds) => this.#changed.fire(txIds));
    tracker.onDidChangeTrouble(() => this.#troubled.fire());
    return { parts, store, tracker };
  }

  #watch({ parts, store, tracker }: Opened): Promise<void> {
    const lead = async (signal: AbortSignal): Promise<void> => {
      await this.#compact(store);
      await tracker.start(signal);
    };
    return parts.leadAlone(this.#options.folder, lead, this.#closing.signal);
  }

  /** A journal that stays long is no trouble: it is shortened another time. */
  async #compact(store: JournalFile): Promise<void> {
    const { log } = this.#options;
    try {
      const saved = await store.compact();
      if (saved > 0) log.info(`The journal was compacted: ${saved} lines that nothing needs any more were left out.`);
    } catch (error) {
      log.error("The journal could not be compacted. It stays as it is.", error);
    }
  }

  async #services(tracker: TransactionTracker, network: string, gateway?: Gateway) {
    const { gatewayFor, clock } = this.#options;
    return { log: tracker, gateway: gateway ?? (await gatewayFor(network)), clock };
  }
}
