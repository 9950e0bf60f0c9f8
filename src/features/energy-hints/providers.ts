import type { CallSite } from "@finality/client/call-sites";
import { markdownText, sunText } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ownClick } from "../../host/caller.ts";
import { rangeIn } from "../../host/text-ranges.ts";
import { callOnlyReads } from "./call-file-function.ts";
import { callsIn, isCallFile, SELECTOR } from "./documents.ts";
import {
  type FeeLimitProblem,
  feeLimitProblem,
  type HintHover,
  type HintLabels,
  type HintLine,
  type HintState,
  hintHover,
  hintLine,
  IGNORE_MARK,
  limitLike,
  opensDetails,
} from "./hint.view.ts";
import type { Hints } from "./hints.ts";

/**
 * Lens that is resolved when it becomes visible. All lenses of a line are resolved together, so that none moves
 * another.
 */
class HintLens extends vscode.CodeLens {
  readonly kind: "estimate" | "send";
  readonly document: vscode.TextDocument;
  readonly callSite: CallSite;

  constructor(kind: HintLens["kind"], document: vscode.TextDocument, callSite: CallSite) {
    super(rangeIn(document, callSite.range));
    this.kind = kind;
    this.document = document;
    this.callSite = callSite;
  }
}

export interface LensServices {
  readonly hints: Hints;
  readonly words: () => HintLabels;
  /** Returns whether hints are shown as lenses, inlay hints or not at all. */
  readonly display: () => string;
  readonly onDidChange: vscode.Event<void>;
  /** Returns true if a call has a target on some network, so that its lens is worth its line. */
  readonly isPlaced: (callSite: CallSite) => boolean;
}

/** Non-breaking space after an icon, because VS Code drops an ordinary space. */
const GAP = "\u00a0";
/** A longer title starts at the first column, because the editor moves it to the left. */
const LONGEST = 80;
/** Length of a reason, for an editor at 200 %. A figure may be longer, because it ends with the fee limit. */
const LONGEST_REASON = 64;

/**
 * Provides the code lenses. The location of a lens depends on the text alone, and its label comes from memory. Neither
 * sends a request.
 */
export function lensProvider(services: LensServices): vscode.CodeLensProvider<vscode.CodeLens> {
  const { hints, display, onDidChange } = services;
  const words = ({ document, callSite }: HintLens): vscode.Command => {
    const state = hints.stateOf(callSite);
    const { icon, text, tooltip } = hintLine(state, services.words());
    const isFigure = state.kind === "known" && state.estimate.kind === "estimated";
    const shown = visibleLine(text, isFigure ? LONGEST : LONGEST_REASON);
    // Removes icon syntax, because a contract may revert with "$(check)".
    const title = `$(${icon})${GAP}${shown.replaceAll("$(", "\\$(")}`;
    const whole = shown === text ? tooltip : `${text}\n${tooltip}`;
    return { title, tooltip: whole, ...clickCommand(document, callSite, state) };
  };
  return {
    onDidChangeCodeLenses: onDidChange,
    provideCodeLenses: (document) =>
      display() === "codeLens"
        ? callsShown(document, services).flatMap((callSite) => lensesOf(document, callSite))
        : [],
    resolveCodeLens: (lens) => {
      if (lens instanceof HintLens) lens.command = lens.kind === "send" ? sendCommand(lens, hints) : words(lens);
      return lens;
    },
  };
}

/** Calls of `view` and `pure` functions are read without a transaction. */
function sendCommand({ document, callSite }: HintLens, hints: Hints): vscode.Command {
  const reads = callOnlyReads(callSite, document.getText(), hints);
  return {
    title: reads ? `$(eye)${GAP}${t`Read`}` : `$(play)${GAP}${t`Send…`}`,
    command: "finality.sendCallOfFile",
    arguments: [ownClick(commandArgument(document, callSite))],
  };
}

function lensesOf(document: vscode.TextDocument, callSite: CallSite): readonly HintLens[] {
  const lens = new HintLens("estimate", document, callSite);
  // The action comes first, so that no long estimate hides it.
  return isCallFile(document) ? [new HintLens("send", document, callSite), lens] : [lens];
}

/** Provides inlay hints at the ends of lines. */
export function inlayProvider(services: LensServices): vscode.InlayHintsProvider {
  const { hints, words, display, onDidChange } = services;
  return {
    onDidChangeInlayHints: onDidChange,
    provideInlayHints: (document, range) =>
      display() === "inlayHint"
        ? callsShown(document, services)
            .filter((callSite) => range.intersection(rangeIn(document, callSite.range)) !== undefined)
            .map((callSite) => inlayOf(document, callSite, hints.stateOf(callSite), words()))
        : [],
  };
}

function inlayOf(
  document: vscode.TextDocument,
  callSite: CallSite,
  state: HintState,
  labels: HintLabels,
): vscode.InlayHint {
  const { icon, text, brief = text, tooltip } = hintLine(state, labels);
  const { line } = document.positionAt(callSite.range.start);
  const part = new vscode.InlayHintLabelPart(`${MARKS[icon]} ${brief}`);
  part.command = { title: text, ...clickCommand(document, callSite, state) };
  part.tooltip = brief === text ? tooltip : `${text}\n${tooltip}`;
  const hint = new vscode.InlayHint(document.lineAt(line).range.end, [part]);
  hint.paddingLeft = true;
  return hint;
}

/** Inlay hints do not support icons. */
const MARKS: { readonly [K in HintLine["icon"]]: string } = {
  zap: "⚡",
  info: "ℹ",
  check: "✓",
  warning: "⚠",
  error: "✕",
  refresh: "↻",
  "circle-slash": "⊘",
  "sync~spin": "…",
};

/**
 * Returns the calls with a hint. Functions of a Solidity file have one if their contract has a target on some network;
 * hand-written calls always have one.
 */
function callsShown(document: vscode.TextDocument, { isPlaced }: LensServices): readonly CallSite[] {
  return callsIn(document).filter((callSite) => callSite.language !== "solidity" || isPlaced(callSite));
}

/** `kind` tells the command that a user clicked, so that it may prompt. */
function commandArgument({ uri }: vscode.TextDocument, { range }: CallSite) {
  return { kind: "call", uri: uri.toString(), offset: range.start };
}

/** Shows the details of a known estimate, or requests one. */
function clickCommand(document: vscode.TextDocument, callSite: CallSite, state: HintState) {
  return {
    command: opensDetails(state) ? "finality.showEstimate" : "finality.estimateEnergy",
    arguments: [ownClick({ ...commandArgument(document, callSite), index: indexOf(document, callSite) })],
  };
}

/** Several sample calls of one function share one location. */
function indexOf(document: vscode.TextDocument, callSite: CallSite): number {
  return callsIn(document).indexOf(callSite);
}

/** Provides the hover over a call and the rest of its first line. Uses memory only. */
export function hoverProvider(hints: Hints, text: () => HintLabels): vscode.HoverProvider {
  return {
    provideHover: (document, position) => {
      if (hints.isIdle) return undefined;
      const found = callsIn(document).flatMap((callSite) => {
        const range = rangeIn(document, callSite.range);
        const isHere = range.contains(position) || range.start.line === position.line;
        if (isHere) void hints.findSite(callSite);
        const hover = isHere ? hintHover(hints.stateOf(callSite), text()) : undefined;
        return hover === undefined ? [] : [markdownOf(hover, commandArgument(document, callSite))];
      });
      return found.length === 0 ? undefined : new vscode.Hover(found);
    },
  };
}

/** Commands that a hover may run. Other links are disabled. */
const COMMANDS = [
  "finality.estimateEnergy",
  "finality.traceCall",
  "finality.debugCall",
  "finality.chooseCaller",
  "finality.forgetAnswers",
] as const;

/** Adds text from the chain as plain text, so that it cannot become a link, an image or a command. */
function markdownOf(
  { title, problems, rows, notes, assumptions, site }: HintHover,
  target: object,
): vscode.MarkdownString {
  const blocks = [
    `**$(zap) ${markdownText(title)}**`,
    ...(site === undefined ? [] : [siteLine(site)]),
    ...problems.map((one) => `$(warning) ${markdownText(one)}`),
    ...(rows.length === 0 ? [] : [tableOf(rows)]),
    ...(notes.length === 0 ? [] : [listOf(notes)]),
    ...(assumptions.length === 0 ? [] : [t`**Assumed**\n\n${listOf(assumptions)}`]),
    linksOf(target),
  ];
  const markdown = new vscode.MarkdownString(blocks.join("\n\n"), true);
  markdown.isTrusted = { enabledCommands: COMMANDS };
  return markdown;
}

/** Links to the source line. Only a URI of a file of the workspace is a link. */
function siteLine({ label, link }: NonNullable<HintHover["site"]>): string {
  const shown = markdownText(label);
  return `$(debug-breakpoint) ${link === undefined ? t`Thrown at ${shown}` : t`Thrown at ${`[${shown}](${link})`}`}`;
}

function tableOf(rows: HintHover["rows"]): string {
  const lines = rows.map(
    ({ name, value, source }) =>
      `| ${markdownText(name)} | ${markdownText(value)} | &nbsp;&nbsp;${markdownText(source)} |`,
  );
  return [t`| Figure | Value | &nbsp;&nbsp;From |`, "| :--- | ---: | :--- |", ...lines].join("\n");
}

function listOf(items: readonly string[]): string {
  return items.map((one) => `- ${markdownText(one)}`).join("\n");
}

function linksOf(target: object): string {
  const [ask, trace, debug, choose, forget] = COMMANDS;
  const argument = encodeURIComponent(JSON.stringify([target]));
  return t`[Estimate Again](command:${ask}?${argument}) · [Trace This Call](command:${trace}?${argument}) · [Debug This Call](command:${debug}?${argument}) · [Choose Caller…](command:${choose}) · [Forget Answers](command:${forget})`;
}

const CODE = "fee-limit";

interface ReportedProblem {
  readonly diagnostic: vscode.Diagnostic;
  readonly problem: FeeLimitProblem;
}

/** Reports fee limit warnings for known estimates, with quick fixes. */
export class FeeLimitProblems implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #hints: Hints;
  readonly #labels: () => HintLabels;
  readonly #collection = vscode.languages.createDiagnosticCollection("finality.energy");
  readonly #rows = new Map<string, readonly ReportedProblem[]>();
  readonly #subscriptions: vscode.Disposable;
  readonly #waiting = new Set<vscode.TextDocument>();
  #next: NodeJS.Immediate | undefined;

  constructor(hints: Hints, text: () => HintLabels) {
    this.#hints = hints;
    this.#labels = text;
    const { workspace, languages } = vscode;
    this.#subscriptions = vscode.Disposable.from(
      this.#collection,
      hints.onDidChange(() => this.#refreshAll()),
      workspace.onDidChangeTextDocument(({ document }) => this.#refresh(document)),
      workspace.onDidCloseTextDocument((document) => this.#forget(document)),
      languages.registerCodeActionsProvider(SELECTOR, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const rows = this.#rows.get(document.uri.toString()) ?? [];
    return rows
      .filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined)
      .flatMap((row) => actionsFor(document, row));
  }

  dispose(): void {
    clearImmediate(this.#next);
    this.#subscriptions.dispose();
  }

  /** Processes one document at a time, so that many open documents do not block the extension host. */
  #refreshAll(): void {
    if (this.#hints.isIdle) return;
    for (const document of vscode.workspace.textDocuments) this.#waiting.add(document);
    this.#goOn();
  }

  #goOn(): void {
    const [document] = this.#waiting;
    if (document === undefined || this.#next !== undefined) return;
    this.#next = setImmediate(() => {
      this.#next = undefined;
      this.#waiting.delete(document);
      if (!document.isClosed) this.#refresh(document);
      this.#goOn();
    });
  }

  #refresh(document: vscode.TextDocument): void {
    if (this.#hints.isIdle || vscode.languages.match(SELECTOR, document) === 0) return;
    const { marginPercent } = this.#labels();
    const rows = callsIn(document).flatMap((callSite): readonly ReportedProblem[] => {
      const problem = feeLimitProblem(callSite, this.#hints.stateOf(callSite), marginPercent);
      if (problem === undefined) return [];
      const range = rangeIn(document, problem.range);
      return isIgnored(document, range) ? [] : [{ diagnostic: diagnosticOf(range, problem), problem }];
    });
    this.#rows.set(document.uri.toString(), rows);
    this.#collection.set(
      document.uri,
      rows.map(({ diagnostic }) => diagnostic),
    );
  }

  #forget({ uri }: vscode.TextDocument): void {
    this.#rows.delete(uri.toString());
    this.#collection.delete(uri);
  }
}

function isIgnored(document: vscode.TextDocument, { start }: vscode.Range): boolean {
  return document.lineAt(start.line).text.includes(IGNORE_MARK);
}

function diagnosticOf(range: vscode.Range, { message, isCertain }: FeeLimitProblem): vscode.Diagnostic {
  const { Warning, Information } = vscode.DiagnosticSeverity;
  const diagnostic = new vscode.Diagnostic(range, message, isCertain ? Warning : Information);
  diagnostic.source = "Finality";
  diagnostic.code = CODE;
  return diagnostic;
}

function actionsFor(document: vscode.TextDocument, row: ReportedProblem): readonly vscode.CodeAction[] {
  const { problem, diagnostic } = row;
  const { range } = diagnostic;
  const set = remedy(t`Set fee_limit to ${sunText(problem.suggested)} (estimate + ${problem.room})`, row);
  set.isPreferred = true;
  set.edit = new vscode.WorkspaceEdit();
  set.edit.replace(document.uri, range, limitLike(document.getText(range), problem.suggested));
  const details = remedy(t`Show estimate details`, row);
  const argument = { kind: "call", uri: document.uri.toString(), offset: document.offsetAt(range.start) };
  details.command = { title: details.title, command: "finality.showEstimate", arguments: [argument] };
  const ignore = remedy(t`Ignore on this line`, row);
  ignore.edit = new vscode.WorkspaceEdit();
  ignore.edit.insert(document.uri, document.lineAt(range.start.line).range.end, ` // ${IGNORE_MARK}`);
  return [...(problem.isWritten ? [set] : []), details, ignore];
}

function remedy(title: string, { diagnostic }: ReportedProblem): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  return action;
}
