import type * as vscode from "vscode";

/** A row that a view shows for another feature. Commands of its menu get it as their argument. */
export interface GuestRow {
  /** Tells rows apart from argument objects of programs. */
  readonly kind: string;
  readonly item: vscode.TreeItem;
  readonly children: readonly GuestRow[];
}

/** The rows of another feature in a view, which keeps them up to date while somebody looks. */
export interface GuestRows {
  /** A row with all below it changed, or which rows there are. */
  readonly onDidChange: vscode.Event<GuestRow | undefined>;
  list(): readonly GuestRow[];
  /** Says whether the view is visible: nothing is asked while it is not. */
  show(visible: boolean): void;
}
