import type { AccountResources } from "@finality/client/gateway";
import { type Address, defined } from "@finality/tron/primitives";
import * as vscode from "vscode";
import { markRows } from "../../host/caller.ts";
import type { ContributedRow, ContributedRows } from "../../host/contributed-rows.ts";
import type { SigningAccount } from "../../host/secrets/signing-keys.ts";
import {
  type Balance,
  type DetailArgument,
  type DetailRow,
  describeAccount,
  type TooltipLine,
} from "./account.view.ts";

/** Row of an account. Menu commands receive it as their argument and read the field that they know. */
interface AccountNode {
  readonly kind: "account";
  readonly address: Address;
  readonly from: Address;
  readonly account: Address;
}

/** Row of an account detail. Menu commands receive it as their argument. */
interface DetailNode extends DetailArgument {
  readonly kind: "detail";
  /** Account of the row, which pays and signs. */
  readonly from: Address;
  /** ID of the row. The row object is replaced after each refresh. */
  readonly id: string;
}

interface AccountSource {
  accounts(): readonly SigningAccount[];
  balanceOf(address: Address): Balance;
  /** Returns the rows below an expanded account, as far as they are loaded. */
  detailsOf(address: Address): readonly DetailRow[];
  /** Called when the user expands an account. */
  opened(address: Address): void;
  /** Loads the resources of an account. Returns undefined if the gateway does not report them. */
  resourcesOf(address: Address): Promise<AccountResources | undefined>;
  /** Rows of other features, shown first. */
  readonly contributed: ContributedRows;
}

type Node = AccountNode | DetailNode | ContributedRow;

/** Accounts of the user with their balances on the active network. */
export class AccountsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #source: AccountSource;
  readonly #changed = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly #nodes = new Map<Address, AccountNode>();
  readonly #details = new Map<string, DetailNode>();
  readonly #open = new Set<Address>();
  /** Rendered content of each account and of each row below it, to find changes. */
  readonly #rendered = new Map<Node, string>();
  #shown: readonly Node[] = [];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(source: AccountSource) {
    this.#source = source;
  }

  /** Returns whether the account is expanded. VS Code also requests the children of expanded rows after a redraw. */
  isOpen(address: Address): boolean {
    return this.#open.has(address);
  }

  closed(node: Node): void {
    if (isAccount(node)) this.#open.delete(node.address);
  }

  /**
   * Redraws the rows that changed, and the whole tree only if rows were added or removed. VS Code forgets a row that
   * it redraws, so a click in its menu at that moment would reach a command without the account.
   *
   * @param row - The row that changed, if no other row did.
   */
  refresh(row?: ContributedRow): void {
    const rows = this.#rows();
    const isSame = rows.length === this.#shown.length && rows.every((it, at) => it === this.#shown[at]);
    const changed = row === undefined ? rows.flatMap((it) => this.#changedIn(it)) : [row];
    if (row === undefined && !isSame) this.#changed.fire(undefined);
    else if (changed.length > 0) this.#changed.fire(row ?? changed);
  }

  /**
   * Returns the account if it or the list of rows below it changed, else the changed rows. Contributed rows are
   * returned as they are, because their contributors own the content.
   */
  #changedIn(node: Node): readonly Node[] {
    const account = isAccount(node) && this.#find(node.address);
    if (!isAccount(node) || !account) return [node];
    const { address } = node;
    const below = this.#open.has(address) ? withChildren(this.#source.detailsOf(address)) : [];
    const shown = describeAccount(account, this.#source.balanceOf(address));
    const isNew = this.#isChanged(node, JSON.stringify([shown, below.map(({ id, argument }) => [id, argument])]));
    const changed = below
      .map(({ children: _, ...row }) => [this.#detailNode(address, row), JSON.stringify(row)] as const)
      .filter(([detail, look]) => this.#isChanged(detail, look))
      .map(([detail]) => detail);
    return isNew ? [node] : changed;
  }

  #isChanged(node: Node, rendered: string): boolean {
    const isNew = this.#rendered.get(node) !== rendered;
    this.#rendered.set(node, rendered);
    return isNew;
  }

  getChildren(node?: Node): Node[] {
    return markRows(this.#children(node));
  }

  #children(node?: Node): Node[] {
    if (node === undefined) return this.#allRows();
    if ("item" in node) return [...node.children];
    const { from } = node;
    const below = isAccount(node) ? this.#detailsOf(from) : (this.#rowOf(node)?.children ?? []);
    return below.map((row) => this.#detailNode(from, row));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if ("item" in node) return node.item;
    if (!isAccount(node)) return this.#detailItem(node);
    const { address } = node;
    const account = this.#find(address);
    if (account === undefined) return new vscode.TreeItem(address);
    const balance = this.#source.balanceOf(address);
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    const item = itemOf(describeAccount(account, balance), balance.kind === "not-activated" ? None : Collapsed);
    item.id = address;
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if ("item" in node) return item;
    const account = this.#find(node.from);
    if (account === undefined) return item;
    if (!isAccount(node)) {
      const row = this.#rowOf(node);
      if (row !== undefined) item.tooltip = await tooltipOf(row.label, row.tooltip);
      return item;
    }
    const { address } = node;
    const balance = this.#source.balanceOf(address);
    const resources = balance.kind === "known" ? await this.#source.resourcesOf(address) : undefined;
    const { accountTooltip } = await import("./account-details.view.ts");
    item.tooltip = await tooltipOf(account.label, accountTooltip(account, balance, resources));
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #allRows(): Node[] {
    const rows = this.#rows();
    this.#shown = rows;
    return rows;
  }

  #detailsOf(address: Address): readonly DetailRow[] {
    const isNew = !this.#open.has(address);
    this.#open.add(address);
    if (isNew) this.#source.opened(address);
    return this.#source.detailsOf(address);
  }

  #rowOf({ from, id }: DetailNode): DetailRow | undefined {
    return withChildren(this.#source.detailsOf(from)).find((it) => it.id === id);
  }

  /** A row with other values for its menu is another node, so that no menu acts on former values. */
  #detailNode(from: Address, { id, argument }: DetailRow): DetailNode {
    const key = JSON.stringify([from, id, argument]);
    const node = this.#details.get(key) ?? { ...argument, kind: "detail", from, id };
    this.#details.set(key, node);
    return node;
  }

  /** Returns the item of a detail; its row may have disappeared while it was rendered. */
  #detailItem(node: DetailNode): vscode.TreeItem {
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    const row = this.#rowOf(node);
    if (row === undefined) return new vscode.TreeItem(node.id);
    const canSign = this.#find(node.from)?.watchOnly === false ? "+signs" : "";
    const contextValue = row.menu === undefined ? undefined : `detail.${row.menu}${canSign}`;
    const item = itemOf({ ...row, ...defined({ contextValue }) }, (row.children ?? []).length > 0 ? Collapsed : None);
    item.id = `${node.from}/${node.id}`;
    return item;
  }

  #rows(): Node[] {
    const { contributed, accounts } = this.#source;
    return [...contributed.list(), ...accounts().map(({ address }) => this.#nodeOf(address))];
  }

  #find(address: Address): SigningAccount | undefined {
    return this.#source.accounts().find((it) => it.address === address);
  }

  #nodeOf(address: Address): AccountNode {
    const node = this.#nodes.get(address) ?? { kind: "account", address, from: address, account: address };
    this.#nodes.set(address, node);
    return node;
  }
}

function isAccount(node: Node): node is AccountNode {
  return node.kind === "account";
}

interface AccountRow {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly contextValue?: string;
  readonly spoken: string;
}

function itemOf(row: AccountRow, collapsible: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, collapsible);
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(row.icon);
  if (row.contextValue !== undefined) item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  return item;
}

function withChildren(rows: readonly DetailRow[]): readonly DetailRow[] {
  return rows.flatMap((it) => [it, ...(it.children ?? [])]);
}

async function tooltipOf(title: string, lines: readonly TooltipLine[]): Promise<vscode.MarkdownString> {
  const { tooltipText } = await import("./account-details.view.ts");
  return new vscode.MarkdownString(tooltipText(title, lines));
}
