import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import { ArtifactIndex, type WorkspaceContract } from "../core/abi/artifacts/artifact-index.ts";
import type { ArtifactPlace } from "./artifact-messages.ts";
import { ArtifactReader, MAXIMUM_BYTES } from "./artifact-reader.ts";
import { abiGlobsSetting } from "./explanation-settings.ts";
import type { Log } from "./log.ts";
import { onDidChangeSettings } from "./settings.ts";

/** Copies of others, and records of whole builds: their contracts are found one by one elsewhere. */
const EXCLUDED = "{**/node_modules/**,**/build-info/**,**/.git/**}";
const MAXIMUM_FILES = 20_000;
/** Compilers write many files at once. */
const QUIET_MS = 250;

export interface ArtifactServices {
  /** The program of the reading thread. */
  readonly program: string;
  readonly log: Log;
}

/**
 * The artifacts of the workspace, read in a thread of their own and followed as they change. A file that is broken is told of once,
 * in the log and as a row of the problems.
 */
export class WorkspaceArtifacts implements vscode.Disposable {
  readonly index = new ArtifactIndex();
  readonly #services: ArtifactServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #problems = vscode.languages.createDiagnosticCollection("finality.artifacts");
  readonly #pending = new Map<string, vscode.Uri>();
  readonly #places = new Map<string, vscode.Uri>();
  readonly #subscriptions: vscode.Disposable[] = [];
  #watchers: vscode.Disposable[] = [];
  #working: Promise<void>;
  #closed = false;

  /** The index holds something else than before. */
  readonly onDidChange = this.#changed.event;

  constructor(services: ArtifactServices) {
    this.#services = services;
    this.#subscriptions.push(
      onDidChangeSettings(["finality.abi.globs"], () => this.#startAnew()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#startAnew()),
    );
    this.#working = this.#findAll();
  }

  /** Resolves when everything that was found so far is in the index. */
  async ready(): Promise<ArtifactIndex> {
    await this.#working;
    return this.index;
  }

  /** The creation code of a contract as hex without 0x, read again from its file. */
  async bytecodeOf({ name, path }: WorkspaceContract): Promise<string | undefined> {
    const uri = this.#places.get(path);
    if (uri === undefined) return undefined;
    const reader = new ArtifactReader(this.#services.program);
    try {
      return await reader.bytecode(await placeOf(path, uri), name);
    } finally {
      await reader.close();
    }
  }

  dispose(): void {
    this.#closed = true;
    vscode.Disposable.from(this.#changed, this.#problems, ...this.#watchers, ...this.#subscriptions).dispose();
  }

  #startAnew(): void {
    for (const path of this.#places.keys()) this.#forget(path);
    this.#working = this.#working.then(() => this.#findAll());
  }

  async #findAll(): Promise<void> {
    for (const watcher of this.#watchers.splice(0)) watcher.dispose();
    const patterns = (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
      abiGlobsSetting(folder.uri).map((glob) => new vscode.RelativePattern(folder, glob)),
    );
    for (const pattern of patterns) this.#watch(pattern);
    for (const pattern of patterns) {
      const found = await vscode.workspace.findFiles(pattern, EXCLUDED, MAXIMUM_FILES);
      for (const uri of found) this.#pending.set(uri.toString(), uri);
    }
    await this.#takeInPending();
  }

  #watch(pattern: vscode.RelativePattern): void {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const changed = (uri: vscode.Uri): void => {
      if (/\/(?:node_modules|build-info|\.git)\//.test(uri.path)) return;
      const isQuiet = this.#pending.size === 0;
      this.#pending.set(uri.toString(), uri);
      if (isQuiet) this.#working = Promise.all([this.#working, pause(QUIET_MS)]).then(() => this.#takeInPending());
    };
    this.#watchers.push(
      watcher,
      watcher.onDidCreate(changed),
      watcher.onDidChange(changed),
      watcher.onDidDelete(changed),
    );
  }

  async #takeInPending(): Promise<void> {
    if (this.#pending.size === 0 || this.#closed) return;
    const started = performance.now();
    const reader = new ArtifactReader(this.#services.program);
    try {
      for (const [key, uri] of this.#pending) {
        if (this.#closed) return;
        this.#pending.delete(key);
        await this.#takeIn(reader, uri);
      }
    } catch (error) {
      this.#services.log.error("The artifacts of the workspace could not be read.", error);
    } finally {
      await reader.close();
    }
    const { fileCount, contracts } = this.index;
    const took = Math.round(performance.now() - started);
    this.#services.log.info(`The ABI index has ${contracts.length} contracts of ${fileCount} files, after ${took} ms.`);
    this.#changed.fire();
  }

  async #takeIn(reader: ArtifactReader, uri: vscode.Uri): Promise<void> {
    const path = vscode.workspace.asRelativePath(uri).replaceAll("\\", "/");
    const place = await placeOf(path, uri).catch(() => undefined);
    if (place === undefined) return this.#forget(path);
    this.#places.set(path, uri);
    const intake = await reader.takeIn(place, this.index);
    if (intake.kind === "broken") this.#tellBroken(uri, intake.reason);
    else this.#problems.delete(uri);
  }

  #forget(path: string): void {
    const uri = this.#places.get(path);
    if (uri !== undefined) this.#problems.delete(uri);
    this.#places.delete(path);
    this.index.remove(path);
  }

  #tellBroken(uri: vscode.Uri, reason: string): void {
    if (this.#problems.has(uri)) return;
    this.#services.log.warn(`${uri.path} was left out of the ABI index: ${reason}.`);
    const message = `This is no artifact that Finality can use: ${reason}. Compile again, or change finality.abi.globs.`;
    const row = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), message, vscode.DiagnosticSeverity.Warning);
    row.source = "Finality";
    this.#problems.set(uri, [row]);
  }
}

/** The thread reads files of the disk by itself; of other folders it is given the bytes. @throws when it is not there */
async function placeOf(path: string, uri: vscode.Uri): Promise<ArtifactPlace> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (uri.scheme === "file") return { path, file: uri.fsPath };
  const bytes = size > MAXIMUM_BYTES ? new Uint8Array(0) : await vscode.workspace.fs.readFile(uri);
  return { path, file: "", bytes };
}
