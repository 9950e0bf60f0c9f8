import * as vscode from "vscode";
import { type CallFileProblem, readCallFile } from "../../core/call-sites/call-file.ts";
import type { TextRange } from "../../core/call-sites/call-site.ts";
import type { WantedCall } from "../../core/call-sites/wanted-call.ts";
import { argumentBlamed, functionOfWanted } from "./call-file-function.ts";
import { callsIn, isCallFile } from "./documents.ts";
import type { Hints } from "./hints.ts";

/** Rows for what cannot be used in call files, as they are typed: what is no call, and what no artifact and no account knows. */
export function followCallFiles(hints: Hints): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("finality.calls");
  const { workspace } = vscode;
  const look = (document: vscode.TextDocument): void => {
    if (isCallFile(document)) collection.set(document.uri, rowsOf(document, hints));
  };
  const lookAtAll = (): void => workspace.textDocuments.forEach(look);
  lookAtAll();
  return vscode.Disposable.from(
    collection,
    hints.onDidRenew(lookAtAll),
    workspace.onDidOpenTextDocument(look),
    workspace.onDidChangeTextDocument(({ document }) => look(document)),
    workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
  );
}

function rowsOf(document: vscode.TextDocument, hints: Hints): vscode.Diagnostic[] {
  const { Error: wrong, Warning: doubtful } = vscode.DiagnosticSeverity;
  return [
    ...readCallFile(document.getText()).problems.map((one) => rowOf(document, one, wrong)),
    ...faultsOf(document, hints).map((one) => rowOf(document, one, doubtful)),
  ];
}

/** What the workspace and the network do not know, at the word that they do not know. */
function faultsOf(document: vscode.TextDocument, hints: Hints): readonly CallFileProblem[] {
  const text = document.getText();
  return callsIn(document).flatMap((wanted) => {
    const reason = hints.faultOf(wanted);
    if (reason === undefined) return [];
    const argument = argumentBlamed(functionOfWanted(wanted, text, hints)?.parameters ?? [], reason);
    const [, quoted] = /"([^"]+)"/.exec(reason) ?? [];
    const range =
      wordIn(text, wanted, quoted) ?? wanted.arguments?.[argument]?.range ?? wordIn(text, wanted, wanted.method);
    return [{ range: range ?? wanted.range, message: `${reason}.` }];
  });
}

/** Where a call has a text in quotes. */
function wordIn(text: string, { range }: WantedCall, word: string | undefined): TextRange | undefined {
  if (word === undefined) return undefined;
  const quoted = JSON.stringify(word);
  const start = text.indexOf(quoted, range.start);
  return start < 0 || start >= range.end ? undefined : { start, end: start + quoted.length };
}

function rowOf(
  document: vscode.TextDocument,
  { range, message }: CallFileProblem,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const where = new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
  const row = new vscode.Diagnostic(where, message.charAt(0).toUpperCase() + message.slice(1), severity);
  row.source = "finality";
  row.code = "call-file";
  return row;
}
