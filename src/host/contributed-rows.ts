import type * as vscode from "vscode";

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
