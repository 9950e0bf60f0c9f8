import { defined } from "@finality/tron/primitives";
import * as vscode from "vscode";
import { markRows } from "../../host/caller.ts";
import type { ContractRow } from "./contract-rows.view.ts";

/** Element of the tree. Menu commands receive it as their argument. */
export type ContractNode = Pick<ContractRow, "id" | "kind" | "network" | "address" | "contract" | "function" | "txId">;

/** Rows of the Contracts view as a tree. An element stays the same object while its row exists. */
export class ContractsTree {
  readonly #rows: () => readonly ContractRow[];
  readonly #changed: (nodes: ContractNode[] | undefined) => void;
  readonly #nodes = new Map<string, ContractNode>();
  #known = new Map<string, ContractRow>();
  #top: readonly ContractRow[] = [];

  /** @param changed - called with the elements to draw again, or undefined for all */
  constructor(rows: () => readonly ContractRow[], changed: (nodes: ContractNode[] | undefined) => void) {
    this.#rows = rows;
    this.#changed = changed;
    this.#take();
  }

  getChildren(node?: ContractNode): ContractNode[] {
    const rows = node === undefined ? this.#top : (this.#known.get(node.id)?.children ?? []);
    return markRows(rows.map((row) => this.#nodeOf(row)));
  }

  getTreeItem(node: ContractNode): vscode.TreeItem {
    const row = this.#known.get(node.id);
    return row === undefined ? new vscode.TreeItem("") : itemOf(row, node);
  }

  /**
   * Draws the rows that changed, and the whole tree only if networks were added or removed. VS Code forgets an element
   * that it draws again, so a click in its menu at that moment would be lost.
   */
  refresh(): void {
    const before = this.#known;
    const top = this.#top;
    this.#take();
    if (idsOf(top) !== idsOf(this.#top)) {
      this.#changed(undefined);
      return;
    }
    const changed = [...this.#known.values()].flatMap((row) => {
      const node = this.#nodes.get(row.id);
      return node !== undefined && lookOf(row) !== lookOf(before.get(row.id)) ? [node] : [];
    });
    if (changed.length > 0) this.#changed(changed);
  }

  #take(): void {
    this.#top = this.#rows();
    this.#known = new Map(flat(this.#top).map((row) => [row.id, row]));
    for (const id of this.#nodes.keys()) if (!this.#known.has(id)) this.#nodes.delete(id);
  }

  #nodeOf(row: ContractRow): ContractNode {
    const known = this.#nodes.get(row.id);
    if (known !== undefined) return known;
    const { id, kind, network, address, contract, function: signature, txId } = row;
    const node = { id, kind, ...defined({ network, address, contract, function: signature, txId }) };
    this.#nodes.set(id, node);
    return node;
  }
}

function flat(rows: readonly ContractRow[]): readonly ContractRow[] {
  return rows.flatMap((row) => [row, ...flat(row.children ?? [])]);
}

function idsOf(rows: readonly ContractRow[] = []): string {
  return rows.map(({ id }) => id).join("\n");
}

function lookOf(row: ContractRow | undefined): string {
  return JSON.stringify(row === undefined ? "" : { ...row, children: row.children && idsOf(row.children) });
}

function itemOf(row: ContractRow, node: ContractNode): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const open = row.isExpanded === true ? Expanded : Collapsed;
  const item = new vscode.TreeItem(row.label, row.children === undefined ? None : open);
  item.id = row.id;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(
    row.icon,
    row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
  );
  item.contextValue = row.contextValue;
  // Plain text: names of contracts and functions become no links.
  item.tooltip = row.tooltip;
  item.accessibilityInformation = { label: row.spoken };
  if (row.command !== undefined) item.command = { command: row.command, title: row.label, arguments: [node] };
  return item;
}
