import { CALL_FILE_SUFFIX } from "@finality/client/call-sites";
import {
  answerProblems,
  type ExplainedRange,
  hasTrace,
  positionIn,
  rangeAt,
  rangesIn,
  type TextProblem,
  windowAt,
} from "@finality/client/explain";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { diagnosticsInSetting, hoverInSetting, isOn } from "../../host/settings/feature-settings.ts";
import { onDidChangeSettings } from "../../host/settings/settings.ts";
import { changesOf, rangeIn } from "../../host/text-ranges.ts";
import type { ExplainContext, StoredInputs } from "./explain-context.ts";
import { commandUri, describeHover, describeTooltip, HOVER_COMMANDS, linkPart } from "./explanation.view.ts";

/** Number of characters that decide whether a file refers to the chain. */
const BEGIN = new vscode.Range(0, 0, 1_000, 0);

/** Returns the hover at the pointer or the cursor, or undefined if the text there is not related to the chain. */
export async function hoverAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  { context, kept }: { readonly context: ExplainContext; readonly kept: StoredInputs },
): Promise<vscode.Hover | undefined> {
  if (!hasHovers(document)) return undefined;
  const lines = { lineCount: document.lineCount, line: (number: number) => document.lineAt(number).text };
  const window = windowAt(lines, position);
  const { isTracked } = context;
  const isOfChain = () => hasTrace(document.getText(BEGIN));
  const read = () => rangeAt(window.text, window.offset, context.explain, { isTracked, isOfChain });
  if (read() === undefined) return undefined;
  await context.nearlyReady();
  const match = read();
  if (match === undefined) return undefined;
  const { start, end, input, explanation } = match;
  const decode = kept.argumentFor(input, vscode.workspace.asRelativePath(document.uri));
  const text = describeHover({ explanation, live: context.liveOf(explanation), decode });
  return new vscode.Hover(markdownOf(text), rangeOf(positionIn(window, start), positionIn(window, end)));
}

/** Only our own commands can be run from it, and HTML is text. */
function markdownOf(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text);
  markdown.isTrusted = { enabledCommands: HOVER_COMMANDS };
  markdown.supportHtml = false;
  return markdown;
}

/** Returns whether hovers are enabled for this document. */
export function hasHovers({ languageId, uri }: vscode.TextDocument): boolean {
  return hoverInSetting().some((it) => it === "*" || it === languageId || it === uri.scheme);
}

type LinePosition = { readonly line: number; readonly character: number };

function rangeOf(start: LinePosition, end: LinePosition): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Terminal link with the text that it opens. */
export interface ExplainedTerminalLink extends vscode.TerminalLink {
  readonly input: string;
}

/** Reads the end of long documents, where new lines appear. */
const MAX_LINES = 1_000;
const MAX_CHARACTERS = 200_000;
const MAX_LINKS = 300;
const OPEN = t`Open in Decoder`;

/** Provides links in terminal lines. Their tooltips are plain text. */
export async function terminalLinks(
  line: string,
  { context, isOfChain }: { readonly context: ExplainContext; readonly isOfChain: () => boolean },
): Promise<readonly ExplainedTerminalLink[]> {
  if (!isOn("finality.decode.terminalLinks")) return [];
  await context.nearlyReady();
  return linksIn(line, context, isOfChain).map(({ start, end, input, explanation }) => ({
    startIndex: start,
    length: end - start,
    tooltip: describeTooltip(explanation),
    input,
  }));
}

/** Provides links in output channels and log files. */
export async function documentLinks(
  document: vscode.TextDocument,
  { context, kept }: { readonly context: ExplainContext; readonly kept: StoredInputs },
  token: vscode.CancellationToken,
): Promise<readonly vscode.DocumentLink[]> {
  await context.nearlyReady();
  const links: vscode.DocumentLink[] = [];
  const ofChain = hasTrace(document.getText(new vscode.Range(0, 0, MAX_LINES, 0)));
  let room = MAX_CHARACTERS;
  for (let line = document.lineCount - 1; line >= Math.max(0, document.lineCount - MAX_LINES); line--) {
    const { text } = document.lineAt(line);
    room -= text.length;
    if (room < 0 || links.length >= MAX_LINKS || token.isCancellationRequested) break;
    for (const reading of linksIn(text, context, () => ofChain))
      links.push(documentLink(line, reading, { document, kept }));
  }
  return links;
}

function linksIn(line: string, { explain }: ExplainContext, isOfChain: () => boolean): readonly ExplainedRange[] {
  return rangesIn(line, explain, isOfChain).filter(
    ({ explanation }) => explanation.category !== "none" || explanation.code === "TXID",
  );
}

function documentLink(
  line: number,
  { start, end, input, explanation }: ExplainedRange,
  { document, kept }: { readonly document: vscode.TextDocument; readonly kept: StoredInputs },
): vscode.DocumentLink {
  const target = commandUri("finality.decode", kept.argumentFor(input, vscode.workspace.asRelativePath(document.uri)));
  const [from, to] = linkPart(document.lineAt(line).text, { start, end, code: explanation.code });
  const link = new vscode.DocumentLink(new vscode.Range(line, from, line, to), vscode.Uri.parse(target));
  // VS Code shows it below the hover, which names the cause already.
  link.tooltip = hasHovers(document) ? OPEN : describeTooltip(explanation);
  return link;
}

const QUIET_MS = 300;
const LONGEST = 1_000_000;

/** Reports errors in saved answers as problems with quick fixes, in the documents that a setting selects. */
export class Problems implements vscode.Disposable {
  readonly #context: ExplainContext;
  readonly #collection = vscode.languages.createDiagnosticCollection("finality");
  readonly #found = new Map<string, readonly TextProblem[]>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable;
  /** Artifacts that load later provide names of errors. */
  #names: vscode.Disposable | undefined;

  constructor(context: ExplainContext) {
    this.#context = context;
    const { workspace, languages } = vscode;
    this.#subscriptions = vscode.Disposable.from(
      this.#collection,
      workspace.onDidOpenTextDocument((document) => this.#plan(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.#plan(document)),
      workspace.onDidCloseTextDocument((document) => this.#forget(document)),
      onDidChangeSettings(["finality.decode.diagnosticsIn"], () => this.#planAll()),
      languages.registerCodeActionsProvider("*", {
        provideCodeActions: (document, range) => this.#actions(document, range),
      }),
    );
    this.#planAll();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#names?.dispose();
    this.#subscriptions.dispose();
  }

  #planAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#plan(document);
  }

  #plan(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    if (!hasProblems(document)) this.#forget(document);
    else
      this.#timers.set(
        key,
        setTimeout(() => void this.#refresh(document), QUIET_MS),
      );
  }

  async #refresh(document: vscode.TextDocument): Promise<void> {
    const names = await this.#context.nearlyReady();
    if (document.isClosed || !hasProblems(document)) return;
    this.#names ??= names.onDidChange(() => this.#planAll());
    const problems = answerProblems(document.getText(), this.#context.explain);
    this.#found.set(document.uri.toString(), problems);
    this.#collection.set(
      document.uri,
      problems.map((problem) => diagnosticOf(document, problem)),
    );
  }

  #forget({ uri }: vscode.TextDocument): void {
    if (this.#found.delete(uri.toString())) this.#collection.delete(uri);
  }

  #actions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const problems = this.#found.get(document.uri.toString()) ?? [];
    return problems
      .filter((problem) => rangeIn(document, problem.range).intersection(range) !== undefined)
      .flatMap((problem) => actionsFor(document, problem));
  }
}

/** Call files always have their own problems. */
function hasProblems(document: vscode.TextDocument): boolean {
  if (document.lineCount > LONGEST || document.uri.path.endsWith(CALL_FILE_SUFFIX)) return false;
  const isIncluded = diagnosticsInSetting().some((pattern) => vscode.languages.match({ pattern }, document) > 0);
  return isIncluded && document.getText().length <= LONGEST;
}

function diagnosticOf(document: vscode.TextDocument, problem: TextProblem): vscode.Diagnostic {
  const message = visibleLine(problem.message, 1_000);
  const diagnostic = new vscode.Diagnostic(
    rangeIn(document, problem.range),
    message,
    vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = "Finality";
  diagnostic.code = visibleLine(problem.code, 60);
  return diagnostic;
}

function actionsFor(document: vscode.TextDocument, { range, code, input, fixes }: TextProblem): vscode.CodeAction[] {
  const changes = changesOf(document, fixes);
  const decode = new vscode.CodeAction(t`Open in Decoder`, vscode.CodeActionKind.QuickFix);
  const origin = vscode.workspace.asRelativePath(document.uri);
  decode.command = { title: decode.title, command: "finality.decode", arguments: [{ kind: "link", input, origin }] };
  const actions = input === undefined ? changes : [...changes, decode];
  const own = vscode.languages
    .getDiagnostics(document.uri)
    .filter((one) => one.source === "Finality" && one.code === code && one.range.isEqual(rangeIn(document, range)));
  for (const action of actions) action.diagnostics = own;
  return actions;
}

const TITLE = t`Explain in Decoder`;

/** Offers explanations for problems that other tools report, such as test runners and builds. */
export async function diagnosticActions(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
  context: ExplainContext,
): Promise<vscode.CodeAction[]> {
  await context.nearlyReady();
  return diagnostics.flatMap((diagnostic) => {
    const isOfChain = (): boolean => hasTrace(diagnostic.message);
    const matches = diagnostic.message.split("\n").flatMap((line) => rangesIn(line, context.explain, isOfChain));
    if (matches.every(({ explanation }) => explanation.category === "none")) return [];
    const action = new vscode.CodeAction(TITLE, vscode.CodeActionKind.QuickFix);
    const argument = { kind: "link", input: diagnostic.message, origin: vscode.workspace.asRelativePath(document.uri) };
    action.command = { title: TITLE, command: "finality.decode", arguments: [argument] };
    action.diagnostics = [diagnostic];
    return [action];
  });
}
