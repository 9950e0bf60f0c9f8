import * as vscode from "vscode";
import type { AccountResources } from "../../core/gateway/gateway.ts";
import type { Address } from "../../core/primitives/address.ts";
import type { GuestRow, GuestRows } from "../../host/guest-rows.ts";
import type { SigningAccount } from "../../host/secrets/signing-keys.ts";
import { inlineCode, markdownText } from "../../words/forms/markdown.ts";
import { accountTooltip, type Balance, describeAccount, type TooltipLine } from "./account.view.ts";
import type { DetailRow } from "./detail-row.view.ts";

/** A row. Commands of its menu get it as their argument: `address` is what they read. */
export interface AccountNode {
  readonly kind: "account";
  readonly address: Address;
}

/** A row below an account. */
interface DetailNode {
  readonly kind: "detail";
  readonly address: Address;
  readonly row: DetailRow;
}

export interface AccountSource {
  accounts(): readonly SigningAccount[];
  balanceOf(address: Address): Balance;
  /** What stands below an account that is open, as far as it is known. */
  detailsOf(address: Address): readonly DetailRow[];
  /** Told that somebody opened an account. */
  opened(address: Address): void;
  /** Reads what an account may use; undefined when the network does not say. */
  resourcesOf(address: Address): Promise<AccountResources | undefined>;
  /** Rows of others, which come first. */
  readonly guests: GuestRows;
}

type Node = AccountNode | DetailNode | GuestRow;

/** The accounts of a person, with what they have on the active network. */
export class AccountsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #source: AccountSource;
  readonly #changed = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly #nodes = new Map<Address, AccountNode>();
  readonly #open = new Set<Address>();
  #shown: readonly Node[] = [];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(source: AccountSource) {
    this.#source = source;
  }

  /** Whether the rows below an account are asked for: a view that is drawn again opens rows by itself. */
  isOpen(address: Address): boolean {
    return this.#open.has(address);
  }

  closed(node: Node): void {
    if (isAccount(node)) this.#open.delete(node.address);
  }

  /**
   * Draws the rows again, and everything only when rows come or go: the editor forgets what it draws anew, and a click
   * in its menu at that moment would reach a command without the account.
   *
   * @param row - the one that changed, if no other did
   */
  refresh(row?: GuestRow): void {
    const rows = this.#rows();
    const isSame = rows.length === this.#shown.length && rows.every((it, at) => it === this.#shown[at]);
    this.#changed.fire(row ?? (isSame ? rows : undefined));
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return this.#allRows();
    if ("item" in node) return [...node.children];
    const { address } = node;
    return (isAccount(node) ? this.#detailsOf(address) : (node.row.children ?? [])).map((row) => ({
      kind: "detail",
      address,
      row,
    }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if ("item" in node) return node.item;
    if (!isAccount(node)) return detailItem(node);
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
    const { address } = node;
    const account = this.#find(address);
    if (account === undefined) return item;
    if (!isAccount(node)) {
      item.tooltip = toMarkdown(node.row.label, node.row.tooltip);
      return item;
    }
    const balance = this.#source.balanceOf(address);
    const resources = balance.kind === "known" ? await this.#source.resourcesOf(address) : undefined;
    item.tooltip = toMarkdown(account.label, accountTooltip(account, balance, resources));
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

  #rows(): Node[] {
    const { guests, accounts } = this.#source;
    return [...guests.list(), ...accounts().map(({ address }) => this.#nodeOf(address))];
  }

  #find(address: Address): SigningAccount | undefined {
    return this.#source.accounts().find((it) => it.address === address);
  }

  #nodeOf(address: Address): AccountNode {
    const node = this.#nodes.get(address) ?? { kind: "account", address };
    this.#nodes.set(address, node);
    return node;
  }
}

function isAccount(node: Node): node is AccountNode {
  return node.kind === "account";
}

interface Row {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly contextValue?: string;
  readonly spoken: string;
}

function itemOf(row: Row, collapsible: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, collapsible);
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(row.icon);
  if (row.contextValue !== undefined) item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  return item;
}

function detailItem({ address, row }: DetailNode): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = itemOf(row, (row.children ?? []).length > 0 ? Collapsed : None);
  item.id = `${address}/${row.id}`;
  return item;
}

/** Labels are of people, names of strangers: nothing of them can become a link or a command. */
function toMarkdown(title: string, lines: readonly TooltipLine[]): vscode.MarkdownString {
  const rows = lines.map(({ name, value }) => `${name}: ${inlineCode(value)}  \n`);
  return new vscode.MarkdownString(`**${markdownText(title)}**\n\n${rows.join("")}`);
}
