import { sunText } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { rangeIn } from "../../host/text-ranges.ts";
import { callsIn, SELECTOR } from "./documents.ts";
import { type FeeLimitProblem, feeLimitProblem, IGNORE_MARK, limitLike } from "./fee-limit-problem.view.ts";
import type { HintWords } from "./hint.view.ts";
import type { Hints } from "./hints.ts";

const CODE = "fee-limit";

interface Row {
  readonly diagnostic: vscode.Diagnostic;
  readonly problem: FeeLimitProblem;
}

/** Warnings about fee limits where an estimate is known, with their remedies. */
export class FeeLimitProblems implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #hints: Hints;
  readonly #words: () => HintWords;
  readonly #collection = vscode.languages.createDiagnosticCollection("finality.energy");
  readonly #rows = new Map<string, readonly Row[]>();
  readonly #subscriptions: vscode.Disposable;
  readonly #waiting = new Set<vscode.TextDocument>();
  #next: NodeJS.Immediate | undefined;

  constructor(hints: Hints, words: () => HintWords) {
    this.#hints = hints;
    this.#words = words;
    const { workspace, languages } = vscode;
    this.#subscriptions = vscode.Disposable.from(
      this.#collection,
      hints.onDidChange(() => this.#lookAtAll()),
      workspace.onDidChangeTextDocument(({ document }) => this.#look(document)),
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

  /** One document at a time: many that are open never keep the host from its other work. */
  #lookAtAll(): void {
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
      if (!document.isClosed) this.#look(document);
      this.#goOn();
    });
  }

  #look(document: vscode.TextDocument): void {
    if (this.#hints.isIdle || vscode.languages.match(SELECTOR, document) === 0) return;
    const { marginPercent } = this.#words();
    const rows = callsIn(document).flatMap((wanted): readonly Row[] => {
      const problem = feeLimitProblem(wanted, this.#hints.stateOf(wanted), marginPercent);
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

function actionsFor(document: vscode.TextDocument, row: Row): readonly vscode.CodeAction[] {
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

function remedy(title: string, { diagnostic }: Row): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  return action;
}
