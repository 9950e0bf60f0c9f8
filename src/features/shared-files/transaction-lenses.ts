import { isChainError } from "@finality/tron/errors";
import { timeLeft } from "@finality/tron/format";
import { labelText } from "@finality/tron/primitives";
import { readTransactionFile } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { SharedFileServices } from "./services.ts";
import { lensText } from "./shared-review.view.ts";

const TICK_MS = 10_000;
const LONG = 200;

/** Lenses above a transaction file: summary, validity and actions. They use no network. */
export class TransactionLenses implements vscode.Disposable {
  readonly #services: SharedFileServices;
  #timer: NodeJS.Timeout | undefined;

  constructor(services: SharedFileServices) {
    this.#services = services;
  }

  /** @param changed - Fires when the lenses may have changed. */
  lensesOf(document: vscode.TextDocument, changed: () => void): vscode.CodeLens[] {
    const { clicks } = this.#services;
    const about = this.#aboutText(document.getText());
    clearTimeout(this.#timer);
    if (about.counts) this.#timer = setTimeout(changed, TICK_MS);
    const top = new vscode.Range(0, 0, 0, 0);
    const summary = new vscode.CodeLens(top, { title: labelText(about.text, LONG), command: "" });
    if (!about.readable) return [summary];
    const uri = document.uri.toString();
    const does = (title: string, command: string) =>
      new vscode.CodeLens(top, { title, command, arguments: [clicks.of({ kind: "lens", uri })] });
    return [
      summary,
      does(t`$(shield) Review…`, "finality.importSignedTransaction"),
      does(t`$(edit) Add Signature…`, "finality.addSignature"),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #aboutText(text: string): { readonly text: string; readonly readable: boolean; readonly counts: boolean } {
    const { clock, nameOf } = this.#services;
    const now = clock.now();
    try {
      const transaction = readTransactionFile(text);
      return {
        text: lensText(transaction, { now, left: timeLeft, nameOf }),
        readable: true,
        counts: transaction.expiration > now,
      };
    } catch (error) {
      if (!isChainError(error)) throw error;
      return { text: error.message, readable: false, counts: false };
    }
  }
}
