import * as vscode from "vscode";

/** A row that another feature contributes to a view. Menu commands receive it as their argument. */
export interface ContributedRow {
  /** Distinguishes rows from arguments of programs. */
  readonly kind: string;
  readonly item: vscode.TreeItem;
  readonly children: readonly ContributedRow[];
}

/** Rows that another feature contributes to a view. */
export interface ContributedRows {
  /** Fires with the row whose subtree changed, or undefined if the list changed. */
  readonly onDidChange: vscode.Event<ContributedRow | undefined>;
  list(): readonly ContributedRow[];
  /** Reports whether the view is visible. No requests are made while it is hidden. */
  show(visible: boolean): void;
}

/** Returns the rows of several features, in their order. */
export function joinRows(...sources: readonly ContributedRows[]): ContributedRows {
  return {
    onDidChange: (listener) => vscode.Disposable.from(...sources.map((it) => it.onDidChange((row) => listener(row)))),
    list: () => sources.flatMap((it) => it.list()),
    show: (visible) => {
      for (const it of sources) it.show(visible);
    },
  };
}
