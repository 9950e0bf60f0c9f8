import type { FunctionNameOf } from "@finality/client/labels";
import * as vscode from "vscode";
import { lazy } from "../async.ts";
import type { CallNameServices, FunctionDescriber } from "./selector-names.ts";

/**
 * Names of the functions that transactions call, from ABIs that are known here. Nothing is loaded before a call is shown
 * whose function is not in the journal, and no request is made.
 */
export class CallNames implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #load;
  #describer: FunctionDescriber | undefined;

  /** Fires when names may have changed. */
  readonly onDidChange = this.#changed.event;

  constructor(services: CallNameServices) {
    this.#load = lazy(async () => {
      try {
        const { FunctionDescriber } = await import("./selector-names.ts");
        this.#describer = await FunctionDescriber.load(services, () => this.#changed.fire());
        this.#changed.fire();
      } catch (error) {
        services.log.error("Names of called functions are missing.", error);
      }
    });
  }

  readonly of: FunctionNameOf = (tracked) => {
    if (tracked.signed?.intent.kind !== "contract-call") return undefined;
    void this.#load();
    return this.#describer?.functionOf(tracked);
  };

  dispose(): void {
    this.#changed.dispose();
    this.#describer?.dispose();
  }
}
