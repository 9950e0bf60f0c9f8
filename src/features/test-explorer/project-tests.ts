import { endCoverage, startCoverage } from "@finality/node/local-trace";
import { codeOf } from "@finality/node/storage";
import { foreignText, textOfBytes, visibleLine, visibleText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { startTestChain } from "../../host/local-chain/test-chain.ts";
import { runProgram } from "../../host/run-program.ts";
import { positionIn } from "../../host/text-ranges.ts";
import { readForgeOutput } from "./forge-output.ts";
import { readMochaOutput } from "./mocha-output.ts";
import {
  commandText,
  FRAMEWORKS,
  type Framework,
  offsetOfTest,
  type RunnerCommand,
  runnerCommand,
} from "./projects.ts";
import type { RunnerFailure, RunnerTest } from "./runner-result.ts";
import { EXCLUDED, isWithin, itemIn, itemsOf, keepOnly, type RunContext, type TestSource } from "./test-source.ts";

/** Project of a framework. */
interface Project {
  readonly framework: Framework;
  readonly configuration: vscode.Uri;
  /** Folder of the configuration. */
  readonly folder: vscode.Uri;
}

const NAMES = Object.keys(FRAMEWORKS) as readonly Framework[];
const WATCHED = `**/{${[...NAMES.map((it) => FRAMEWORKS[it].configuration), "test/**/*.{js,cjs,mjs,ts,cts,mts,sol}"].join(",")}}`;

/** Tests of Hardhat, TronBox and Foundry. Their own runners run them, one process for each file. */
export class ProjectTests implements TestSource {
  readonly #controller: vscode.TestController;
  /** dist/local-chain.js */
  readonly #chainProgram: string;
  readonly #failed: (error: unknown) => void;
  readonly #subscriptions: vscode.Disposable;
  readonly #projects = new Map<string, Project>();
  #scanning: Promise<void> = Promise.resolve();
  /** Scan that has not begun. */
  #next: Promise<void> | undefined;

  constructor(controller: vscode.TestController, chainProgram: string, failed: (error: unknown) => void) {
    this.#controller = controller;
    this.#chainProgram = chainProgram;
    this.#failed = failed;
    const watcher = vscode.workspace.createFileSystemWatcher(WATCHED, false, true, false);
    const scan = (uri: vscode.Uri): void => {
      if (!/\/node_modules\//.test(uri.path)) void this.scan().catch(failed);
    };
    this.#subscriptions = vscode.Disposable.from(watcher, watcher.onDidCreate(scan), watcher.onDidDelete(scan));
  }

  /** Finds the projects again. One scan serves all requests that come before it begins. */
  scan(): Promise<void> {
    this.#next ??= this.#scanning
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#scanning = this.#scan();
        return this.#scanning;
      });
    return this.#next;
  }

  remove(deleted: vscode.Uri): void {
    const isGone = [...this.#projects.values()].some(({ configuration }) => isWithin(String(configuration), deleted));
    if (isGone) void this.scan().catch(this.#failed);
  }

  filesOf(item: vscode.TestItem): readonly vscode.TestItem[] {
    if (this.#projects.has(item.id)) return itemsOf(item.children);
    for (let file = item; file.parent !== undefined; file = file.parent)
      if (this.#projects.has(file.parent.id)) return [file];
    return [];
  }

  isAffected(file: vscode.TestItem, saved: vscode.Uri): boolean {
    const project = this.#projects.get(file.parent?.id ?? "");
    return project !== undefined && saved.path.startsWith(`${project.folder.path}/`);
  }

  /** Runs a whole file, because runners have no filter that finds one test for certain. */
  async run(file: vscode.TestItem, _tests: readonly vscode.TestItem[] | undefined, context: RunContext) {
    const { run } = context;
    const project = this.#projects.get(file.parent?.id ?? "");
    if (project === undefined || file.uri === undefined) return;
    run.started(file);
    for (const item of itemsOf(file.children)) run.started(item);
    const started = performance.now();
    const command = await commandOf(project, file.uri);
    if (typeof command === "string") return run.errored(file, new vscode.TestMessage(`${command}.`));
    const print = (text: string): void => run.appendOutput(text.replaceAll(/\r?\n/g, "\r\n"), undefined, file);
    const { output, code } = await this.#runOnChain(project, command, print, context);
    const name = file.uri.path.slice(file.uri.path.lastIndexOf("/") + 1);
    const tests = project.framework === "foundry" ? readForgeOutput(output) : readMochaOutput(output, name);
    const durationMs = performance.now() - started;
    if (tests.length === 0) {
      const reason = t`${command.program} reported no test and ended with code ${String(code)}. Its output is in Test Results.`;
      return run.errored(file, new vscode.TestMessage(reason), durationMs);
    }
    const text = textOfBytes(await vscode.workspace.fs.readFile(file.uri));
    this.#report(run, file, tests, (title) => rangeAt(text, offsetOfTest(project.framework, text, title)));
    if (tests.every(({ state }) => state !== "failed")) run.passed(file, durationMs);
    else run.failed(file, [], durationMs);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Runs a command while a new chain serves it, and shows the command line. */
  async #runOnChain(
    { folder, configuration }: Project,
    command: RunnerCommand,
    print: (text: string) => void,
    { signal, onCoverage }: RunContext,
  ) {
    const chain = await startTestChain(this.#chainProgram, ["--tre", "--port", String(command.port)]);
    try {
      if (onCoverage !== undefined) await startCoverage(chain.baseUrl);
      print(`${folder.fsPath}$ CHAIN_URL=${chain.baseUrl} ${commandText(command)}\n`);
      const root = vscode.workspace.getWorkspaceFolder(configuration)?.uri.fsPath;
      const end = await runProgram({
        ...command,
        folders: [folder.fsPath, ...(root === undefined ? [] : [root])],
        env: { CHAIN_URL: chain.baseUrl, FINALITY_URL: chain.baseUrl, ...QUIET },
        onOutput: print,
        signal,
      });
      onCoverage?.(await endCoverage(chain.baseUrl));
      return end;
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      throw new Error(
        t`${command.program} is not installed. Install the packages of ${folder.fsPath}, and run the tests again.`,
      );
    } finally {
      await chain.close();
    }
  }

  async #scan(): Promise<void> {
    const { workspace } = vscode;
    const found = await Promise.all(
      NAMES.map(async (framework) => {
        const files = await workspace.findFiles(`**/${FRAMEWORKS[framework].configuration}`, EXCLUDED);
        // Runners need a folder on a disk.
        const onDisk = files.filter(({ scheme }) => scheme === "file");
        return onDisk.map((configuration) => ({ framework, configuration, folder: parentOf(configuration) }));
      }),
    );
    const listed = await Promise.all(
      found.flat().map(async (project) => {
        const pattern = new vscode.RelativePattern(project.folder, FRAMEWORKS[project.framework].tests);
        return { project, files: await workspace.findFiles(pattern, EXCLUDED) };
      }),
    );
    const before = [...this.#projects.keys()];
    this.#projects.clear();
    for (const { project, files } of listed) if (files.length > 0) this.#show(project, files);
    for (const id of before) if (!this.#projects.has(id)) this.#controller.items.delete(id);
  }

  #show(project: Project, files: readonly vscode.Uri[]): void {
    const { framework, configuration: uri, folder } = project;
    const id = `${framework} ${String(uri)}`;
    this.#projects.set(id, project);
    const path = vscode.workspace.asRelativePath(folder);
    const label = t`${FRAMEWORKS[framework].name}: ${path === folder.fsPath ? "." : path}`;
    const item = itemIn(this.#controller.items, this.#controller, { id, label, uri });
    const ids = files.map((file) => {
      const name = file.path.slice(folder.path.length + 1);
      return itemIn(item.children, this.#controller, { id: String(file), label: name, uri: file }).id;
    });
    keepOnly(item.children, new Set(ids));
  }

  /** Shows the tests of a finished run below their file. */
  #report(
    run: vscode.TestRun,
    file: vscode.TestItem,
    tests: readonly RunnerTest[],
    rangeOf: (title: string) => vscode.Range | undefined,
  ): void {
    const { uri } = file;
    if (uri === undefined) return;
    const ids = new Set<string>();
    for (const [index, { path, state, durationMs, failure }] of tests.entries()) {
      const label = visibleLine(foreignText(path.join(" › ")));
      const item = itemIn(file.children, this.#controller, { id: path.join("\n"), label, uri });
      item.sortText = String(index).padStart(6, "0");
      item.range = rangeOf(path.at(-1) ?? "");
      ids.add(item.id);
      if (state === "passed") run.passed(item, durationMs);
      else if (state === "skipped") run.skipped(item);
      else run.failed(item, messageOf(failure, item), durationMs);
    }
    keepOnly(file.children, ids);
  }
}

/** Output without colours, and without questions. */
const QUIET = { NO_COLOR: "1", FORCE_COLOR: "0", CI: "1", HARDHAT_DISABLE_TELEMETRY_PROMPT: "true" };

const LONGEST_CONFIGURATION = 1_000_000;

async function commandOf({ framework, configuration, folder }: Project, file: vscode.Uri) {
  const bytes = await vscode.workspace.fs.readFile(configuration);
  const text = textOfBytes(bytes.subarray(0, LONGEST_CONFIGURATION));
  const name = configuration.path.slice(folder.path.length + 1);
  return runnerCommand(framework, file.path.slice(folder.path.length + 1), { name, text });
}

function parentOf(uri: vscode.Uri): vscode.Uri {
  return uri.with({ path: uri.path.slice(0, uri.path.lastIndexOf("/")) });
}

function rangeAt(text: string, offset: number | undefined): vscode.Range | undefined {
  if (offset === undefined) return undefined;
  const position = positionIn(text, offset);
  return new vscode.Range(position, position);
}

/** Message of a failure, at its line or at the test. */
function messageOf(failure: RunnerFailure | undefined, { uri, range }: vscode.TestItem): vscode.TestMessage {
  const { message = "", expected, actual, location } = failure ?? {};
  const text = visibleText(foreignText(message), LONGEST_MESSAGE) || t`The runner gives no reason.`;
  const shown =
    expected === undefined || actual === undefined
      ? new vscode.TestMessage(text)
      : vscode.TestMessage.diff(text, expected, actual);
  const position = location && new vscode.Position(location.line - 1, location.column - 1);
  const at = position ?? range;
  if (uri !== undefined && at !== undefined) shown.location = new vscode.Location(uri, at);
  return shown;
}

const LONGEST_MESSAGE = 10_000;
