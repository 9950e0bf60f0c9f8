import { CALL_FILE_SUFFIX, type CallFileSite, callSitesInCallFile, type TextRange } from "@finality/client/call-sites";
import { type FinishedCallTest, isCallTest, type RunCallTests } from "@finality/client/call-tests";
import { grouped } from "@finality/tron/format";
import { textOfBytes, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { positionIn } from "../../host/text-ranges.ts";
import { EXCLUDED, isWithin, itemIn, itemsOf, keepOnly, type RunContext, type TestSource } from "./test-source.ts";

const PATTERN = `**/*${CALL_FILE_SUFFIX}`;

/** Call files with expectations. */
export class CallFileTests implements TestSource {
  readonly #controller: vscode.TestController;
  readonly #runCallTests: RunCallTests;
  readonly #subscriptions: vscode.Disposable;
  /** File items by URI. */
  readonly #files = new Map<string, vscode.TestItem>();

  constructor(controller: vscode.TestController, runCallTests: RunCallTests, failed: (error: unknown) => void) {
    this.#controller = controller;
    this.#runCallTests = runCallTests;
    const { workspace } = vscode;
    const watcher = workspace.createFileSystemWatcher(PATTERN, false, false, true);
    const read = (uri: vscode.Uri): void => void this.#read(uri).catch(failed);
    const changed = (document: vscode.TextDocument): void => {
      if (document.uri.path.endsWith(CALL_FILE_SUFFIX)) this.#show(document.uri, document.getText());
    };
    this.#subscriptions = vscode.Disposable.from(
      ...[watcher, watcher.onDidCreate(read), watcher.onDidChange(read)],
      workspace.onDidOpenTextDocument(changed),
      workspace.onDidChangeTextDocument(({ document }) => changed(document)),
    );
  }

  async scan(): Promise<void> {
    const found = await vscode.workspace.findFiles(PATTERN, EXCLUDED);
    const uris = new Set(found.map(String));
    for (const { uri } of this.#files.values()) if (uri !== undefined && !uris.has(String(uri))) this.#show(uri, "");
    await Promise.all(found.map((uri) => this.#read(uri)));
  }

  remove(deleted: vscode.Uri): void {
    for (const { uri } of this.#files.values())
      if (uri !== undefined && isWithin(String(uri), deleted)) this.#show(uri, "");
  }

  filesOf(item: vscode.TestItem): readonly vscode.TestItem[] {
    const file = this.#files.get(String(item.uri));
    return file === undefined ? [] : [file];
  }

  isAffected(file: vscode.TestItem, saved: vscode.Uri): boolean {
    return String(file.uri) === String(saved);
  }

  async run(file: vscode.TestItem, tests: readonly vscode.TestItem[] | undefined, context: RunContext): Promise<void> {
    const { run, signal, onCoverage } = context;
    if (file.uri === undefined) return;
    const text = await textOf(file.uri);
    const items = new Map((tests ?? itemsOf(file.children)).map((item) => [indexOf(item), item]));
    for (const item of items.values()) run.started(item);
    for await (const finished of this.#runCallTests(text, [...items.keys()], signal, onCoverage)) {
      const item = items.get(finished.index);
      if (item !== undefined) report(run, item, finished, text);
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #read(uri: vscode.Uri): Promise<void> {
    this.#show(uri, await textOf(uri));
  }

  /** Shows the tests of a file. A file without tests has no item. */
  #show(uri: vscode.Uri, text: string): void {
    const sites = callSitesInCallFile(text).map((site, index) => ({ site, index }));
    const tests = sites.filter(({ site }) => isCallTest(site));
    const id = String(uri);
    if (tests.length === 0) {
      this.#files.delete(id);
      this.#controller.items.delete(id);
      return;
    }
    const label = vscode.workspace.asRelativePath(uri);
    const file = itemIn(this.#controller.items, this.#controller, { id, label, uri });
    this.#files.set(id, file);
    const ids = tests.map(({ site, index }) => {
      const item = itemIn(file.children, this.#controller, { id: String(index), label: titleOf(site), uri });
      item.range = rangeOf(text, site.range);
      item.sortText = String(index).padStart(6, "0");
      return item.id;
    });
    keepOnly(file.children, new Set(ids));
  }
}

function indexOf({ id }: vscode.TestItem): number {
  return Number(id);
}

function titleOf({ label, contract, method }: CallFileSite): string {
  const name = contract.kind === "address" ? contract.address.text : contract.name;
  return visibleLine(label ?? `${name}.${method ?? ""}`);
}

/** Returns the text of a file as the editor has it, with unsaved changes. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => String(document.uri) === String(uri));
  return open?.getText() ?? textOfBytes(await vscode.workspace.fs.readFile(uri));
}

function rangeOf(text: string, { start, end }: TextRange): vscode.Range {
  return new vscode.Range(positionIn(text, start), positionIn(text, end));
}

function report(run: vscode.TestRun, item: vscode.TestItem, finished: FinishedCallTest, text: string): void {
  const { result, durationMs } = finished;
  const at = (message: vscode.TestMessage, range: vscode.Range | undefined): vscode.TestMessage => {
    if (item.uri !== undefined && range !== undefined) message.location = new vscode.Location(item.uri, range);
    return message;
  };
  switch (result.kind) {
    case "passed": {
      const { outcome } = result;
      // VS Code gives screen readers the description of an item in place of its label, so the energy is output.
      if (outcome.kind !== "halted") {
        const energy = t`${grouped(outcome.energy)} energy`;
        run.appendOutput(`${item.label}: ${energy}\r\n`, undefined, item);
      }
      run.passed(item, durationMs);
      return;
    }
    case "failed": {
      const messages = result.differences.map(({ message, range, expected, actual }) =>
        at(messageOf(message, expected, actual), rangeOf(text, range)),
      );
      run.failed(item, messages, durationMs);
      return;
    }
    case "unusable":
    case "unavailable": {
      const reason = result.kind === "unusable" ? `${visibleLine(result.reason)}.` : result.error.message;
      run.errored(item, at(new vscode.TestMessage(reason), item.range), durationMs);
    }
  }
}

function messageOf(message: string, expected: string | undefined, actual: string | undefined): vscode.TestMessage {
  if (expected === undefined || actual === undefined) return new vscode.TestMessage(message);
  return vscode.TestMessage.diff(message, expected, actual);
}
