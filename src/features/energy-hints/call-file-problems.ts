import type { CallSite, TextRange } from "@finality/client/call-sites";
import { type CallNames, callFileProblems, type TextProblem } from "@finality/client/explain";
import type { ArtifactIndex } from "@finality/tron/abi";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { changesOf, rangeIn } from "../../host/text-ranges.ts";
import { argumentBlamed, functionOfWanted } from "./call-file-function.ts";
import { CALL_FILES, callsIn, isCallFile } from "./documents.ts";
import type { Hints } from "./hints.ts";

interface Row {
  readonly diagnostic: vscode.Diagnostic;
  readonly problem: TextProblem;
}

/**
 * Marks what is no call in open call files, and what nobody here knows, with quick fixes. Nothing is asked of a chain.
 */
export function followCallFiles(hints: Hints): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("finality.calls");
  const marked = new WeakMap<vscode.TextDocument, readonly Row[]>();
  const { workspace, languages } = vscode;
  const look = (document: vscode.TextDocument): void => {
    if (!isCallFile(document)) return;
    const rows = problemsIn(document, hints).map((problem) => rowOf(document, problem));
    marked.set(document, rows);
    collection.set(
      document.uri,
      rows.map(({ diagnostic }) => diagnostic),
    );
  };
  const lookAtAll = (): void => workspace.textDocuments.forEach(look);
  lookAtAll();
  return vscode.Disposable.from(
    collection,
    hints.onDidRenew(lookAtAll),
    workspace.onDidOpenTextDocument(look),
    workspace.onDidChangeTextDocument(({ document }) => look(document)),
    workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
    languages.registerCodeActionsProvider(CALL_FILES, {
      provideCodeActions: (document, range) =>
        (marked.get(document) ?? [])
          .filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined)
          .flatMap((row) => actionsFor(document, row)),
    }),
  );
}

function actionsFor(document: vscode.TextDocument, { problem, diagnostic }: Row): readonly vscode.CodeAction[] {
  const actions = changesOf(document, problem.fixes);
  for (const action of actions) action.diagnostics = [diagnostic];
  return actions;
}

/** Mistakes of the file first; what is right by its form and its names may still have no place on the network. */
function problemsIn(document: vscode.TextDocument, hints: Hints): readonly TextProblem[] {
  const reported = callFileProblems(document.getText(), namesOf(hints.index));
  const isReported = ({ range }: CallSite): boolean =>
    reported.some((problem) => problem.range.start >= range.start && problem.range.end <= range.end);
  const others = callsIn(document).filter((wanted) => !isReported(wanted));
  return [...reported, ...others.flatMap((wanted) => faultsOf(wanted, document.getText(), hints))];
}

function namesOf(index: ArtifactIndex | undefined): CallNames {
  return {
    contracts: [...new Set(index?.contracts.map(({ name }) => name) ?? [])],
    functionsOf: (name) => index?.contractsNamed(name).flatMap(({ functions }) => functions) ?? [],
  };
}

/** What the workspace and the network do not know, at the word that they do not know. */
function faultsOf(wanted: CallSite, text: string, hints: Hints): readonly TextProblem[] {
  const reason = hints.faultOf(wanted);
  if (reason === undefined) return [];
  const argument = argumentBlamed(functionOfWanted(wanted, text, hints)?.parameters ?? [], reason);
  const [, quoted] = /["“]([^"“”]+)["”]/.exec(reason) ?? [];
  const range =
    wordIn(text, wanted, quoted) ?? wanted.arguments?.[argument]?.range ?? wordIn(text, wanted, wanted.method);
  const whole = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  const message = t`${whole}.`;
  return [{ range: range ?? wanted.range, message, code: "unknown-here", fixes: [] }];
}

/** Where a call has a text in quotes. */
function wordIn(text: string, { range }: CallSite, word: string | undefined): TextRange | undefined {
  if (word === undefined) return undefined;
  const quoted = JSON.stringify(word);
  const start = text.indexOf(quoted, range.start);
  return start < 0 || start >= range.end ? undefined : { start, end: start + quoted.length };
}

function rowOf(document: vscode.TextDocument, problem: TextProblem): Row {
  const { Error: wrong, Warning: doubtful } = vscode.DiagnosticSeverity;
  const severity = problem.code === "call-file" ? wrong : doubtful;
  const diagnostic = new vscode.Diagnostic(rangeIn(document, problem.range), problem.message, severity);
  diagnostic.source = "Finality";
  diagnostic.code = problem.code;
  return { diagnostic, problem };
}
