import { type Explanation, explain } from "@finality/client/explain";
import { chainTimeAbout, type HeadSamples, type NetworkProfile } from "@finality/client/gateway";
import type { TrackedTransaction } from "@finality/client/tracking";
import { type AbiIndex, preferSignature } from "@finality/tron/abi";
import type { NameOf } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import * as vscode from "vscode";
import type { NamesOnDemand } from "../../host/artifacts/artifacts.ts";
import type { FailureReasons } from "../../host/artifacts/failure-reasons.ts";
import type { ContractRef } from "../../host/artifacts/selector-names.ts";
import { lazy } from "../../host/async.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import type { DecoderContent, DecoderCopy, DecoderStatus } from "../../webview-messages/decoder.ts";
import {
  type Choosing,
  chooseInterpretation,
  describeContent,
  describeTrackedRetry,
  markdownReport,
  plainReport,
  txIdIn,
} from "./decoder-page.view.ts";
import type { Answer } from "./decoder-panel.ts";
import { valueAt } from "./fields.view.ts";

export interface SessionServices {
  readonly transactions: TransactionService;
  readonly names: NamesOnDemand;
  readonly nameOf: NameOf;
  readonly reasons: Pick<FailureReasons, "of">;
  readonly networkOf: (name: string) => NetworkProfile | undefined;
  /** Newest head of each network with the local time, used to estimate the chain time. */
  readonly heads: HeadSamples;
  readonly now: () => number;
  /** Masks the secrets in a text. */
  readonly masked: (text: string) => string;
}

/** Texts whose contract location is known. */
const MAX_CONTRACTS = 8;

/** Maximum number of characters to decode. */
export const LONGEST = 1_000_000;

/** State of the page: the text and its explanation. It is not stored. */
export class DecoderSession implements vscode.Disposable {
  readonly #services: SessionServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #names;
  readonly #contracts = new Map<string, ContractRef>();
  #subscription: vscode.Disposable | undefined;
  #input: { readonly text: string; readonly choice: string } | undefined;
  #explanation: Explanation | undefined;
  #counted: TxId | undefined;

  /** Called when the names of selectors changed. */
  readonly onDidChangeNames = this.#changed.event;

  constructor(services: SessionServices) {
    this.#services = services;
    this.#names = lazy(async () => {
      const names = await services.names();
      await names.nearlyReady();
      this.#subscription = names.onDidChange(() => this.#changed.fire());
      return names;
    });
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#changed.dispose();
  }

  /** Associates a text with a contract, whose names then apply. */
  learn(text: string, contract: ContractRef): void {
    this.#contracts.set(text, contract);
    const [oldest] = this.#contracts.keys();
    if (this.#contracts.size > MAX_CONTRACTS && oldest !== undefined) this.#contracts.delete(oldest);
  }

  /** Explains a text without showing it, after masking secrets. */
  async explain(input: string): Promise<Explanation> {
    const text = this.#services.masked(input.slice(0, LONGEST));
    return explain(text, { abi: await this.#abi(text) });
  }

  /** @param choice - Code of the interpretation that the user chose, if any. */
  async read(input: string, choice: string): Promise<Answer> {
    const text = this.#services.masked(input.slice(0, LONGEST));
    const masked = text === input ? null : text;
    const newInput = { text: input, choice };
    this.#input = newInput;
    this.#explanation = undefined;
    this.#counted = undefined;
    if (text.trim() === "") return { reading: null, masked };
    const abi = await this.#abi(text);
    await this.#services.transactions.ready();
    const choosing = chooseInterpretation(explain(text, { abi }), choice, (signature) =>
      explain(text, { abi: preferSignature(abi, signature) }),
    );
    // Copies what the page shows, because another text may have arrived in the meantime.
    if (this.#input === newInput) this.#explanation = choosing.explanation;
    return { reading: this.#describe(choosing), masked };
  }

  /** Refreshes the same text, because its transaction or the names of the workspace may have changed. */
  async readAgain(): Promise<Answer | undefined> {
    return this.#input && this.read(this.#input.text, this.#input.choice);
  }

  /** Returns the current retry advice, or undefined if no countdown is shown. */
  verdict(): DecoderStatus | undefined {
    const tracked = this.#counted === undefined ? undefined : this.#services.transactions.get(this.#counted);
    return tracked && describeTrackedRetry(tracked, this.#chainTime(tracked));
  }

  async #abi(text: string): Promise<AbiIndex> {
    const names = await this.#names();
    const contract = this.#contracts.get(text);
    return contract === undefined ? names.index : names.indexAt(contract);
  }

  #chainTime({ network }: TrackedTransaction): number | undefined {
    return chainTimeAbout(this.#services.now(), this.#services.heads.get(network));
  }

  copied(what: DecoderCopy, id: string): string | undefined {
    const explanation = this.#explanation;
    if (explanation === undefined) return undefined;
    switch (what) {
      case "field":
        return valueAt(explanation.decoded, id);
      case "raw":
        return explanation.raw;
      case "report":
        return markdownReport(explanation);
      case "plain":
        return plainReport(explanation);
    }
  }

  #describe(choosing: Choosing): DecoderContent {
    const { transactions, nameOf, networkOf, reasons } = this.#services;
    const txId = txIdIn(choosing.explanation.decoded);
    const tracked = txId === undefined ? undefined : transactions.get(txId);
    const network = tracked && networkOf(transactions.networkOf(tracked));
    const { fallbackUrls = [], local: isLocal = false } = network ?? {};
    this.#counted = tracked?.signed === undefined ? undefined : txId;
    const chainTime = tracked && this.#chainTime(tracked);
    return describeContent(choosing, { nameOf, reasonOf: reasons.of, tracked, fallbackUrls, chainTime, isLocal });
  }
}
