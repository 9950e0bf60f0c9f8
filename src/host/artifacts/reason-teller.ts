import { type FailureReason, failureReason, runOf, wantsNames } from "@finality/client/explain";
import type { Failure, TrackedTransaction } from "@finality/client/tracking";
import type { NameOf } from "@finality/tron/format";
import type * as vscode from "vscode";
import { lazily } from "../lazily.ts";
import type { Log } from "../log/log.ts";
import type { NamesOnDemand } from "./artifacts.ts";
import type { SelectorNames } from "./selector-names.ts";

/** What reasons are made of. */
export interface ReasonServices {
  readonly names: NamesOnDemand;
  readonly nameOf: NameOf;
  /** The network through which a transaction is watched. */
  readonly networkOf: (tracked: TrackedTransaction) => string;
  readonly log: Log;
}

/** Puts failures into words. A part of its own: most windows have none. */
export class ReasonTeller {
  readonly #services: ReasonServices;
  readonly #load;
  #names: SelectorNames | undefined;
  #subscription: vscode.Disposable | undefined;

  /** @param changed - called when there are other names than before */
  constructor(services: ReasonServices, changed: () => void) {
    this.#services = services;
    this.#load = lazily(async () => {
      try {
        this.#names = await services.names();
        this.#subscription = this.#names.onDidChange(changed);
        await this.#names.nearlyReady();
      } catch (error) {
        services.log.error("Reasons of failures have no names.", error);
      }
    });
  }

  reason(tracked: TrackedTransaction, failure: Failure): FailureReason | undefined {
    const { nameOf, networkOf } = this.#services;
    const { signed } = tracked;
    const run = { ...runOf(signed?.intent), estimatedEnergy: signed?.estimatedEnergy };
    if (wantsNames(failure)) void this.#load();
    const abi = this.#names?.indexAt({ network: networkOf(tracked), contract: run.contract });
    return failureReason(failure, run, { abi, nameOf });
  }

  async settled(failure: Failure): Promise<void> {
    if (wantsNames(failure)) await this.#load();
  }

  dispose(): void {
    this.#subscription?.dispose();
  }
}
