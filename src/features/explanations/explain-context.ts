import { type AbiIndex, joinAbiIndexes } from "../../core/abi/abi-index.ts";
import { loadDictionary } from "../../core/explain/dictionary.ts";
import { explain } from "../../core/explain/explain.ts";
import type { Explanation } from "../../core/explain/result/explanation.ts";
import { parseTxId } from "../../core/primitives/bytes.ts";
import { chainTimeAbout, type HeadSamples } from "../../core/time/chain-times.ts";
import type { Artifacts } from "../../host/artifacts/artifacts.ts";
import type { WorkspaceArtifacts } from "../../host/artifacts/workspace-artifacts.ts";
import { lazily } from "../../host/lazily.ts";
import type { Log } from "../../host/log/log.ts";
import type { TransactionService } from "../../host/sending/transaction-service.ts";
import { txIdOf } from "./explanation.view.ts";
import type { LiveTransaction } from "./live-facts.view.ts";

/** What this feature needs from the rest of the extension. */
export interface ExplanationServices {
  readonly transactions: Pick<TransactionService, "get">;
  readonly artifacts: Artifacts;
  readonly heads: HeadSamples;
  readonly now: () => number;
  readonly log: Log;
}

/** So long a hover waits for names while the index is built; without them it tells what it can. */
const PATIENCE_MS = 1_500;

/** Everything that explanations are made of: the catalogue, names of selectors, and the transactions of this window. */
export class ExplainContext {
  readonly #services: ExplanationServices;
  #dictionary: AbiIndex | undefined;
  #workspace: WorkspaceArtifacts | undefined;

  /** Resolves when all names are there. */
  readonly ready = lazily(() => this.#load());

  constructor(services: ExplanationServices) {
    this.#services = services;
  }

  get workspace(): WorkspaceArtifacts | undefined {
    return this.#workspace;
  }

  /** The same, and after a moment without them. */
  async nearlyReady(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PATIENCE_MS);
    await Promise.race([this.ready(), promise]).finally(() => clearTimeout(timer));
  }

  /** Explains a text with what is known by now. */
  readonly explain = (input: string): Explanation => {
    const indexes = [this.#workspace?.index, this.#dictionary].filter((it) => it !== undefined);
    return explain(input, { abi: joinAbiIndexes(...indexes) });
  };

  readonly isTracked = (text: string): boolean => {
    const txId = parseTxId(text);
    return txId !== undefined && this.#services.transactions.get(txId) !== undefined;
  };

  /** The tracked transaction that an explanation names. */
  liveOf(explanation: Explanation): LiveTransaction | undefined {
    const { transactions, heads, now } = this.#services;
    const txId = parseTxId(txIdOf(explanation) ?? "");
    const tracked = txId === undefined ? undefined : transactions.get(txId);
    return tracked && { tracked, chainTime: chainTimeAbout(now(), heads.get(tracked.network)) };
  }

  async #load(): Promise<void> {
    try {
      this.#dictionary = await loadDictionary();
      this.#workspace = await this.#services.artifacts.get();
      await this.#workspace.ready();
    } catch (error) {
      this.#services.log.error("Names of selectors are missing.", error);
    }
  }
}
