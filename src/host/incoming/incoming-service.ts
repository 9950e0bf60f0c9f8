import type { Clock, NetworkRef } from "@finality/client/gateway";
import type { FreshItems } from "@finality/client/incoming";
import type { BlockFollowers } from "@finality/client/tracking";
import * as vscode from "vscode";
import type { Log } from "../log/log.ts";
import type { IncomingPayments } from "./incoming-payments.ts";

export interface IncomingServiceOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly networkFor: (network: NetworkRef) => string;
  /** Called when a watch needs blocks: the block polling of this window may have to start. */
  readonly watched: () => void;
}

/**
 * Expected incoming payments, and watched events of contracts. The service loads nothing until the user views them or
 * waits for one.
 */
export class IncomingService implements vscode.Disposable {
  readonly #options: IncomingServiceOptions;
  readonly #changed = new vscode.EventEmitter<FreshItems>();
  #opening: Promise<IncomingPayments> | undefined;
  #opened: IncomingPayments | undefined;

  /** Fires with the payments and events that are new to this window, after any change. */
  readonly onDidChange = this.#changed.event;
  readonly followers: BlockFollowers = {
    networks: () => this.#opened?.networks() ?? [],
    on: (network) => this.#opened?.readerOn(network),
  };

  constructor(options: IncomingServiceOptions) {
    this.#options = options;
  }

  /** Loads the payments, and reads blocks for the watches. @throws {ChainError} `INCOMING_UNWRITABLE` */
  ready(): Promise<IncomingPayments> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Updates the readers after a change of networks or their chains. */
  reconsider(): void {
    this.#opened?.reconsider();
  }

  dispose(): void {
    void this.close();
  }

  /** Resolves when pending writes are on disk and the file is closed. */
  async close(): Promise<void> {
    this.#changed.dispose();
    await Promise.allSettled([this.#opening]);
    await this.#opened?.close();
  }

  async #open(): Promise<IncomingPayments> {
    const { log, ...options } = this.#options;
    const { IncomingPayments } = await import("./incoming-payments.ts");
    const changed = (fresh: FreshItems) => this.#changed.fire(fresh);
    const failed = (message: string, error: unknown) => log.error(message, error);
    this.#opened = new IncomingPayments({ ...options, changed, failed });
    await this.#opened.load();
    return this.#opened;
  }
}
