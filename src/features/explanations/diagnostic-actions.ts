import { hasTrace, readingsIn } from "@finality/client/explain";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ExplainContext } from "./explain-context.ts";

const TITLE = t`Explain in Decoder`;

/** For problems that others report, such as a test runner or a build: a way to what their message means on the chain. */
export async function diagnosticActions(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
  context: ExplainContext,
): Promise<vscode.CodeAction[]> {
  await context.nearlyReady();
  return diagnostics.flatMap((diagnostic) => {
    const isOfChain = (): boolean => hasTrace(diagnostic.message);
    const readings = diagnostic.message.split("\n").flatMap((line) => readingsIn(line, context.explain, isOfChain));
    if (readings.every(({ explanation }) => explanation.category === "none")) return [];
    const action = new vscode.CodeAction(TITLE, vscode.CodeActionKind.QuickFix);
    const argument = { kind: "link", input: diagnostic.message, origin: vscode.workspace.asRelativePath(document.uri) };
    action.command = { title: TITLE, command: "finality.decode", arguments: [argument] };
    action.diagnostics = [diagnostic];
    return [action];
  });
}
