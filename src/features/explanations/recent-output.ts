import { lastFailureIn } from "@finality/client/explain";
import { withoutStop } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { notify } from "../../host/prompts/notify.ts";
import { isOn } from "../../host/settings/feature-settings.ts";
import type { DebugOutput } from "./debug-output.ts";
import type { ExplainContext } from "./explain-context.ts";

/** Last command of each terminal, from shell integration. */
export class LastCommands implements vscode.Disposable {
  readonly #commands = new WeakMap<vscode.Terminal, string>();
  readonly #subscription = vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
    this.#commands.set(terminal, execution.commandLine.value);
  });

  /** Empty if unknown. */
  of(terminal: vscode.Terminal): string {
    return this.#commands.get(terminal) ?? "";
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

const NO_DEBUG_OUTPUT = t`No debugged program has printed output since Finality started. Run it again, or copy the text and run Decode from Clipboard.`;

/** Opens the last error that a debugged program printed, or the whole stored output. */
export async function decodeDebugOutput(output: DebugOutput, context: ExplainContext): Promise<unknown> {
  if (output.printed.trim() === "") return await notify("information", NO_DEBUG_OUTPUT);
  await context.nearlyReady();
  const input = lastFailureIn(output.printed, context.explain)?.input ?? output.printed;
  return await vscode.commands.executeCommand("finality.decode", { input, origin: t`debug console` });
}

const NO_TERMINAL_OUTPUT = t`The terminal tells of no command that printed something: it needs shell integration. Copy the text, and run Decode from Clipboard.`;

/**
 * Opens the last error that the last terminal command printed, or its whole output. Makes terminal links available by
 * keyboard.
 */
export async function decodeTerminal(context: ExplainContext): Promise<unknown> {
  const printed = await lastTerminalOutput();
  if (printed.trim() === "") return await notify("information", NO_TERMINAL_OUTPUT);
  await context.nearlyReady();
  const input = lastFailureIn(printed, context.explain)?.input ?? printed;
  return await vscode.commands.executeCommand("finality.decode", { input, origin: t`terminal` });
}

/**
 * Returns the output of the last command in the active terminal, or an empty text if its shell does not report where
 * commands begin and end. Terminal output is only available through the clipboard, so its previous content is restored
 * afterwards.
 */
async function lastTerminalOutput(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  try {
    await clipboard.writeText("");
    await vscode.commands.executeCommand("workbench.action.terminal.copyLastCommandOutput");
    return await clipboard.readText();
  } finally {
    await clipboard.writeText(before);
  }
}

const LONGEST = 131_072;
const DECODE = t`Decode`;

/** Reads command output and offers the decoder after a failed transaction. Off by default. */
export class TerminalWatch implements vscode.Disposable {
  readonly #context: ExplainContext;
  readonly #subscription: vscode.Disposable;

  constructor(context: ExplainContext) {
    this.#context = context;
    this.#subscription = vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
      if (isOn("finality.decode.watchTerminal")) void this.watch(execution);
    });
  }

  /** Reads the output of one command until it ends. */
  async watch(execution: Pick<vscode.TerminalShellExecution, "read">): Promise<void> {
    let output = "";
    for await (const data of execution.read()) output = (output + data).slice(-LONGEST);
    await this.#context.nearlyReady();
    const failure = lastFailureIn(output, this.#context.explain);
    if (failure === undefined) return;
    const title = withoutStop(failure.explanation.title);
    const text = t`A command ended with a failed transaction: ${title}.`;
    if ((await notify("information", text, DECODE)) !== DECODE) return;
    const argument = { kind: "link", input: failure.input, origin: t`terminal` };
    await vscode.commands.executeCommand("finality.decode", argument);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
