import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { WantedCall } from "../../core/call-sites/call-site.ts";
import { ChainError } from "../../core/errors/chain-error.ts";
import { isCallOfProgram } from "../../host/commands/call-of-program.ts";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { sayInStatusBar } from "../../host/prompts/notify.ts";
import { displaySetting, isDisplayOfWorkspace, writeDisplay } from "../../host/settings/feature-settings.ts";
import { rangeIn } from "../../host/text-ranges.ts";
import type { ContractCall, EnergyEstimate } from "../../public/api.ts";
import { counted } from "../../words/forms/numbers.ts";
import { type Answers, askMissing, chooseCaller } from "./answers.ts";
import { askWhereToWrite } from "./ask-where-to-write.ts";
import { callsIn, SELECTOR } from "./documents.ts";
import { openEnergyHints } from "./energy-hints.ts";
import type { Hints } from "./hints.ts";
import { publicEstimate, sendArguments, wantedFrom } from "./public-estimate.ts";
import { refreshDocument, whileOpen } from "./refresh-document.ts";
import { saveSnapshot, tellSaved } from "./save-snapshot.ts";
import type { EnergyServices } from "./services.ts";

type Place = CommandArguments["finality.estimateEnergy"];

/** What a person, a keybinding or another extension can do with estimates. */
interface EnergyPart extends vscode.Disposable {
  readonly commands: Commands<"energyHints">;
  /** The estimate of a call that stands nowhere. */
  estimateCall(call: ContractCall): Promise<EnergyEstimate>;
}

/** How hints were shown before they were turned off. */
const DISPLAY_KEY = "display";

/** The hints and their commands. A part of its own: nobody needs it before a document is open that may hold calls. */
export function createEnergyHints(services: EnergyServices): EnergyPart {
  const { hints, answers, record, words, dispose } = openEnergyHints(services);
  const inWords = (wanted: WantedCall, state: Awaited<ReturnType<Hints["estimate"]>>) =>
    publicEstimate(wanted, state, words());
  return {
    commands: {
      "finality.estimateEnergy": async (place, raw) => {
        const { wanted, document } = await callAt(place);
        const ask = isCallOfProgram(raw)
          ? {}
          : { askMissing: (it: Parameters<typeof askMissing>[1]) => askMissing(answers, it) };
        const state = await whileOpen(document, (signal) => hints.estimate(wanted, { refresh: true, signal, ...ask }));
        const estimate = state && inWords(wanted, state);
        // The lens says it too, where lenses are on and the line is in sight.
        if (estimate !== undefined && !isCallOfProgram(raw)) sayInStatusBar("zap", estimate.text, SAID_FOR_MS);
        return estimate;
      },
      "finality.refreshEstimates": async ({ uri }) => {
        const document = await documentAt(uri);
        const states = await refreshDocument(hints, document);
        return states.map(({ wanted, state }) => inWords(wanted, state));
      },
      "finality.toggleEnergyHints": (_, raw) => toggle(answers, isCallOfProgram(raw)),
      "finality.saveCostSnapshot": async (_, raw) => {
        const saved = await saveSnapshot(hints, record, isCallOfProgram(raw));
        if (saved !== undefined && !isCallOfProgram(raw)) void tellSaved(saved);
        return saved;
      },
      "finality.showEstimate": (place) => showEstimate(place),
      "finality.sendCallOfFile": async (place) => {
        const { wanted } = await callAt(place);
        return await vscode.commands.executeCommand("finality.callContract", {
          ...sendArguments(wanted),
          kind: "call",
        });
      },
      "finality.chooseCaller": ({ account }) => chooseCaller(services, answers, account),
      "finality.forgetAnswers": (_, raw) => forget(answers, isCallOfProgram(raw)),
    },
    estimateCall: async (call) => {
      const wanted = wantedFrom(call);
      return inWords(wanted, await hints.estimate(wanted));
    },
    dispose,
  };
}

/** A program changes the setting that counts; a person is asked which one is written. */
async function toggle(answers: Answers, isProgram: boolean): Promise<{ readonly display: string } | undefined> {
  const shown = displaySetting();
  const display = shown !== "off" ? "off" : answers.get(DISPLAY_KEY) === "inlayHint" ? "inlayHint" : "codeLens";
  const usual = isDisplayOfWorkspace() ? "workspace" : "person";
  const where = isProgram ? usual : await askWhereToWrite(display, usual);
  if (where === undefined) return undefined;
  if (shown !== "off") await answers.set(DISPLAY_KEY, shown);
  await writeDisplay(display, where);
  return { display };
}

async function forget(answers: Answers, isProgram: boolean): Promise<void> {
  const count = answers.count();
  await answers.forgetAll();
  if (isProgram) return;
  const said = count === 0 ? t`There was no answer to forget` : t`${counted(count, t`answer`, t`answers`)} forgotten`;
  sayInStatusBar("trash", said, SAID_FOR_MS);
}

const SAID_FOR_MS = 3_000;

async function showEstimate(place: Place): Promise<void> {
  const { wanted, document } = await callAt(place);
  const editor = await vscode.window.showTextDocument(document);
  const { start } = rangeIn(document, wanted.range);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(editor.selection);
  await vscode.commands.executeCommand("editor.action.showHover");
}

async function documentAt(uri: string | undefined): Promise<vscode.TextDocument> {
  if (uri !== undefined) return await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && vscode.languages.match(SELECTOR, document) > 0) return document;
  throw noCall(t`open a TypeScript, JavaScript or Solidity file, or a call file (*.finality.jsonc)`);
}

interface CallPlace {
  readonly document: vscode.TextDocument;
  readonly wanted: WantedCall;
}

/** The call at a place: the one of this number, else the innermost around the place, else the first of its line. */
async function callAt({ uri, offset, index }: Place): Promise<CallPlace> {
  const document = await documentAt(uri);
  const calls = callsIn(document);
  const at = offset === undefined ? cursorIn(document) : Number(offset);
  const numbered = index === undefined ? undefined : calls[Number(index)];
  const wanted = numbered?.range.start === at ? numbered : nearest(document, calls, at);
  if (wanted === undefined) throw noCall(t`there is no call of a contract at this place`);
  return { document, wanted };
}

function cursorIn(document: vscode.TextDocument): number {
  const editor = vscode.window.visibleTextEditors.find((it) => it.document === document);
  return editor === undefined ? 0 : document.offsetAt(editor.selection.active);
}

function nearest(document: vscode.TextDocument, calls: readonly WantedCall[], at: number): WantedCall | undefined {
  const enclosing = calls.filter(({ range }) => range.start <= at && at <= range.end);
  const innermost = enclosing.toSorted((left, right) => right.range.start - left.range.start)[0];
  if (innermost !== undefined) return innermost;
  const { line } = document.positionAt(at);
  return calls.find(({ range }) => document.positionAt(range.start).line === line);
}

function noCall(reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "place", reason });
}
