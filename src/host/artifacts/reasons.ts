import type { ReasonOf } from "@finality/client/explain";
import { failureOf, type TrackedTransaction } from "@finality/client/tracking";
import * as vscode from "vscode";
import { lazily } from "../lazily.ts";
import type { ReasonServices, ReasonTeller } from "./reason-teller.ts";

/**
 * Why transactions failed, for everything that shows them. It is read from what the journal holds whenever it is shown,
 * for names may come later. Nothing is loaded before there is a failure, and no chain is asked.
 */
export class Reasons implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #load;
  #teller: ReasonTeller | undefined;

  /** Reasons may read otherwise than before. */
  readonly onDidChange = this.#changed.event;

  constructor(services: ReasonServices) {
    this.#load = lazily(async () => {
      try {
        const { ReasonTeller } = await import("./reason-teller.ts");
        this.#teller = new ReasonTeller(services, () => this.#changed.fire());
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

  /** Resolves when the reason of this one is known as well as it will be, and after a moment in any case. */
  async settled(tracked: TrackedTransaction): Promise<void> {
    const failure = failureOf(tracked);
    if (failure !== undefined) await (await this.#load())?.settled(failure);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#teller?.dispose();
  }
}
