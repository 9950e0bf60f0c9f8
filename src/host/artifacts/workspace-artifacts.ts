import type { Clock } from "@finality/client/gateway";
import { SerialQueue } from "@finality/node/serial-queue";
import { ArtifactIndex, type WorkspaceContract } from "@finality/tron/abi";
import { defined } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Log } from "../log/log.ts";
import { abiGlobsSetting } from "../settings/feature-settings.ts";
import { onDidChangeSettings } from "../settings/settings.ts";
import { ChangedFiles, ComparisonSchedule, type FileTimes } from "./artifact-changes.ts";
import { type ArtifactLocation, ArtifactReader, MAXIMUM_BYTES } from "./artifact-reader.ts";

/** Dependencies and records of whole builds: their contracts are found elsewhere. */
const EXCLUDED = "{**/node_modules/**,**/build-info/**,**/.git/**}";
const MAXIMUM_FILES = 20_000;
/** Delay before changes are read, because compilers write many files at once. */
const QUIET_MS = 250;

export interface ArtifactServices {
  /** Path of the worker's program. */
  readonly program: string;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Artifacts of the workspace, read in a worker and kept up to date. A broken file is reported once, in the log and in
 * the Problems view.
 */
export class WorkspaceArtifacts implements vscode.Disposable {
  readonly index = new ArtifactIndex();
  readonly #services: ArtifactServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #problems = vscode.languages.createDiagnosticCollection("finality.artifacts");
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #closing = new AbortController();
  readonly #files: ChangedFiles<vscode.Uri>;
  readonly #compareAgain: ComparisonSchedule;
  #watchers: vscode.Disposable[] = [];
  #patterns: readonly vscode.RelativePattern[] = [];
  #quiet: Promise<void> | undefined;
  readonly #queue = new SerialQueue();

  /** Fires when the index has changed. */
  readonly onDidChange = this.#changed.event;

  constructor(services: ArtifactServices) {
    const { clock } = services;
    this.#services = services;
    this.#files = new ChangedFiles({
      search: () => this.#search(),
      nameOf: pathOf,
      timesOf,
      now: clock.now,
      closed: this.#closing.signal,
    });
    this.#compareAgain = new ComparisonSchedule({
      clock,
      compare: () => this.#queue.run(() => this.#compare()),
      failed: (error) => this.#reportFailed(error),
    });
    this.#subscriptions.push(
      onDidChangeSettings(["finality.abi.globs"], () => this.#restart()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#restart()),
    );
    this.#restart();
  }

  /** Resolves when all files that were found so far are indexed. */
  async ready(): Promise<ArtifactIndex> {
    await this.#queue.idle();
    return this.index;
  }

  /** Reads the creation code of a contract from its file, as hex without 0x. */
  async bytecodeOf({ name, path }: WorkspaceContract): Promise<string | undefined> {
    const known = this.#files.known(path);
    if (known === undefined) return undefined;
    const reader = new ArtifactReader(this.#services.program, vscode.l10n.bundle);
    try {
      return await reader.bytecode((await locationOf(path, known.uri)).place, name);
    } finally {
      await reader.close();
    }
  }

  dispose(): void {
    this.#closing.abort();
    this.#compareAgain.dispose();
    vscode.Disposable.from(this.#changed, this.#problems, ...this.#watchers, ...this.#subscriptions).dispose();
  }

  #afterwards(work: () => Promise<unknown>): void {
    this.#queue.run(work).catch((error: unknown) => this.#reportFailed(error));
  }

  #reportFailed(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#services.log.error("The artifacts of the workspace could not be read.", error);
  }

  #restart(): void {
    this.#files.stopReading();
    this.#afterwards(() => this.#findAll());
  }

  async #findAll(): Promise<void> {
    for (const watcher of this.#watchers.splice(0)) watcher.dispose();
    if (this.#closing.signal.aborted) return;
    this.#files.clear();
    this.#problems.clear();
    this.index.clear();
    this.#patterns = (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
      abiGlobsSetting(folder.uri).map((glob) => new vscode.RelativePattern(folder, glob)),
    );
    for (const pattern of this.#patterns) this.#watch(pattern);
    this.#watchFolders();
    this.#compareAgain.restart();
    await this.#compare();
  }

  async *#search(): AsyncGenerator<readonly vscode.Uri[]> {
    for (const pattern of this.#patterns) yield await vscode.workspace.findFiles(pattern, EXCLUDED, MAXIMUM_FILES);
  }

  /** Resolves to whether a watcher should have reported a change. */
  async #compare(): Promise<boolean> {
    const missed = await this.#files.compare();
    await this.#takeInPending();
    return missed;
  }

  #watch(pattern: vscode.RelativePattern): void {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const changed = (uri: vscode.Uri): void => {
      if (isExcluded(uri)) return;
      this.#files.expect(uri);
      this.#takeInSoon();
    };
    this.#watchers.push(
      watcher,
      watcher.onDidCreate(changed),
      watcher.onDidChange(changed),
      watcher.onDidDelete(changed),
    );
  }

  /** Watches folders: if a folder is created or deleted, VS Code reports only the folder. */
  #watchFolders(): void {
    const watcher = vscode.workspace.createFileSystemWatcher("**", false, true, false);
    const gone = (uri: vscode.Uri): void => {
      this.#files.expectGone(uri);
      this.#takeInSoon();
    };
    const made = async (uri: vscode.Uri): Promise<void> => {
      if (!isExcluded(uri) && (await isFolder(uri))) this.#compareAgain.folderMade();
    };
    this.#watchers.push(watcher, watcher.onDidDelete(gone), watcher.onDidCreate(made));
  }

  /** Reads pending files after a short delay. */
  #takeInSoon(): void {
    const takeIn = (): void => {
      this.#quiet = undefined;
      this.#afterwards(() => this.#takeInPending());
    };
    const { clock } = this.#services;
    this.#quiet ??= clock.sleep(QUIET_MS, this.#closing.signal).then(takeIn, () => undefined);
  }

  async #takeInPending(): Promise<void> {
    const { signal } = this.#closing;
    if (!this.#files.hasPending() || signal.aborted) return;
    const started = performance.now();
    const reader = new ArtifactReader(this.#services.program, vscode.l10n.bundle);
    try {
      for (const uri of this.#files.takePending()) {
        if (signal.aborted) return;
        await this.#takeIn(reader, uri);
      }
    } finally {
      await reader.close();
    }
    if (signal.aborted) return;
    const { fileCount, contracts } = this.index;
    const took = Math.round(performance.now() - started);
    this.#services.log.info(`The ABI index has ${contracts.length} contracts of ${fileCount} files, after ${took} ms.`);
    this.#changed.fire();
  }

  async #takeIn(reader: ArtifactReader, uri: vscode.Uri): Promise<void> {
    const path = pathOf(uri);
    const found = await locationOf(path, uri).catch(() => undefined);
    if (found === undefined) return this.#forget(path);
    this.#files.remember(path, { uri, stamp: found.stamp });
    const intake = await reader.takeIn(found.place, this.index);
    if (intake.kind === "broken") this.#reportBroken(uri, intake.reason);
    else this.#clearProblem(uri);
  }

  #forget(path: string): void {
    const known = this.#files.known(path);
    if (known !== undefined) this.#clearProblem(known.uri);
    this.#files.forget(path);
    this.index.remove(path);
  }

  /**
   * Removes the problem of a file. VS Code notifies the whole window of each change, so files without a problem are
   * skipped.
   */
  #clearProblem(uri: vscode.Uri): void {
    if (this.#problems.has(uri)) this.#problems.delete(uri);
  }

  #reportBroken(uri: vscode.Uri, reason: string): void {
    if (this.#problems.has(uri)) return;
    this.#services.log.warn(`${uri.path} was left out of the ABI index: ${reason}.`);
    const message = t`Finality cannot use this artifact: ${reason}. Compile again, or change finality.abi.globs.`;
    const row = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), message, vscode.DiagnosticSeverity.Warning);
    row.source = "Finality";
    this.#problems.set(uri, [row]);
  }
}

function isExcluded({ path }: vscode.Uri): boolean {
  return /\/(?:node_modules|build-info|\.git)\//.test(path);
}

/** Returns false for a folder that no longer exists. */
async function isFolder(uri: vscode.Uri): Promise<boolean> {
  const found = await vscode.workspace.fs.stat(uri).then(
    ({ type }) => type,
    () => vscode.FileType.Unknown,
  );
  return (found & vscode.FileType.Directory) !== 0;
}

function pathOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri).replaceAll("\\", "/");
}

/**
 * Returns the location for the worker, which reads files on disk itself and receives the bytes of others.
 *
 * @throws if the file does not exist
 */
async function locationOf(path: string, uri: vscode.Uri): Promise<{ place: ArtifactLocation; stamp: string }> {
  const { stamp } = await timesOf(uri);
  if (uri.scheme === "file") {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
    return { place: { path, file: uri.fsPath, ...defined({ root }) }, stamp };
  }
  const { size } = await vscode.workspace.fs.stat(uri);
  const bytes = size > MAXIMUM_BYTES ? new Uint8Array(0) : await vscode.workspace.fs.readFile(uri);
  return { place: { path, file: "", bytes }, stamp };
}

async function timesOf(uri: vscode.Uri): Promise<FileTimes> {
  const { size, mtime } = await vscode.workspace.fs.stat(uri);
  return { stamp: `${size} ${mtime}`, mtime };
}
