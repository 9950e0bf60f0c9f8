import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
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
/** So many files are compared before others get their turn. */
const AT_ONCE = 50;
/**
 * Watchers see nothing for a while after they were made and do not say when they begin, and they may stay deaf to a folder that was made
 * just then: so long after each other all files are compared, and the last of these times again and again.
 */
const LOOK_AGAIN_MS = [1_000, 4_000, 15_000, 60_000];
/** The same when a folder was made, which may be full by the time it is watched. */
const FOLDER_MS = 500;
/** The same once a change was found that no watcher has told. */
const DEAF_MS = 5_000;
/** A change that is younger may still be told. */
const TOLD_WITHIN_MS = 2_000;

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
  /** Files and folders that were deleted, by their paths. */
  readonly #gone = new Set<string>();
  readonly #places = new Map<string, KnownPlace>();
  readonly #subscriptions: vscode.Disposable[] = [];
  #watchers: vscode.Disposable[] = [];
  #patterns: readonly vscode.RelativePattern[] = [];
  #nextLook: NodeJS.Timeout | undefined;
  #hasNewFolder = false;
  #isDeaf = false;
  #quiet: Promise<void> | undefined;
  #working: Promise<void> = Promise.resolve();
  #closed = false;

  /** The index holds something else than before. */
  readonly onDidChange = this.#changed.event;

  constructor(services: ArtifactServices) {
    this.#services = services;
    this.#subscriptions.push(
      onDidChangeSettings(["finality.abi.globs"], () => this.#startAnew()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#startAnew()),
    );
    this.#startAnew();
  }

  /** Resolves when everything that was found so far is in the index. */
  async ready(): Promise<ArtifactIndex> {
    await this.#working;
    return this.index;
  }

  /** The creation code of a contract as hex without 0x, read again from its file. */
  async bytecodeOf({ name, path }: WorkspaceContract): Promise<string | undefined> {
    const known = this.#places.get(path);
    if (known === undefined) return undefined;
    const reader = new ArtifactReader(this.#services.program);
    try {
      return await reader.bytecode((await placeOf(path, known.uri)).place, name);
    } finally {
      await reader.close();
    }
  }

  dispose(): void {
    this.#closed = true;
    clearTimeout(this.#nextLook);
    vscode.Disposable.from(this.#changed, this.#problems, ...this.#watchers, ...this.#subscriptions).dispose();
  }

  /** One thing after the other; what fails is told of, and keeps nothing from going on. */
  #afterwards(work: () => Promise<void>): void {
    this.#working = this.#working
      .then(work)
      .catch((error: unknown) => this.#services.log.error("The artifacts of the workspace could not be read.", error));
  }

  #startAnew(): void {
    this.#pending.clear();
    this.#afterwards(async () => {
      this.#places.clear();
      this.#problems.clear();
      this.index.clear();
      await this.#findAll();
    });
  }

  async #findAll(): Promise<void> {
    for (const watcher of this.#watchers.splice(0)) watcher.dispose();
    if (this.#closed) return;
    this.#patterns = (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
      abiGlobsSetting(folder.uri).map((glob) => new vscode.RelativePattern(folder, glob)),
    );
    for (const pattern of this.#patterns) this.#watch(pattern);
    this.#watchFolders();
    this.#isDeaf = false;
    this.#lookLater(0);
    await this.#compare();
  }

  /** Compares all files after the time of this step, and goes on with the next one. */
  #lookLater(step: number, ms = LOOK_AGAIN_MS[step] ?? LOOK_AGAIN_MS.at(-1)): void {
    clearTimeout(this.#nextLook);
    if (this.#closed) return;
    this.#nextLook = setTimeout(
      () => {
        this.#hasNewFolder = false;
        this.#afterwards(() => this.#lookAgain(step));
      },
      this.#isDeaf ? DEAF_MS : ms,
    );
  }

  async #lookAgain(step: number): Promise<void> {
    try {
      const missed = await this.#compare();
      this.#isDeaf ||= missed && step > 0;
    } finally {
      if (!this.#hasNewFolder) this.#lookLater(step + 1);
    }
  }

  /**
   * Takes in what the files of the workspace say otherwise than when they were read. The result is whether a watcher should have told of
   * one of them.
   */
  async #compare(): Promise<boolean> {
    const gone = new Map(this.#places);
    let missed = false;
    for (const pattern of this.#patterns) {
      const found = await vscode.workspace.findFiles(pattern, EXCLUDED, MAXIMUM_FILES);
      for (const [at, uri] of found.entries()) {
        if (at % AT_ONCE === 0) await turn();
        if (this.#closed) return false;
        const path = pathOf(uri);
        gone.delete(path);
        const changedAt = await this.#changeOf(path, uri);
        if (changedAt === undefined) continue;
        missed ||= !this.#pending.has(uri.toString()) && Date.now() - changedAt > TOLD_WITHIN_MS;
        this.#pending.set(uri.toString(), uri);
      }
    }
    for (const { uri } of gone.values()) this.#pending.set(uri.toString(), uri);
    await this.#takeInPending();
    return missed;
  }

  /** When a file was written that says otherwise than when it was read, ms; `undefined` when it does not, or is gone. */
  async #changeOf(path: string, uri: vscode.Uri): Promise<number | undefined> {
    const found = await timesOf(uri).catch(() => undefined);
    return found === undefined || found.stamp === this.#places.get(path)?.stamp ? undefined : found.mtime;
  }

  #watch(pattern: vscode.RelativePattern): void {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const changed = (uri: vscode.Uri): void => {
      if (!isExcluded(uri)) this.#expect(uri);
    };
    this.#watchers.push(
      watcher,
      watcher.onDidCreate(changed),
      watcher.onDidChange(changed),
      watcher.onDidDelete(changed),
    );
  }

  /** Of a folder that comes or goes with all that is in it only the folder is told. */
  #watchFolders(): void {
    const watcher = vscode.workspace.createFileSystemWatcher("**", false, true, false);
    const gone = ({ path }: vscode.Uri): void => {
      this.#gone.add(path);
      this.#takeInSoon();
    };
    const made = async (uri: vscode.Uri): Promise<void> => {
      if (!isExcluded(uri) && (await isFolder(uri))) this.#lookSoon();
    };
    this.#watchers.push(watcher, watcher.onDidDelete(gone), watcher.onDidCreate(made));
  }

  /** Once for all folders that are made until then. */
  #lookSoon(): void {
    if (this.#hasNewFolder) return;
    this.#hasNewFolder = true;
    this.#lookLater(0, FOLDER_MS);
  }

  #expect(uri: vscode.Uri): void {
    this.#pending.set(uri.toString(), uri);
    this.#takeInSoon();
  }

  /** Together with others that come until then. */
  #takeInSoon(): void {
    this.#quiet ??= pause(QUIET_MS).then(() => {
      this.#quiet = undefined;
      this.#afterwards(() => this.#takeInPending());
    });
  }

  /** The files that were in folders that are gone. */
  #expectFromGone(): void {
    const gone = new Set(this.#gone);
    this.#gone.clear();
    if (gone.size === 0) return;
    for (const { uri } of this.#places.values()) {
      let at = uri.path.lastIndexOf("/");
      while (at > 0 && !gone.has(uri.path.slice(0, at))) at = uri.path.lastIndexOf("/", at - 1);
      if (at > 0) this.#pending.set(uri.toString(), uri);
    }
  }

  async #takeInPending(): Promise<void> {
    this.#expectFromGone();
    if (this.#pending.size === 0 || this.#closed) return;
    const started = performance.now();
    const reader = new ArtifactReader(this.#services.program);
    try {
      for (const [key, uri] of this.#pending) {
        if (this.#closed) return;
        this.#pending.delete(key);
        await this.#takeIn(reader, uri);
      }
    } finally {
      await reader.close();
    }
    const { fileCount, contracts } = this.index;
    const took = Math.round(performance.now() - started);
    this.#services.log.info(`The ABI index has ${contracts.length} contracts of ${fileCount} files, after ${took} ms.`);
    this.#changed.fire();
  }

  async #takeIn(reader: ArtifactReader, uri: vscode.Uri): Promise<void> {
    const path = pathOf(uri);
    const found = await placeOf(path, uri).catch(() => undefined);
    if (found === undefined) return this.#forget(path);
    this.#places.set(path, { uri, stamp: found.stamp });
    const intake = await reader.takeIn(found.place, this.index);
    if (intake.kind === "broken") this.#tellBroken(uri, intake.reason);
    else this.#tellMended(uri);
  }

  #forget(path: string): void {
    const known = this.#places.get(path);
    if (known !== undefined) this.#tellMended(known.uri);
    this.#places.delete(path);
    this.index.remove(path);
  }

  /** Each change is told to the whole window: most files have no row. */
  #tellMended(uri: vscode.Uri): void {
    if (this.#problems.has(uri)) this.#problems.delete(uri);
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

interface KnownPlace {
  readonly uri: vscode.Uri;
  /** Another one when the file was written again. */
  readonly stamp: string;
}

function isExcluded({ path }: vscode.Uri): boolean {
  return /\/(?:node_modules|build-info|\.git)\//.test(path);
}

/** A folder that is gone again is none. */
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

/** The thread reads files of the disk by itself; of other folders it is given the bytes. @throws when it is not there */
async function placeOf(path: string, uri: vscode.Uri): Promise<{ place: ArtifactPlace; stamp: string }> {
  const stamp = await stampOf(uri);
  if (uri.scheme === "file") return { place: { path, file: uri.fsPath }, stamp };
  const { size } = await vscode.workspace.fs.stat(uri);
  const bytes = size > MAXIMUM_BYTES ? new Uint8Array(0) : await vscode.workspace.fs.readFile(uri);
  return { place: { path, file: "", bytes }, stamp };
}

async function stampOf(uri: vscode.Uri): Promise<string> {
  return (await timesOf(uri)).stamp;
}

async function timesOf(uri: vscode.Uri): Promise<{ readonly stamp: string; readonly mtime: number }> {
  const { size, mtime } = await vscode.workspace.fs.stat(uri);
  return { stamp: `${size} ${mtime}`, mtime };
}
