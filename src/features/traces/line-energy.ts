import { compareLines, type EnergyProfile, energyProfile, type FileText } from "@finality/client/traces";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { findSource } from "../../host/artifacts/source-files.ts";
import { setContext } from "../../host/commands/commands.ts";
import { confirmInStatusBar, notify, whileWorking } from "../../host/prompts/notify.ts";
import { changeLabels, comparedText, energyLabels, type LineLabel, shownText } from "./line-energy.view.ts";
import type { ShownTrace } from "./trace-panel.ts";

/** Energy of a run by line, with the texts that were compiled. */
interface ProfiledRun {
  readonly profile: EnergyProfile;
  readonly textOf: FileText;
}

/** Labels in editors, by the URI of the file. */
interface ShownLabels {
  readonly text: string | undefined;
  readonly labels: readonly LineLabel[];
}

/** Width of the bar in the gutter by level, in px. */
const BAR_WIDTHS = [2, 5, 9, 14] as const;

/** Shows the energy of the traced run at the end of each source line, from the command until it is hidden. */
export class LineEnergyDecorations implements vscode.Disposable {
  #last: ShownTrace | undefined;
  /** The run that was traced before the last one. */
  #former: ProfiledRun | undefined;
  #shown: ReadonlyMap<string, ShownLabels> | undefined;
  #types: readonly vscode.TextEditorDecorationType[] = [];
  #listener: vscode.Disposable | undefined;

  /** Notes a traced run. Labels of another run are hidden. */
  traced(run: ShownTrace): void {
    const { txId } = run.content.subject;
    const isSame = txId !== undefined && txId === this.#last?.content.subject.txId;
    if (!isSame && this.#last?.content.hasSteps === true) this.#former = profiled(this.#last);
    this.#last = run;
    this.hide();
  }

  /** Shows the energy of a run, the last one by default. @throws {ChainError} `TRACE_UNAVAILABLE` */
  async show(run: ShownTrace | undefined = this.#last): Promise<object> {
    const after = await readProfile(run);
    await this.#showLabels(energyLabels(after.profile), after);
    confirmInStatusBar(shownText(after.profile));
    const { total, unknown, lines } = after.profile;
    return { energy: total, unknown, lines: lines.length };
  }

  /** Shows the difference between the last run and the one before. @throws {ChainError} `TRACE_UNAVAILABLE` */
  async compare(): Promise<object> {
    const after = await readProfile(this.#last);
    const before = this.#former;
    if (before === undefined) throw unavailable(t`no other run was traced before this one`);
    const labels = changeLabels(compareLines(before, after), after.profile.total);
    await this.#showLabels(labels, after);
    confirmInStatusBar(comparedText(before.profile, after.profile, labels.length));
    return { before: before.profile.total, after: after.profile.total, changedLines: labels.length };
  }

  hide(): void {
    this.#shown = undefined;
    this.#listener?.dispose();
    this.#listener = undefined;
    for (const type of this.#types) type.dispose();
    this.#types = [];
    this.#updateContext();
  }

  dispose(): void {
    this.hide();
  }

  async #showLabels(labels: readonly LineLabel[], { textOf }: ProfiledRun): Promise<void> {
    const shown = new Map<string, ShownLabels>();
    for (const [file, ofFile] of Map.groupBy(labels, (it) => it.file)) {
      const uri = await findSource(file);
      if (uri !== undefined) shown.set(uri.toString(), { text: textOf(file), labels: ofFile });
    }
    this.hide();
    this.#shown = shown;
    this.#types = BAR_WIDTHS.map(decorationType);
    this.#listener = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => this.#decorate()),
      vscode.workspace.onDidChangeTextDocument(() => this.#decorate()),
    );
    this.#updateContext();
    if (labels.length > 0 && shown.size === 0)
      void notify("information", t`No source file of the run is in the workspace.`);
    await openFirst(shown);
    this.#decorate();
  }

  /** Lines of an edited file are no longer those that ran, so it has no labels. */
  #decorate(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const found = this.#shown?.get(document.uri.toString());
      const isCompiled = found?.text === undefined || found.text === document.getText();
      const labels = isCompiled ? (found?.labels ?? []) : [];
      for (const [level, type] of this.#types.entries()) {
        const ofLevel = labels.filter((it) => it.level === level && it.line <= document.lineCount);
        editor.setDecorations(
          type,
          ofLevel.map((it) => decoration(document, it)),
        );
      }
    }
  }

  #updateContext(): void {
    const states = [
      ...(this.#last === undefined ? [] : ["traced"]),
      ...(this.#former === undefined ? [] : ["comparable"]),
      ...(this.#shown === undefined ? [] : ["shown"]),
    ];
    setContext("finality.lineEnergy", states.map((it) => `+${it}`).join(""));
  }
}

/** Reads the instructions of a run if they are missing. @throws {ChainError} `TRACE_UNAVAILABLE` */
async function readProfile(run: ShownTrace | undefined): Promise<ProfiledRun> {
  if (run === undefined) throw unavailable(t`no run was traced in this window`);
  if (!run.content.hasSteps) await whileWorking(t`Tracing`, () => run.readSteps());
  const read = profiled(run);
  if (read.profile.lines.length > 0) return read;
  throw unavailable(t`no artifact of the workspace with a source map has the code that ran`);
}

function profiled({ content }: ShownTrace): ProfiledRun {
  const { trace, sources } = content.subject;
  return { profile: energyProfile(trace, sources), textOf: sources.textOf };
}

function unavailable(reason: string): ChainError {
  return new ChainError("TRACE_UNAVAILABLE", { reason });
}

/** Opens the file with the widest bar, unless one of the files is visible, and reveals the line. */
async function openFirst(shown: ReadonlyMap<string, ShownLabels>): Promise<void> {
  const isVisible = vscode.window.visibleTextEditors.some(({ document }) => shown.has(document.uri.toString()));
  const all = [...shown].flatMap(([uri, { labels }]) => labels.map((label) => ({ uri, label })));
  const widest = all.sort((a, b) => b.label.level - a.label.level)[0];
  if (widest === undefined || isVisible) return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(widest.uri));
  const selection = document.lineAt(Math.min(widest.label.line, document.lineCount) - 1).range;
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    selection: new vscode.Range(selection.start, selection.start),
  });
}

function decoration(document: vscode.TextDocument, { line, text }: LineLabel): vscode.DecorationOptions {
  const { end } = document.lineAt(line - 1).range;
  return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: text } } };
}

function decorationType(width: number): vscode.TextEditorDecorationType {
  const bar = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect x="${16 - width}" width="${width}" height="16" fill="#c77c11"/></svg>`;
  return vscode.window.createTextEditorDecorationType({
    after: { margin: "0 0 0 3em", color: new vscode.ThemeColor("editorCodeLens.foreground") },
    gutterIconPath: vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(bar).toString("base64")}`),
    gutterIconSize: "contain",
  });
}
