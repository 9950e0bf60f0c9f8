import type { ReasonOf } from "@finality/client/explain";
import { failureOf, type TrackedTransaction } from "@finality/client/tracking";
import * as vscode from "vscode";
import { lazy } from "../async.ts";
import type { FailureDescriber, ReasonServices } from "./selector-names.ts";

/**
 * Reasons why transactions failed. They are computed from the journal whenever they are shown, because names may arrive
 * later. Nothing is loaded before there is a failure, and no request is made.
 */
export class FailureReasons implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #load;
  #teller: FailureDescriber | undefined;

  /** Fires when reasons may have changed. */
  readonly onDidChange = this.#changed.event;

  constructor(services: ReasonServices) {
    this.#load = lazy(async () => {
      try {
        const { FailureDescriber } = await import("./selector-names.ts");
        this.#teller = new FailureDescriber(services, () => this.#changed.fire());
        this.#changed.fire();
      } catch (error) {
        services.log.error("Reasons of failures cannot be told.", error);
      }
      return this.#teller;
    });
  }

  readonly of: ReasonOf = (tracked) => {
    const failure = failureOf(tracked);
    if (failure === undefined) return undefined;
    void this.#load();
    return this.#teller?.reason(tracked, failure);
  };

  /** Resolves when the names for this transaction are loaded, or after a short time. */
  async settled(tracked: TrackedTransaction): Promise<void> {
    const failure = failureOf(tracked);
    if (failure !== undefined) await (await this.#load())?.settled(failure);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#teller?.dispose();
  }
}
