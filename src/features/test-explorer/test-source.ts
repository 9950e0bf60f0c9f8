import type { CoverageRecord } from "@finality/tron/traces";
import type * as vscode from "vscode";

/** Files with tests of one kind, as items of the Test Explorer. */
export interface TestSource extends vscode.Disposable {
  /** Finds the files again. */
  scan(): Promise<void>;
  /** Removes the items of a deleted file, or of the files in a deleted folder. */
  remove(deleted: vscode.Uri): void;
  /** Returns the items of files that an item is, is part of, or contains. */
  filesOf(item: vscode.TestItem): readonly vscode.TestItem[];
  /** Returns whether a saved document may change the results of a file. */
  isAffected(file: vscode.TestItem, saved: vscode.Uri): boolean;
  /** Runs tests of a file and reports their results. @param tests - tests to run; undefined for all */
  run(file: vscode.TestItem, tests: readonly vscode.TestItem[] | undefined, context: RunContext): Promise<void>;
}

/** Run in the Test Results view. */
export interface RunContext {
  readonly run: vscode.TestRun;
  readonly signal: AbortSignal;
  /** Receives what chains executed; undefined for a run without coverage. */
  readonly onCoverage: ((record: CoverageRecord) => void) | undefined;
}

/** Folders whose files are no tests of the workspace. */
export const EXCLUDED = "**/{node_modules,.git}/**";

/** Returns whether a file is a deleted one, or in a deleted folder. @param uri - of the file */
export function isWithin(uri: string, deleted: vscode.Uri): boolean {
  return uri === String(deleted) || uri.startsWith(`${String(deleted)}/`);
}

/** Returns the items of a collection. */
export function itemsOf(collection: vscode.TestItemCollection): readonly vscode.TestItem[] {
  return [...collection].map(([, item]) => item);
}

/** Returns an item of a collection, or adds it. Keeping the item keeps its last result. */
export function itemIn(
  collection: vscode.TestItemCollection,
  controller: vscode.TestController,
  item: { readonly id: string; readonly label: string; readonly uri: vscode.Uri },
): vscode.TestItem {
  const known = collection.get(item.id);
  if (known !== undefined && known.label === item.label) return known;
  const created = controller.createTestItem(item.id, item.label, item.uri);
  collection.add(created);
  return created;
}

/** Removes the items with other IDs. */
export function keepOnly(collection: vscode.TestItemCollection, ids: ReadonlySet<string>): void {
  for (const { id } of itemsOf(collection)) if (!ids.has(id)) collection.delete(id);
}
