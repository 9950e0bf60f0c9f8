import type { RunCallTests } from "@finality/client/call-tests";
import { SerialQueue } from "@finality/node/serial-queue";
import type { CoverageRecord } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Log } from "../../host/log/log.ts";
import { CallFileTests } from "./call-file-tests.ts";
import { onDidCreateFolders } from "./created-folders.ts";
import { ProjectTests } from "./project-tests.ts";
import type { RunCoverage } from "./run-coverage.ts";
import { itemsOf, type RunContext, type TestSource } from "./test-source.ts";

export interface TestExplorerServices {
  readonly runCallTests: RunCallTests;
  /** dist/local-chain.js */
  readonly chainProgram: string;
  readonly log: Pick<Log, "error">;
}

/** Tests of one file to run. */
interface FileRun {
  readonly source: TestSource;
  readonly file: vscode.TestItem;
  /** Undefined for all. */
  readonly tests: readonly vscode.TestItem[] | undefined;
}

/** Tests of call files and projects in VS Code's Testing view. */
export class TestExplorer implements vscode.Disposable {
  readonly #controller = vscode.tests.createTestController("finality", "Finality");
  readonly #sources: readonly TestSource[];
  readonly #profile: vscode.TestRunProfile;
  readonly #coverageProfile: vscode.TestRunProfile;
  readonly #watching: vscode.Disposable;
  readonly #log: Pick<Log, "error">;
  /** Runs one after another, because two chains cannot have one port. */
  readonly #queue = new SerialQueue();

  constructor({ runCallTests, chainProgram, log }: TestExplorerServices) {
    this.#log = log;
    const failed = (error: unknown): void => log.error("Tests were not found.", error);
    this.#sources = [
      new CallFileTests(this.#controller, runCallTests, failed),
      new ProjectTests(this.#controller, chainProgram, failed),
    ];
    this.#controller.refreshHandler = () => this.scan();
    const deletions = vscode.workspace.createFileSystemWatcher("**", true, true, false);
    this.#watching = vscode.Disposable.from(
      onDidCreateFolders(() => void this.scan().catch(failed)),
      deletions,
      // VS Code reports only the folder when one is deleted.
      deletions.onDidDelete((uri) => {
        for (const source of this.#sources) source.remove(uri);
      }),
    );
    this.#profile = this.#controller.createRunProfile(
      t`Run`,
      vscode.TestRunProfileKind.Run,
      (request, token) => (request.continuous === true ? this.#follow(request, token) : this.#execute(request, token)),
      true,
      undefined,
      true,
    );
    this.#coverageProfile = this.#controller.createRunProfile(
      t`Run with Coverage`,
      vscode.TestRunProfileKind.Coverage,
      async (request, token) => {
        const { RunCoverage } = await import("./run-coverage.ts");
        await this.#execute(request, token, new RunCoverage());
      },
      true,
    );
    this.#coverageProfile.loadDetailedCoverage = async (_run, file) => {
      const { detailsOf } = await import("./run-coverage.ts");
      return [...detailsOf(file)];
    };
  }

  /** Finds the tests of the workspace. */
  async scan(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.scan()));
  }

  dispose(): void {
    const profiles = [this.#profile, this.#coverageProfile];
    vscode.Disposable.from(...this.#sources, this.#watching, ...profiles, this.#controller).dispose();
  }

  /** Runs the requested tests whose files a saved document affects, until the user ends the continuous run. */
  #follow(request: vscode.TestRunRequest, token: vscode.CancellationToken): void {
    const saved = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const affected = this.#filesIn(request).filter(({ source, file }) => source.isAffected(file, uri));
      if (affected.length === 0) return;
      const include = affected.flatMap(({ file, tests }) => tests ?? [file]);
      const again = new vscode.TestRunRequest(include, request.exclude, this.#profile, true);
      this.#execute(again, token).catch((error: unknown) => this.#log.error("A continuous run failed.", error));
    });
    token.onCancellationRequested(() => saved.dispose());
  }

  async #execute(
    request: vscode.TestRunRequest,
    outer: vscode.CancellationToken,
    coverage?: RunCoverage,
  ): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const cancelling = new AbortController();
    const cancel = (): void => cancelling.abort(new vscode.CancellationError());
    const listening = vscode.Disposable.from(
      run.token.onCancellationRequested(cancel),
      outer.onCancellationRequested(cancel),
    );
    const { signal } = cancelling;
    const files = this.#filesIn(request);
    for (const { file, tests } of files) for (const item of tests ?? leavesOf(file)) run.enqueued(item);
    const onCoverage = coverage && ((record: CoverageRecord) => coverage.add(record));
    try {
      for (const it of files) await this.#queue.run(() => this.#runFile(it, { run, signal, onCoverage }));
      if (!signal.aborted) await coverage?.report(run);
    } finally {
      listening.dispose();
      run.end();
    }
  }

  /** Runs tests of a file. A failure of the run itself is an error of its tests. */
  async #runFile({ source, file, tests }: FileRun, context: RunContext): Promise<void> {
    const { run, signal } = context;
    const items = tests ?? [file];
    if (!vscode.workspace.isTrusted) return fail(run, items, t`Nothing was run: the workspace is in Restricted Mode.`);
    if (signal.aborted) return;
    try {
      await source.run(file, tests, context);
    } catch (error) {
      if (!signal.aborted) fail(run, items, error instanceof Error ? error.message : String(error));
    }
  }

  #filesIn({ include, exclude = [] }: vscode.TestRunRequest): readonly FileRun[] {
    const files = new Map<vscode.TestItem, FileRun>();
    for (const item of include ?? itemsOf(this.#controller.items))
      for (const source of this.#sources)
        for (const file of source.filesOf(item)) {
          const before = files.get(file);
          const isWhole = item.parent === undefined || file === item || file.parent === item;
          const tests = isWhole ? undefined : [...(before?.tests ?? []), item];
          files.set(file, {
            source,
            file,
            tests: before !== undefined && before.tests === undefined ? undefined : tests,
          });
        }
    const isLeftOut = (item: vscode.TestItem): boolean =>
      exclude.includes(item) || (item.parent !== undefined && isLeftOut(item.parent));
    return [...files.values()].flatMap(({ source, file, tests }) => {
      if (isLeftOut(file)) return [];
      const all = tests ?? itemsOf(file.children);
      const left = all.filter((item) => !isLeftOut(item));
      if (left.length === all.length) return [{ source, file, tests }];
      return left.length === 0 ? [] : [{ source, file, tests: left }];
    });
  }
}

/** Returns the tests of a file, or the file itself while they are unknown. */
function leavesOf(file: vscode.TestItem): readonly vscode.TestItem[] {
  return file.children.size === 0 ? [file] : itemsOf(file.children);
}

function fail(run: vscode.TestRun, items: readonly vscode.TestItem[], reason: string): void {
  for (const item of items) run.errored(item, new vscode.TestMessage(reason));
}
