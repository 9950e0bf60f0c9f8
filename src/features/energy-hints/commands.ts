import type { CallSite } from "@finality/client/call-sites";
import type { RunCallTests } from "@finality/client/call-tests";
import { contractRunOf } from "@finality/client/estimates";
import { LOCAL_NETWORK_NAME } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { counted, type NameOf } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram, isCallOfProgram, passOn } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { type NextStep, notifyWithSteps } from "../../host/commands/show-error.ts";
import { notify, showStatusMessage, whileWorking } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import {
  displaySetting,
  type EnergyDisplay,
  isAutoRefreshOn,
  isDisplayOfWorkspace,
  writeDisplay,
} from "../../host/settings/feature-settings.ts";
import { energyMarginSetting, onDidChangeSettings } from "../../host/settings/settings.ts";
import { rangeIn } from "../../host/text-ranges.ts";
import type { ContractCall, EnergyEstimate } from "../../public/api.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import { askMissing, chooseCaller, EstimateAnswers } from "./answers.ts";
import { callOnlyReads } from "./call-file-function.ts";
import { callFileHoverProvider, completionProvider, followCallFiles } from "./call-file-support.ts";
import { type CallTestServices, runCallTests } from "./call-tests.ts";
import { CostRecord } from "./cost-record.ts";
import { CALL_FILES, callsIn, SELECTOR } from "./documents.ts";
import { type EstimateFiles, estimateFiles } from "./estimate-files.ts";
import { type HintLabels, type WhyNoFigure, whyNoFigure } from "./hint.view.ts";
import { Hints, noNetwork, reasonOf } from "./hints.ts";
import { FeeLimitProblems, hoverProvider, inlayProvider, type LensServices, lensProvider } from "./providers.ts";
import { callSiteFrom, publicEstimate, sendArguments } from "./public-estimate.ts";
import { AutoRefresh, followActiveEditor, type Round, refreshDocument, whileOpen } from "./refresh-document.ts";
import { reportSaved, saveSnapshot } from "./save-snapshot.ts";
import type { EnergyServices, TracedCall } from "./workspace-context.ts";

type EstimateArgument = CommandArguments["finality.estimateEnergy"];

/** Energy estimates for users, keybindings and other extensions. */
export interface EnergyPart extends vscode.Disposable {
  readonly commands: Commands<"energyHints">;
  /** Returns a call of an open file with its network. @throws {ChainError} the call cannot be made */
  callOfFile(location: EstimateArgument): Promise<TracedCall>;
  /** Returns the estimate of a call that is not in a document. */
  estimateCall(call: ContractCall): Promise<EnergyEstimate>;
  readonly estimateFiles: EstimateFiles;
  readonly runCallTests: RunCallTests;
}

const SHOWN_FOR_MS = 3_000;
/** Storage key of the display mode before hints were turned off. */
const DISPLAY_KEY = "display";

/**
 * Creates the hints and their commands. A separate module, because it is not needed before a document with calls is
 * open.
 */
export function createEnergyHints(services: CallTestServices): EnergyPart {
  const { hints, answers, record, words, dispose } = openEnergyHints(services);
  const textOf = (callSite: CallSite, state: Awaited<ReturnType<Hints["estimate"]>>) =>
    publicEstimate(callSite, state, words());
  const why: WhyNoFigure = (state) => whyNoFigure(state, words());
  return {
    commands: {
      "finality.estimateEnergy": async (place, raw) => {
        const { callSite, document } = await callAt(place);
        const isProgram = isCallOfProgram(raw);
        if (!isProgram && !(await hints.complete(callSite, (missing) => askMissing(answers, missing))))
          return undefined;
        const state = await whileOpen(document, (closed) =>
          whileWorking(t`Estimating`, (cancelled) =>
            hints.estimate(callSite, { refresh: true, signal: AbortSignal.any([closed, cancelled]) }),
          ),
        );
        if (state === undefined) return undefined;
        const estimate = textOf(callSite, state);
        if (isProgram) return estimate;
        void hints.findSite(callSite);
        reportEstimate(estimate.text, why(state), lacksNetwork(callSite, services.networks) ? START : []);
        return estimate;
      },
      "finality.refreshEstimates": async ({ uri }, raw) => {
        const document = await documentAt(uri);
        const round = await refreshDocument(hints, document);
        if (!isCallOfProgram(raw)) reportRound(round, why);
        return round.refreshed.map(({ callSite, state }) => textOf(callSite, state));
      },
      "finality.toggleEnergyHints": (_, raw) => toggle(answers, isCallOfProgram(raw)),
      "finality.saveCostSnapshot": async ({ folder }, raw) => {
        const saved = await saveSnapshot({ hints, record, why }, folder, isCallOfProgram(raw));
        if (saved !== undefined && !isCallOfProgram(raw)) void reportSaved(saved);
        return saved;
      },
      "finality.showEstimate": (place) => showEstimate(place),
      "finality.traceCall": (place, raw) => runCall(services, { hints, answers }, TRACE, { place, raw }),
      "finality.debugCall": (place, raw) => runCall(services, { hints, answers }, DEBUG, { place, raw }),
      "finality.sendCallOfFile": (place) => sendCallOfFile(hints, place),
      "finality.chooseCaller": ({ account }, raw) =>
        chooseCaller(services, answers, { named: account, isProgram: isCallOfProgram(raw) }),
      "finality.forgetAnswers": (_, raw) => forget(answers, isCallOfProgram(raw)),
    },
    callOfFile: (location) => callOfFile(services, { hints, answers }, location),
    estimateCall: async (call) => {
      const callSite = callSiteFrom(call);
      return textOf(callSite, await hints.estimate(callSite));
    },
    estimateFiles: (folder, files, signal) =>
      estimateFiles({ hints, record, publicEstimate: textOf }, folder, files, signal),
    runCallTests: (...input) => runCallTests(services, hints, ...input),
    dispose,
  };
}

/** Opens the form of a call of a file, or of its deployment. */
async function sendCallOfFile(hints: Hints, place: EstimateArgument): Promise<object | undefined> {
  const location = calledByProgram() ? await callAt(place) : await chooseCall(place);
  if (location === undefined) return undefined;
  const { callSite, document } = location;
  await hints.open();
  if (callSite.kind === "deployment") {
    const { function: _, tokenId: _id, tokenValue: _value, ...deployment } = sendArguments(callSite);
    return await vscode.commands.executeCommand("finality.deployContract", passOn({ ...deployment, kind: "call" }));
  }
  const reads = callOnlyReads(callSite, document.getText(), hints);
  return await vscode.commands.executeCommand(
    reads ? "finality.readContract" : "finality.callContract",
    passOn({ ...sendArguments(callSite), kind: "call" }),
  );
}

/** @throws {ChainError} the call cannot be made */
async function callOfFile(
  services: EnergyServices,
  { hints, answers }: Pick<EnergyHints, "hints" | "answers">,
  place: EstimateArgument,
): Promise<TracedCall> {
  const { callSite } = await callAt(place);
  await hints.complete(callSite, (missing) => askMissing(answers, missing));
  const bound = hints.bind(callSite);
  const network = callSite.network ?? services.networks.active?.name;
  if (bound.kind !== "bound") throw noCall(reasonOf(bound));
  if (network === undefined) throw noCall(noNetwork(undefined));
  return { run: contractRunOf(bound.intent), network };
}

/** Use of a call of a file, on the local chain. */
interface CallAction {
  readonly title: string;
  readonly run: (services: EnergyServices, call: TracedCall) => Promise<object | undefined>;
}

const TRACE: CallAction = { title: t`Trace This Call`, run: ({ traces }, call) => traces.traceCall(call) };
const DEBUG: CallAction = { title: t`Debug This Call`, run: ({ traces }, call) => traces.debugCall(call) };

/** Runs a call of a file without sending it. @throws {ChainError} as `action`; the call of a program cannot be made */
async function runCall(
  services: EnergyServices,
  { hints, answers }: Pick<EnergyHints, "hints" | "answers">,
  { title, run }: CallAction,
  { place, raw }: { readonly place: EstimateArgument; readonly raw: unknown },
): Promise<object | undefined> {
  const isProgram = isCallOfProgram(raw);
  const { callSite } = await callAt(place);
  const isComplete = await hints.complete(callSite, async (missing) => !isProgram && askMissing(answers, missing));
  if (!isComplete && !isProgram) return undefined;
  const bound = hints.bind(callSite);
  const network = callSite.network ?? services.networks.active?.name;
  if (bound.kind === "bound" && network !== undefined)
    return await run(services, { run: contractRunOf(bound.intent), network });
  const reason = bound.kind === "bound" ? noNetwork(undefined) : reasonOf(bound);
  if (isProgram) throw noCall(reason);
  const steps = lacksNetwork(callSite, services.networks) ? START : [];
  void notifyWithSteps("information", t`${title}: ${reason}.`, steps);
  return undefined;
}

const START: readonly NextStep[] = [{ title: t`Start Local Chain`, command: "finality.startLocalChain" }];

/**
 * Shows an estimate briefly, because the lens shows it too. The reason for a missing estimate stays until the user
 * closes it.
 */
function reportEstimate(text: string, why: string | undefined, steps: readonly NextStep[]): void {
  if (why === undefined) showStatusMessage("zap", text, SHOWN_FOR_MS);
  else void notifyWithSteps("information", t`Estimate Energy: ${why}`, steps);
}

/** Returns true if the local chain would be the network of a call but is not running. */
function lacksNetwork({ network }: CallSite, networks: EnergyServices["networks"]): boolean {
  if (networks.find(LOCAL_NETWORK_NAME) !== undefined) return false;
  return network === undefined ? networks.active === undefined : network === LOCAL_NETWORK_NAME;
}

/** Reports the number of estimated calls, and why the first of the others has no estimate. */
function reportRound({ refreshed, calls, isCancelled }: Round, why: WhyNoFigure): void {
  if (isCancelled) return;
  const reasons = refreshed.map(({ state }) => why(state)).filter((it) => it !== undefined);
  const [first] = reasons;
  const figures = calls - reasons.length;
  if (calls === 0) void notify("information", t`Refresh Estimates: this file calls no contract.`);
  else if (first === undefined)
    showStatusMessage("zap", t`${counted(calls, t`call`, t`calls`)} estimated`, SHOWN_FOR_MS);
  else
    void notify(
      "information",
      t`Estimated ${figures} of ${counted(calls, t`call`, t`calls`)}. First failure: ${first}`,
    );
}

/** Writes the effective setting for a program, and asks a user which one to write. */
async function toggle(answers: EstimateAnswers, isProgram: boolean): Promise<{ readonly display: string } | undefined> {
  const shown = displaySetting();
  const display = shown !== "off" ? "off" : answers.get(DISPLAY_KEY) === "inlayHint" ? "inlayHint" : "codeLens";
  const usual = isDisplayOfWorkspace() ? "workspace" : "person";
  const where = isProgram ? usual : await askWhereToWrite(display, usual);
  if (where === undefined) return undefined;
  if (shown !== "off") await answers.set(DISPLAY_KEY, shown);
  await writeDisplay(display, where);
  return { display };
}

async function forget(answers: EstimateAnswers, isProgram: boolean): Promise<void> {
  const count = answers.count();
  await answers.forgetAll();
  if (isProgram) return;
  const text = count === 0 ? t`There are no saved answers` : t`Removed ${counted(count, t`answer`, t`answers`)}`;
  showStatusMessage("trash", text, SHOWN_FOR_MS);
}

async function showEstimate(argument: EstimateArgument): Promise<void> {
  const { callSite, document } = await callAt(argument);
  const editor = await vscode.window.showTextDocument(document);
  const { start } = rangeIn(document, callSite.range);
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

interface CallLocation {
  readonly document: vscode.TextDocument;
  readonly callSite: CallSite;
}

/** Returns the call with this index, else the innermost call around the position, else the first one on its line. */
async function callAt({ uri, offset, index }: EstimateArgument): Promise<CallLocation> {
  const document = await documentAt(uri);
  const calls = callsIn(document);
  const at = offset === undefined ? cursorIn(document) : Number(offset);
  const numbered = index === undefined ? undefined : calls[Number(index)];
  const callSite = numbered?.range.start === at ? numbered : nearest(document, calls, at);
  if (callSite === undefined) throw noCall(t`there is no contract call at the cursor`);
  return { document, callSite: callSite };
}

/** Returns the call at the position, or the one that the user chooses if a closed file has several. */
async function chooseCall(place: EstimateArgument): Promise<CallLocation | undefined> {
  const document = await documentAt(place.uri);
  const calls = callsIn(document);
  const isVisible = vscode.window.visibleTextEditors.some((it) => it.document === document);
  if (place.offset !== undefined || isVisible || calls.length < 2) return await callAt(place);
  const items = calls.map((callSite) => {
    const { line } = document.positionAt(callSite.range.start);
    return { label: callSiteName(callSite), description: t`line ${line + 1}`, location: { document, callSite } };
  });
  return (await quickPick(items, { title: t`Send Call`, placeHolder: t`Which call of the file?` }))?.location;
}

function callSiteName({ label, contract, method }: CallSite): string {
  const name = contract.kind === "address" ? contract.address.text : contract.name;
  return label ?? (method === undefined ? name : `${name}.${method}`);
}

function cursorIn(document: vscode.TextDocument): number {
  const editor = vscode.window.visibleTextEditors.find((it) => it.document === document);
  return editor === undefined ? 0 : document.offsetAt(editor.selection.active);
}

function nearest(document: vscode.TextDocument, calls: readonly CallSite[], at: number): CallSite | undefined {
  const enclosing = calls.filter(({ range }) => range.start <= at && at <= range.end);
  const innermost = enclosing.toSorted((left, right) => right.range.start - left.range.start)[0];
  if (innermost !== undefined) return innermost;
  const { line } = document.positionAt(at);
  return calls.find(({ range }) => document.positionAt(range.start).line === line);
}

function noCall(reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "place", reason });
}

/** Hints of a window, and the services of its commands. */
interface EnergyHints extends vscode.Disposable {
  readonly hints: Hints;
  readonly answers: EstimateAnswers;
  readonly record: CostRecord;
  readonly words: () => HintLabels;
}

/** Shows the energy of calls in documents. Queries a chain only if the user asks or has enabled automatic refresh. */
function openEnergyHints(services: EnergyServices): EnergyHints {
  const answers = new EstimateAnswers(services.answers);
  const report = (error: unknown): void => services.log.error("The energy hints could not read the workspace.", error);
  const record = new CostRecord(report);
  const hints = new Hints(services, answers, record);
  const labels = (): HintLabels => {
    const nameOf: NameOf = (address) => services.keys.nameOf(address);
    return { abi: hints.index, marginPercent: energyMarginSetting(), nameOf };
  };
  const changed = new vscode.EventEmitter<void>();
  const lenses: LensServices = {
    hints,
    words: labels,
    display: displaySetting,
    onDidChange: changed.event,
    isPlaced: (callSite) => isPlaced(callSite, hints, services),
  };
  const { languages } = vscode;
  const fire = (): void => changed.fire();
  const subscriptions = vscode.Disposable.from(
    answers,
    record,
    hints,
    changed,
    hints.onDidChange(fire),
    onDidChangeSettings(["finality.energy.display", "finality.energy.marginPercent"], fire),
    languages.registerCodeLensProvider(SELECTOR, lensProvider(lenses)),
    languages.registerInlayHintsProvider(SELECTOR, inlayProvider(lenses)),
    languages.registerHoverProvider(SELECTOR, hoverProvider(hints, labels)),
    languages.registerCompletionItemProvider(CALL_FILES, completionProvider(hints, services), '"', " ", "["),
    languages.registerHoverProvider(CALL_FILES, callFileHoverProvider(hints, services)),
    new FeeLimitProblems(hints, labels),
    followCallFiles(hints),
    new AutoRefresh(hints, isAutoRefreshOn),
    followActiveEditor(),
  );
  hints.open().catch(report);
  record.read().catch(report);
  return { hints, answers, record, words: labels, dispose: () => subscriptions.dispose() };
}

/**
 * Shows a hint for a function if its contract has an address on some network, and for a constructor if its creation
 * code is known.
 */
function isPlaced(callSite: CallSite, { index }: Hints, services: EnergyServices): boolean {
  const { contract } = callSite;
  if (index === undefined || contract.kind !== "named") return false;
  if (callSite.kind === "deployment") return index.contractsNamed(contract.name).some(({ hasBytecode }) => hasBytecode);
  if (index.deploymentsOf(contract.name).length > 0) return true;
  const { active } = services.networks;
  return active !== undefined && deploymentsHere(services, active).some(({ name }) => name === contract.name);
}

type Where = "person" | "workspace";

const DOES: Readonly<Record<EnergyDisplay, string>> = {
  off: t`Turn energy hints off`,
  codeLens: t`Show energy above the calls`,
  inlayHint: t`Show energy at the end of the lines`,
};

/**
 * Asks before it writes workspace settings, because they are a file of the repository.
 *
 * @param usual - Scope that is in effect now.
 * @returns undefined if the user cancels
 */
async function askWhereToWrite(display: EnergyDisplay, usual: Where): Promise<Where | undefined> {
  const person = {
    label: t`$(account) In my settings`,
    detail: t`For you, in every window, unless a workspace overrides it.`,
    where: "person" as const,
  };
  const workspace = {
    label: t`$(folder) In the settings of this workspace`,
    detail: t`Writes a file of the workspace, which applies to everyone who opens it.`,
    where: "workspace" as const,
  };
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  // If the workspace configures the display, user settings have no effect.
  const items = usual === "workspace" ? [workspace] : hasFolder ? [person, workspace] : [person];
  const placeholder = t`${DOES[display]}: which settings to change?`;
  return (await quickPick(items, { title: t`Toggle Energy Hints`, placeHolder: placeholder }))?.where;
}
