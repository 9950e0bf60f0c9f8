import type { Address, TxId } from "@finality/tron/primitives";
import * as vscode from "vscode";
import type { ContributedRow } from "../../host/contributed-rows.ts";
import type { IncomingRow } from "./incoming.view.ts";

/** Reports which rows exist, or which single row changed. */
export type DrawRows = (all: readonly ContributedRow[], row?: ContributedRow) => void;

/** Reuses the row object, so that the view refreshes it. */
interface DrawnRow extends ContributedRow {
  item: vscode.TreeItem;
  children: readonly ContributedRow[];
}

interface WatchRow extends DrawnRow {
  /** Argument of the commands in the row's menu. */
  readonly id: string;
  drawn: string;
}

/** Maximum number of rows; longer lists are available by export. */
const ITEMS_SHOWN = 100;
/** Above this number of changed rows the whole list is redrawn. */
const ROWS_ALONE = 10;

/** Payment or event below its watch. */
interface ShownItem {
  readonly txId: TxId;
  /** Position in the transaction. */
  readonly path: string;
  /** Argument of the commands in the row's menu. */
  readonly address: Address;
  readonly row: IncomingRow;
}

/** Watch with what it found, the oldest first. Only the newest items are described. */
export interface ShownWatch<T> {
  readonly id: string;
  readonly network: string;
  readonly row: IncomingRow;
  readonly items: readonly T[];
  readonly describe: (item: T) => ShownItem;
}

/** Kind of the watches: its rows, and their context values. */
type WatchKind = "incoming" | "events";

/** Provides watches as rows, and redraws them when their text changes. */
export class WatchRows {
  readonly #draw: DrawRows;
  readonly #kind: WatchKind;
  readonly #root: DrawnRow;
  readonly #rows = new Map<string, WatchRow>();

  constructor(kind: WatchKind, draw: DrawRows) {
    this.#kind = kind;
    this.#draw = draw;
    this.#root = { kind, item: new vscode.TreeItem(""), children: [] };
  }

  show<T>(label: string, watches: readonly ShownWatch<T>[]): void {
    const before = this.#root.children.length;
    const changed = watches.filter((it) => this.#update(it)).flatMap(({ id }) => this.#rows.get(id) ?? []);
    this.#root.children = watches.flatMap(({ id }) => this.#rows.get(id) ?? []);
    this.#root.item = this.#rootItem(label);
    if (before === 0 || watches.length === 0) this.#draw(watches.length === 0 ? [] : [this.#root]);
    else if (before !== watches.length || changed.length > ROWS_ALONE) this.#draw([this.#root], this.#root);
    else for (const row of changed) this.#draw([this.#root], row);
  }

  /** @returns whether its text changed */
  #update<T>({ id, network, row: { tooltip, ...look }, items: all, describe }: ShownWatch<T>): boolean {
    const items = all.slice(-ITEMS_SHOWN).reverse().map(describe);
    const drawn = JSON.stringify([look, items.map(({ row }) => [row.label, row.description])]);
    const kind = this.#kind;
    const row = this.#rows.get(id) ?? {
      kind: `${kind}-watch`,
      id,
      item: new vscode.TreeItem(""),
      children: [],
      drawn: "",
    };
    this.#rows.set(id, row);
    if (row.drawn === drawn) return false;
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    row.drawn = drawn;
    row.item = itemOf(`${kind} ${id}`, { ...look, tooltip }, items.length === 0 ? None : Collapsed);
    row.children = items.map(({ txId, path, address, row }) => ({
      kind: `${kind}-item`,
      txId,
      address,
      network,
      item: itemOf(`${kind} ${id} ${txId} ${path}`, row),
      children: [],
    }));
    return true;
  }

  #rootItem(label: string): vscode.TreeItem {
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
    item.id = `group ${this.#kind}`;
    item.contextValue = this.#kind === "incoming" ? "group.incoming" : "group.events";
    return item;
  }
}

/** Plain-text tooltips stay plain text, so nothing in them becomes a link. */
function itemOf(id: string, row: IncomingRow, state = vscode.TreeItemCollapsibleState.None): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.id = id;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(
    row.icon,
    row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
  );
  item.contextValue = row.contextValue;
  item.tooltip = row.tooltip.join("\n");
  item.accessibilityInformation = { label: row.spoken };
  return item;
}
