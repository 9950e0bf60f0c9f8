import * as vscode from "vscode";
import { ChainError } from "../core/errors/chain-error.ts";
import type { Gateway, SignedTransaction } from "../core/gateway/gateway.ts";
import type { TxId } from "../core/primitives/hash.ts";
import type { Clock } from "../core/time/clock.ts";
import { resubmitTransaction, type SubmissionContext, submitTransaction } from "../core/tracking/submit-transaction.ts";
import type { TrackedTransaction } from "../core/tracking/tracked-transaction.ts";
import { TransactionTracker } from "../core/tracking/transaction-tracker.ts";
import { JournalFile } from "./journal-file.ts";
import type { Log } from "./log.ts";
import { leadAlone } from "./tracking-leader.ts";

export interface DeskOptions {
  /** Where the journal lives. */
  readonly folder: string;
  readonly gatewayFor: (network: string) => Promise<Gateway>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The transactions of this window: the journal is read on first use, and then one window of all watches the chain.
 */
export class TransactionDesk implements vscode.Disposable {
  readonly #options: DeskOptions;
  readonly #tracker: TransactionTracker;
  readonly #changed = new vscode.EventEmitter<readonly TxId[]>();
  readonly #troubled = new vscode.EventEmitter<void>();
  readonly #closing = new AbortController();
  #ready: Promise<void> | undefined;

  readonly onDidChange = this.#changed.event;
  readonly onDidChangeTrouble = this.#troubled.event;

  constructor(options: DeskOptions) {
    const { folder, gatewayFor, clock, log } = options;
    const store = new JournalFile(folder, (error) =>
      log.error("The lines of other windows cannot be followed.", error),
    );
    const report = (message: string, error: unknown): void => log.error(message, error);
    this.#options = options;
    this.#tracker = new TransactionTracker({ store, gatewayFor, clock, log: report });
    this.#tracker.onDidChange((txIds) => this.#changed.fire(txIds));
    this.#tracker.onDidChangeTrouble(() => this.#troubled.fire());
  }

  /** Reads the journal and goes on watching what is not final, unless that was done already. */
  ready(): Promise<void> {
    this.#ready ??= this.#open().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  list(): readonly TrackedTransaction[] {
    return this.#tracker.list();
  }

  get(txId: TxId): TrackedTransaction | undefined {
    return this.#tracker.get(txId);
  }

  /** Why watching does not get on, as sentences; undefined while all is well. */
  get trouble(): string | undefined {
    const sentences = this.#tracker.troubles().map(({ sentence }) => sentence);
    return sentences.length === 0 ? undefined : sentences.join("\n");
  }

  /** Writes the signed bytes down, then hands them to the gateway. @throws {ChainError} nothing was sent */
  async submit(signed: SignedTransaction, context: SubmissionContext): Promise<TrackedTransaction> {
    await this.ready();
    return await submitTransaction(await this.#services(context.network), signed, context);
  }

  /** Hands the bytes of the journal to the gateway once more. @throws {ChainError} `RESEND_REFUSED`: nothing was sent */
  async resend(txId: TxId): Promise<TrackedTransaction> {
    await this.ready();
    const result = await resubmitTransaction(await this.#services(this.get(txId)?.network ?? ""), txId);
    if (result.kind === "refused") throw new ChainError("RESEND_REFUSED", { txId, reason: result.reason });
    return result.tracked;
  }

  /** Follows a transaction by its txID, whoever signed it. */
  async adopt(txId: TxId, network: string, label?: string): Promise<TrackedTransaction> {
    await this.ready();
    return await this.#tracker.adopt(txId, network, label);
  }

  async lookNow(txId: TxId): Promise<void> {
    await this.ready();
    await this.#tracker.lookNow(txId, this.#closing.signal);
  }

  async hide(txId: TxId): Promise<void> {
    await this.ready();
    await this.#tracker.hide(txId);
  }

  dispose(): void {
    this.#closing.abort();
    this.#tracker.dispose();
    this.#changed.dispose();
    this.#troubled.dispose();
  }

  async #open(): Promise<void> {
    const { folder, log } = this.#options;
    const warnings = await this.#tracker.load();
    for (const warning of warnings) {
      log.warn(warning);
      void vscode.window.showWarningMessage(warning);
    }
    leadAlone(folder, (signal) => this.#tracker.start(signal), this.#closing.signal).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) log.error("Transactions are not watched any more.", error);
    });
  }

  async #services(network: string) {
    const { gatewayFor, clock } = this.#options;
    return { log: this.#tracker, gateway: await gatewayFor(network), clock };
  }
}
