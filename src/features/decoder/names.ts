import * as vscode from "vscode";
import { type AbiIndex, joinAbiIndexes } from "../../core/abi/abi-index.ts";
import { loadDictionary } from "../../core/explain/dictionary.ts";
import type { Artifacts } from "../../host/artifacts/artifacts.ts";
import { lazily } from "../../host/lazily.ts";
import type { Log } from "../../host/log/log.ts";

export interface NameServices {
  /** The names of selectors that the workspace has. */
  readonly artifacts: Artifacts;
  readonly log: Log;
}

/**
 * So long a text waits for the artifacts of a large workspace; then it is read with what is known, and anew when they
 * are there.
 */
const PATIENCE_MS = 1_500;

/**
 * Names of selectors: the workspace's first, then those that ship with the extension. Nothing is loaded before the
 * first text.
 */
export class Names implements vscode.Disposable {
  readonly #services: NameServices;
  readonly #changed = new vscode.EventEmitter<void>();
  #subscription: vscode.Disposable | undefined;

  /** The workspace has other names than before. */
  readonly onDidChange = this.#changed.event;

  readonly get = lazily(() => this.#load());

  constructor(services: NameServices) {
    this.#services = services;
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#changed.dispose();
  }

  async #load(): Promise<AbiIndex> {
    const dictionary = await loadDictionary();
    try {
      const workspace = await this.#services.artifacts.get();
      this.#subscription = workspace.onDidChange(() => this.#changed.fire());
      await soon(workspace.ready());
      return joinAbiIndexes(workspace.index, dictionary);
    } catch (error) {
      this.#services.log.error("Names of the workspace are missing.", error);
      return dictionary;
    }
  }
}

async function soon(work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PATIENCE_MS);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
