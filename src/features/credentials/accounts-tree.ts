import * as vscode from "vscode";
import type { AccountResources } from "../../core/gateway/gateway.ts";
import type { Address } from "../../core/primitives/address.ts";
import type { GuestRow, GuestRows } from "../../host/guest-rows.ts";
import type { SigningAccount } from "../../host/secrets/signing-keys.ts";
import { accountTooltip, type Balance, describeAccount, type TooltipLine } from "./account.view.ts";

/** A row. Commands of its menu get it as their argument: `address` is what they read. */
export interface AccountNode {
  readonly kind: "account";
  readonly address: Address;
}

export interface AccountSource {
  accounts(): readonly SigningAccount[];
  balanceOf(address: Address): Balance;
  /** Reads what an account may use; undefined when the network does not say. */
  resourcesOf(address: Address): Promise<AccountResources | undefined>;
  /** Rows of others, which come first. */
  readonly guests: GuestRows;
}

type Node = AccountNode | GuestRow;

/** The accounts of a person, with their balances on the active network. */
export class AccountsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #source: AccountSource;
  readonly #changed = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly #nodes = new Map<Address, AccountNode>();
  #shown: readonly Node[] = [];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(source: AccountSource) {
    this.#source = source;
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
    if (node !== undefined) return "item" in node ? [...node.children] : [];
    const rows = this.#rows();
    this.#shown = rows;
    return rows;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if ("item" in node) return node.item;
    const { address } = node;
    const account = this.#find(address);
    if (account === undefined) return new vscode.TreeItem(address);
    const row = describeAccount(account, this.#source.balanceOf(address));
    const item = new vscode.TreeItem(row.label);
    item.id = address;
    item.description = row.description;
    item.iconPath = new vscode.ThemeIcon(row.icon);
    item.contextValue = row.contextValue;
    item.accessibilityInformation = { label: row.spoken };
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if ("item" in node) return item;
    const { address } = node;
    const account = this.#find(address);
    if (account === undefined) return item;
    const balance = this.#source.balanceOf(address);
    const resources = balance.kind === "known" ? await this.#source.resourcesOf(address) : undefined;
    item.tooltip = toMarkdown(account.label, accountTooltip(account, balance, resources));
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
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

/** Labels are of people: they are appended as text and can never become links or commands. */
function toMarkdown(title: string, lines: readonly TooltipLine[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.appendMarkdown("**").appendText(title).appendMarkdown("**\n\n");
  for (const { name, value } of lines) markdown.appendMarkdown(`${name}: \`${value}\`  \n`);
  return markdown;
}
