import { type ExplainOptions, type Explanation, explain } from "@finality/client/explain";
import { chainTimeAbout, type HeadSamples } from "@finality/client/gateway";
import { parseTxId } from "@finality/tron/primitives";
import type { NamesOnDemand } from "../../host/artifacts/artifacts.ts";
import type { FailureReasons } from "../../host/artifacts/failure-reasons.ts";
import type { SelectorNames } from "../../host/artifacts/selector-names.ts";
import { lazy } from "../../host/async.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import { type LiveTransaction, txIdOf } from "./explanation.view.ts";

/** Services that this feature needs from the rest of the extension. */
export interface ExplanationServices {
  readonly transactions: Pick<TransactionService, "get">;
  readonly names: NamesOnDemand;
  readonly reasons: Pick<FailureReasons, "of">;
  readonly heads: HeadSamples;
  readonly now: () => number;
}

/** Catalogue, selector names and tracked transactions that explanations use. */
export class ExplainContext {
  readonly #services: ExplanationServices;
  #names: SelectorNames | undefined;

  /** Selector names; resolves when all are loaded. */
  readonly ready = lazy(async () => {
    const names = await this.#load();
    await names.ready();
    return names;
  });

  constructor(services: ExplanationServices) {
    this.#services = services;
  }

  /** Selector names that are loaded within a short time. */
  async nearlyReady(): Promise<SelectorNames> {
    const names = await this.#load();
    await names.nearlyReady();
    return names;
  }

  /**
   * Explains a text with the data that is loaded. `Transaction expired` has two meanings, which the times of the
   * tracked transaction distinguish.
   */
  readonly explain = (input: string, options?: ExplainOptions): Explanation => {
    const context = { ...options, abi: this.#names?.index };
    const found = explain(input, context);
    const live = found.candidates.length > 0 ? this.liveOf(found) : undefined;
    if (live?.tracked.signed === undefined) return found;
    return explain(input, { ...context, expiration: live.tracked.signed.expiration, headTime: live.chainTime });
  };

  readonly isTracked = (text: string): boolean => {
    const txId = parseTxId(text);
    return txId !== undefined && this.#services.transactions.get(txId) !== undefined;
  };

  /** Returns the tracked transaction that an explanation names. */
  liveOf(explanation: Explanation): LiveTransaction | undefined {
    const { transactions, heads, now, reasons } = this.#services;
    const txId = parseTxId(txIdOf(explanation) ?? "");
    const tracked = txId === undefined ? undefined : transactions.get(txId);
    if (tracked === undefined) return undefined;
    return { tracked, chainTime: chainTimeAbout(now(), heads.get(tracked.network)), reason: reasons.of(tracked) };
  }

  async #load(): Promise<SelectorNames> {
    this.#names = await this.#services.names();
    return this.#names;
  }
}

const MAXIMUM = 200;
/** Maximum length of a text in the URI of a link. */
const LONGEST = 2_000;

/** Texts that links refer to by a number, because a URI has a limited length. */
export class StoredInputs {
  readonly #texts = new Map<string, string>();
  #next = 1;

  /** Returns the link argument that opens the text. */
  argumentFor(input: string, origin: string): Readonly<Record<string, string>> {
    if (input.length <= LONGEST) return { input, origin };
    const id = String(this.#next++);
    this.#texts.set(id, input);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAXIMUM && oldest !== undefined) this.#texts.delete(oldest);
    return { kept: id, origin };
  }

  get(id: string): string | undefined {
    return this.#texts.get(id);
  }
}
