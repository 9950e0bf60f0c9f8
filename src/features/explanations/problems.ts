import { CALL_FILE_SUFFIX } from "@finality/client/call-sites";
import { answerProblems, type TextProblem } from "@finality/client/explain";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { diagnosticsInSetting } from "../../host/settings/feature-settings.ts";
import { onDidChangeSettings } from "../../host/settings/settings.ts";
import { changesOf, rangeIn } from "../../host/text-ranges.ts";
import type { ExplainContext } from "./explain-context.ts";

const QUIET_MS = 300;
const LONGEST = 1_000_000;

/** Failures in saved answers as problems with quick fixes: in the documents that a setting names. */
export class Problems implements vscode.Disposable {
  readonly #context: ExplainContext;
  readonly #collection = vscode.languages.createDiagnosticCollection("finality");
  readonly #found = new Map<string, readonly TextProblem[]>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable;
  /** Artifacts that come later give names to errors. */
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
    if (!isWanted(document)) this.#forget(document);
    else
      this.#timers.set(
        key,
        setTimeout(() => void this.#look(document), QUIET_MS),
      );
  }

  async #look(document: vscode.TextDocument): Promise<void> {
    const names = await this.#context.nearlyReady();
    if (document.isClosed || !isWanted(document)) return;
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

/** Call files have their own problems, always. */
function isWanted(document: vscode.TextDocument): boolean {
  if (document.lineCount > LONGEST || document.uri.path.endsWith(CALL_FILE_SUFFIX)) return false;
  const wanted = diagnosticsInSetting().some((pattern) => vscode.languages.match({ pattern }, document) > 0);
  return wanted && document.getText().length <= LONGEST;
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
