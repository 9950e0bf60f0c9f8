import { type Explanation, forPrograms } from "@finality/client/explain";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Commands, type OwnClicks, type RegisterCommand, setContext } from "../../host/commands/commands.ts";
import { askModal } from "../../host/prompts/notify.ts";
import { inputBox } from "../../host/prompts/quick-input.ts";
import { lookUpTransaction, type TransactionLookupServices } from "./decode-transaction.ts";
import { plainReport } from "./decoder-page.view.ts";
import { DecoderPanel } from "./decoder-panel.ts";
import { DecoderSession, LONGEST, type SessionServices } from "./session.ts";

const READ = t`Read Clipboard`;

/** Services that this feature needs from the rest of the extension. */
export interface DecoderServices extends SessionServices, TransactionLookupServices {
  readonly registerCommand: RegisterCommand;
  readonly extensionUri: vscode.Uri;
  /** Text that a link refers to by its number. */
  readonly storedText: (id: string) => Promise<string | undefined>;
  /** Marks commands that buttons and links of this extension call. */
  readonly clicks: OwnClicks;
}

interface Decoder extends vscode.Disposable {
  readonly commands: Commands<"decoder">;
  /** Restores a page that was open in the window. */
  revive(panel: vscode.WebviewPanel): void;
}

/** Creates the commands and the page of the decoder. Loaded when it is first used. */
export function createDecoder(services: DecoderServices): Decoder {
  const { transactions, extensionUri, masked, storedText } = services;
  const session = new DecoderSession(services);
  const panel = new DecoderPanel({
    extensionUri,
    clicks: services.clicks,
    read: (text, choice) => {
      if (text.trim() !== "") setContext("finality.hasExplained", true);
      return session.read(text, choice);
    },
    readAgain: () => session.readAgain(),
    verdict: () => session.verdict(),
    copied: (what, id) => session.copied(what, id),
  });
  const open = async (input: string, origin: string | null): Promise<Explanation> => {
    panel.show({ text: masked(input.slice(0, LONGEST)), origin });
    setContext("finality.hasExplained", true);
    return forPrograms(await session.explain(input));
  };
  const subscriptions = vscode.Disposable.from(
    panel,
    session,
    transactions.onDidChange(() => void panel.refresh()),
    session.onDidChangeNames(() => void panel.refresh()),
  );
  /** Used by hover links: opens no page. */
  const copy = async (input: string): Promise<Explanation> => {
    const explanation = await session.explain(input);
    await vscode.env.clipboard.writeText(plainReport(explanation));
    return forPrograms(explanation);
  };
  return {
    commands: {
      /** Returns the text of the argument, else the selection, else pasted text. */
      "finality.decode": async ({ input, origin, kept, copy: copies }) => {
        await hideHover();
        const raw = input ?? (kept === undefined ? undefined : await storedText(kept));
        if (raw !== undefined) return copies === true ? copy(raw) : open(raw, origin ?? null);
        const selected = selection();
        const text = selected ?? (await askForText());
        return text === undefined ? undefined : open(text, selected === undefined ? null : "selection");
      },
      "finality.decodeTransaction": async (argument) => {
        await hideHover();
        const answer = await lookUpTransaction(services, argument);
        if (answer === undefined) return undefined;
        const text = masked(answer.text.slice(0, LONGEST));
        session.learn(text, answer.place);
        return open(text, answer.place.network);
      },
      "finality.decodeClipboard": async ({ confirmed }) => {
        if (confirmed !== true && !(await mayReadClipboard())) return undefined;
        return open(await vscode.env.clipboard.readText(), t`clipboard`);
      },
      "finality.openDecoder": () => panel.show(undefined),
    },
    revive: (revived) => panel.revive(revived),
    dispose: () => subscriptions.dispose(),
  };
}

/** A hover that was opened by keyboard stays open and would cover the page that its link opens. */
async function hideHover(): Promise<void> {
  if (vscode.window.activeTextEditor !== undefined) await vscode.commands.executeCommand("editor.action.hideHover");
}

function selection(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection);
  return text?.trim() === "" ? undefined : text;
}

function askForText(): Thenable<string | undefined> {
  return inputBox({
    title: t`Decode`,
    prompt: t`An answer of the node, a message or revert data in hex, a txID, an address, a code, or a line of a log`,
    ignoreFocusOut: true,
  });
}

/** Confirms before the clipboard is read, because it may hold a secret. */
async function mayReadClipboard(): Promise<boolean> {
  const detail = t`The decoder shows its text and explains it on this computer. Nothing is sent.`;
  return (await askModal("information", { title: t`Read the clipboard?`, detail, isFirstSafe: true }, READ)) === READ;
}
