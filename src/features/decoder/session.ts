import { type AbiIndex, joinAbiIndexes } from "../../core/abi/abi-index.ts";
import { preferSignature } from "../../core/abi/preferred-index.ts";
import { loadDictionary } from "../../core/explain/dictionary.ts";
import { explain } from "../../core/explain/explain.ts";
import type { Explanation } from "../../core/explain/explanation.ts";
import type { DecoderCopy, DecoderReading } from "../../webview-messages/decoder.ts";
import { txIdIn } from "./buttons.view.ts";
import { type Choosing, chooseReading } from "./candidates.view.ts";
import type { Answer } from "./decoder-panel.ts";
import { valueAt } from "./fields.view.ts";
import { describeReading } from "./reading.view.ts";
import { markdownReport, plainReport } from "./report.view.ts";
import type { DecoderServices } from "./services.ts";

/** Longer texts are read up to here. */
export const LONGEST = 1_000_000;

/** What the page shows now: the text and its explanation. Nothing of it is kept beyond the window. */
export class DecoderSession {
  readonly #services: Pick<DecoderServices, "desk" | "workspaceNames" | "nameOf" | "networkOf" | "masked">;
  #choosing: Choosing | undefined;
  #masked: string | null = null;

  constructor(services: DecoderServices) {
    this.#services = services;
  }

  /** Explains a text without showing it. Secrets in it are gone before anything looks at it. */
  async explain(given: string): Promise<Explanation> {
    return explain(this.#services.masked(given.slice(0, LONGEST)), { abi: await this.#names() });
  }

  /** @param choice - the code of the reading that a person chose, or nothing */
  async read(given: string, choice: string): Promise<Answer> {
    const text = this.#services.masked(given.slice(0, LONGEST));
    this.#masked = text === given ? null : text;
    this.#choosing = undefined;
    if (text.trim() === "") return { reading: null, masked: this.#masked };
    const abi = await this.#names();
    await this.#services.desk.ready();
    this.#choosing = chooseReading(explain(text, { abi }), choice, (signature) =>
      explain(text, { abi: preferSignature(abi, signature) }),
    );
    return { reading: this.#describe(this.#choosing), masked: this.#masked };
  }

  async readAgain(): Promise<Answer | undefined> {
    return this.#choosing && { reading: this.#describe(this.#choosing), masked: this.#masked };
  }

  copied(what: DecoderCopy, id: string): string | undefined {
    const explanation = this.#choosing?.explanation;
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

  #describe(choosing: Choosing): DecoderReading {
    const { desk, nameOf, networkOf } = this.#services;
    const txId = txIdIn(choosing.explanation.decoded);
    const tracked = txId === undefined ? undefined : desk.get(txId);
    const fallbackUrls = (tracked && networkOf(tracked.network)?.fallbackUrls) ?? [];
    return describeReading(choosing, { nameOf, tracked, fallbackUrls });
  }

  async #names(): Promise<AbiIndex> {
    return joinAbiIndexes(await this.#services.workspaceNames(), await loadDictionary());
  }
}
