import { lastFailureIn } from "@finality/client/explain";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { notify } from "../../host/prompts/notify.ts";
import { isOn } from "../../host/settings/feature-settings.ts";
import type { ExplainContext } from "./explain-context.ts";

const LONGEST = 131_072;
const DECODE = t`Decode`;

/**
 * Reads what commands print, and offers the decoder when one ended with a failed transaction. Only where a person
 * switched it on.
 */
export class TerminalWatch implements vscode.Disposable {
  readonly #context: ExplainContext;
  readonly #subscription: vscode.Disposable;

  constructor(context: ExplainContext) {
    this.#context = context;
    this.#subscription = vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
      if (isOn("finality.decode.watchTerminal")) void this.watch(execution);
    });
  }

  /** Follows one command to its end. */
  async watch(execution: Pick<vscode.TerminalShellExecution, "read">): Promise<void> {
    let output = "";
    for await (const data of execution.read()) output = (output + data).slice(-LONGEST);
    await this.#context.nearlyReady();
    const failure = lastFailureIn(output, this.#context.explain);
    if (failure === undefined) return;
    const words = t`A command ended with a failed transaction: ${failure.explanation.title}.`;
    if ((await notify("information", words, DECODE)) !== DECODE) return;
    const argument = { kind: "link", input: failure.input, origin: t`terminal` };
    await vscode.commands.executeCommand("finality.decode", argument);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
