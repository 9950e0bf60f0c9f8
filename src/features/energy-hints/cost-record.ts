import * as vscode from "vscode";
import type { Bound } from "../../core/call-sites/binding.ts";
import {
  type CostSnapshot,
  costName,
  parseCostSnapshot,
  printCostSnapshot,
  SNAPSHOT_FILE,
} from "../../core/estimates/cost-history.ts";

/** The snapshot files of the workspace, as they are on disk. */
export class CostRecord implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  #snapshot: CostSnapshot = new Map();

  readonly onDidChange = this.#changed.event;

  constructor() {
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${SNAPSHOT_FILE}`);
    const read = (): void => void this.read();
    this.#subscriptions = vscode.Disposable.from(
      ...[watcher, watcher.onDidCreate(read), watcher.onDidChange(read), watcher.onDidDelete(read), this.#changed],
    );
  }

  /** How much more energy a call takes than in the snapshot; `undefined` when it has no figure of it. */
  changeOf(bound: Bound, energy: bigint): bigint | undefined {
    const before = this.#snapshot.get(costName(bound));
    return before === undefined ? undefined : energy - before;
  }

  async read(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const snapshots = await Promise.all(folders.map(({ uri }) => readSnapshot(uri)));
    this.#snapshot = new Map(snapshots.flatMap((one) => [...one]));
    this.#changed.fire();
  }

  /** Adds figures to the snapshot of a folder; calls that were not estimated now keep theirs. */
  async save(folder: vscode.Uri, taken: CostSnapshot): Promise<vscode.Uri> {
    const file = vscode.Uri.joinPath(folder, SNAPSHOT_FILE);
    const merged = new Map([...(await readSnapshot(folder)), ...taken]);
    await vscode.workspace.fs.writeFile(file, Buffer.from(printCostSnapshot(merged), "utf8"));
    await this.read();
    return file;
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

async function readSnapshot(folder: vscode.Uri): Promise<CostSnapshot> {
  const file = vscode.Uri.joinPath(folder, SNAPSHOT_FILE);
  const bytes = await vscode.workspace.fs.readFile(file).then(
    (read) => read,
    () => undefined,
  );
  return (bytes && parseCostSnapshot(Buffer.from(bytes).toString("utf8"))) ?? new Map();
}
