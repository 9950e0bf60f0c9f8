import {
  type BoundCall,
  type CostSnapshot,
  costName,
  parseCostSnapshot,
  parseFunctionTotals,
  printCostSnapshot,
  renewableSnapshot,
  SNAPSHOT_FILE,
} from "@finality/client/call-sites";
import { textOfBytes } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import type { CostDifference } from "./hint.view.ts";

interface StoredFigures {
  readonly energy: bigint;
  readonly since: string;
}

/** Reads the snapshot files of the workspace from the last commit, or from disk if no commit contains them. */
export class CostRecord implements vscode.Disposable {
  readonly #committed = new CommittedFiles();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  #stored: ReadonlyMap<string, StoredFigures> = new Map();

  readonly onDidChange = this.#changed.event;

  /** @param report - Receives read errors when a file or a commit changes. */
  constructor(report: (error: unknown) => void) {
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${SNAPSHOT_FILE}`);
    const read = (): void => void this.read().catch(report);
    this.#subscriptions = vscode.Disposable.from(
      ...[watcher, watcher.onDidCreate(read), watcher.onDidChange(read), watcher.onDidDelete(read)],
      ...[this.#committed, this.#committed.onDidChange(read), this.#changed],
    );
  }

  /** Returns the additional energy of a call since the snapshot, or undefined without a figure. */
  changeOf(bound: BoundCall, energy: bigint): CostDifference | undefined {
    const before = this.#stored.get(costName(bound));
    return before && { energy: energy - before.energy, since: before.since };
  }

  /** Baseline estimates of the comparison. */
  get before(): CostSnapshot {
    return new Map([...this.#stored].map(([name, { energy }]) => [name, energy]));
  }

  async read(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const stored = await Promise.all(folders.map(({ uri }) => this.#readFolder(uri)));
    this.#stored = new Map(stored.flat());
    this.#changed.fire();
  }

  /**
   * Returns the estimates in the snapshot of a folder, as on disk.
   *
   * @throws {ChainError} `COST_SNAPSHOT_UNREADABLE`
   */
  async figuresIn(folder: vscode.Uri): Promise<CostSnapshot> {
    return renewableSnapshot((await readText(vscode.Uri.joinPath(folder, SNAPSHOT_FILE))) ?? "");
  }

  /**
   * Adds estimates to the snapshot of a folder. Calls without a new estimate keep the old one.
   *
   * @throws {ChainError} `COST_SNAPSHOT_UNREADABLE`
   */
  async save(folder: vscode.Uri, taken: CostSnapshot): Promise<vscode.Uri> {
    const file = vscode.Uri.joinPath(folder, SNAPSHOT_FILE);
    const merged = new Map([...(await this.figuresIn(folder)), ...taken]);
    // The command line measures functions; the editor leaves them as they are.
    const functions = parseFunctionTotals((await readText(file)) ?? "");
    await vscode.workspace.fs.writeFile(file, Buffer.from(printCostSnapshot(merged, functions), "utf8"));
    await this.read();
    return file;
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #readFolder(folder: vscode.Uri): Promise<readonly (readonly [string, StoredFigures])[]> {
    const file = vscode.Uri.joinPath(folder, SNAPSHOT_FILE);
    const text = await this.#committed.read(file);
    const committed = text === undefined ? undefined : parseCostSnapshot(text);
    const since = committed === undefined ? SNAPSHOT_FILE : t`${SNAPSHOT_FILE} of the last commit`;
    const snapshot = committed ?? parseCostSnapshot((await readText(file)) ?? "") ?? new Map<string, bigint>();
    return [...snapshot].map(([name, energy]) => [name, { energy, since }]);
  }
}

/** Returns undefined if the file does not exist. @throws the reason why an existing file cannot be read */
async function readText(file: vscode.Uri): Promise<string | undefined> {
  try {
    return textOfBytes(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return undefined;
    throw error;
  }
}

/** Part of the Git extension's public API that is used. */
interface GitRepository {
  readonly state: { readonly HEAD: { readonly commit?: string } | undefined; readonly onDidChange: vscode.Event<void> };
  show(ref: string, path: string): Promise<string>;
}
interface GitApi {
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly repositories: readonly GitRepository[];
  getRepository(uri: vscode.Uri): GitRepository | null;
}
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** Reads files of the last commit. Returns nothing without Git, or outside a repository. */
class CommittedFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[] = [this.#changed];
  readonly #heads = new Map<GitRepository, string | undefined>();
  readonly #api = lazy(() => this.#open());

  /** Called when HEAD changed. */
  readonly onDidChange = this.#changed.event;

  async read(file: vscode.Uri): Promise<string | undefined> {
    const repository = (await this.#api())?.getRepository(file);
    // A commit without the file is not an error.
    return await repository?.show("HEAD", file.fsPath).catch(() => undefined);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  async #open(): Promise<GitApi | undefined> {
    const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
    const git = await extension?.activate();
    if (git?.enabled !== true) return undefined;
    const api = git.getAPI(1);
    const follow = (repository: GitRepository): void => this.#follow(repository);
    api.repositories.forEach(follow);
    this.#subscriptions.push(
      api.onDidOpenRepository((repository) => {
        follow(repository);
        this.#changed.fire();
      }),
    );
    return api;
  }

  #follow(repository: GitRepository): void {
    const { state } = repository;
    this.#heads.set(repository, state.HEAD?.commit);
    const refresh = (): void => {
      if (state.HEAD?.commit === this.#heads.get(repository)) return;
      this.#heads.set(repository, state.HEAD?.commit);
      this.#changed.fire();
    };
    this.#subscriptions.push(state.onDidChange(refresh));
  }
}
