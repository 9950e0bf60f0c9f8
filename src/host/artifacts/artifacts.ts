import type { ReasonOf } from "@finality/client/explain";
import { failureOf, type TrackedTransaction } from "@finality/client/tracking";
import * as vscode from "vscode";
import { type Lazy, lazy } from "../async.ts";
import type { FailureDescriber, NameServices, ReasonServices, SelectorNames } from "./selector-names.ts";
import type { ArtifactServices, WorkspaceArtifacts } from "./workspace-artifacts.ts";

/** ABI index of the workspace. Nothing is loaded, searched or read before its first use. */
export interface Artifacts extends vscode.Disposable {
  get(): Promise<WorkspaceArtifacts>;
}

export function artifactsOnDemand(services: ArtifactServices): Artifacts {
  const get = lazy(async () => new (await import("./workspace-artifacts.ts")).WorkspaceArtifacts(services));
  return { get, dispose: () => get.ifLoaded((it) => it.dispose()) };
}

/** Names of selectors, loaded on first use. */
export type NamesOnDemand = Lazy<SelectorNames>;

export function namesOnDemand(services: NameServices): NamesOnDemand {
  return lazy(async () => new (await import("./selector-names.ts")).SelectorNames(services));
}

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
