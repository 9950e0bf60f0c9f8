import type { ReasonOf } from "@finality/client/explain";
import type { FunctionNameOf } from "@finality/client/labels";
import type { TrackedTransaction } from "@finality/client/tracking";
import { formatTime, type NameOf, startOfDay } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import * as vscode from "vscode";
import { markRows } from "../../host/caller.ts";
import type { ContributedRow, ContributedRows } from "../../host/contributed-rows.ts";
import { attentionOf, type GroupTransactions, groupByAttention, type TransactionGroup } from "./groups.view.ts";
import type { Fact, NoteOf, ViewContext } from "./transaction.view.ts";

/** Node of the tree. Commands receive rows of transactions as their argument and read the txID. */
export type TreeNode =
  | GroupNode
  | TransactionNode
  | { readonly kind: "filter" }
  | { readonly kind: "more"; readonly group: string }
  | { readonly kind: "fact"; readonly txId: TxId; readonly fact: Fact };

type Node = TreeNode | ContributedRow;

export interface GroupNode {
  readonly kind: "group";
  readonly group: string;
}

export interface TransactionNode {
  readonly kind: "transaction";
  readonly txId: TxId;
}

/** Transactions that the tree shows. */
export interface TransactionSource {
  /** All transactions, newest first. */
  list(): readonly TrackedTransaction[];
  get(txId: TxId): TrackedTransaction | undefined;
}

/** Context of the tree: names of addresses, and local times. */
export interface TreeOptions {
  readonly nameOf: NameOf;
  readonly now: () => number;
  readonly sessionStart: number;
  readonly networkOf?: (tracked: TrackedTransaction) => string;
  readonly otherUrlsOf?: (tracked: TrackedTransaction) => readonly string[];
  readonly isLocal?: (tracked: TrackedTransaction) => boolean;
  readonly reasonOf: ReasonOf;
  readonly noteOf?: NoteOf;
  readonly functionOf?: FunctionNameOf;
  /** Rows of other features. */
  readonly contributed: Pick<ContributedRows, "list">;
}

/** Key of the grouping in the state of the workspace. */
export const GROUPING = "finality.transactions.grouping";

/** Filter of the tree. */
export interface ListFilter {
  readonly text: string;
  readonly matches: (tracked: TrackedTransaction) => boolean;
}

/** Rows of a group that are created at once: VS Code stays fast, whatever the length of the list. */
const PAGE = 200;
const FILTER = { kind: "filter" } as const;

/** Tree of transactions. It stores what it rendered last, so that only changed rows are redrawn. */
export class TransactionsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #source: TransactionSource;
  readonly #options: TreeOptions;
  #context: ViewContext;
  readonly #changed = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly #nodes = new Map<TxId, TransactionNode>();
  readonly #groupNodes = new Map<string, GroupNode>();
  /** Number of shown rows of groups with more than one page. */
  readonly #limits = new Map<string, number>();
  #groups: readonly TransactionGroup[] = [];
  #group: GroupTransactions = groupByAttention;
  #filter: ListFilter | undefined;
  #counts = { shown: 0, all: 0, needingYou: 0 };

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(source: TransactionSource, options: TreeOptions) {
    this.#source = source;
    this.#options = options;
    this.#context = { ...options, timeOf: (ms) => formatTime(ms, options.now()) };
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /**
   * Redraws changed rows, groups whose rows move, or everything if groups come or go. VS Code forgets a row that it
   * redraws, so a click in its menu at that moment would reach a command without the row.
   *
   * @param txIds - Undefined if any row may have changed, for example by a new name.
   */
  refresh(txIds?: readonly TxId[]): void {
    const [before, named] = [this.#groups, this.#context.namesNetworks];
    this.#regroup();
    if (txIds === undefined || kinds(this.#groups) !== kinds(before) || this.#context.namesNetworks !== named) {
      this.#changed.fire(undefined);
      return;
    }
    const moved = this.#groups.filter((group, at) => !isSameGroup(group, before[at]));
    const redrawn = new Set(moved.flatMap(({ transactions }) => transactions.map((it) => it.txId)));
    const rows = txIds.filter((txId) => !redrawn.has(txId)).flatMap((txId) => this.#nodes.get(txId) ?? []);
    const filter = this.#filter === undefined || moved.length === 0 ? [] : [FILTER];
    const nodes = [...filter, ...moved.map(({ kind }) => this.#groupNode(kind)), ...rows];
    if (nodes.length > 0) this.#changed.fire(nodes);
  }

  /** Changes the groups or the filter, and redraws everything. */
  arrange({ group, filter }: { readonly group?: GroupTransactions; readonly filter?: ListFilter | "none" }): void {
    if (group !== undefined) this.#group = group;
    if (filter !== undefined) this.#filter = filter === "none" ? undefined : filter;
    this.#limits.clear();
    this.refresh();
  }

  get filter(): ListFilter | undefined {
    return this.#filter;
  }

  /** Shows one more page of a group. Returns its first row. */
  showMore(kind: string): TransactionNode | undefined {
    const limit = this.#limitOf(kind);
    const next = this.#groupOf(kind)?.transactions[limit];
    if (next === undefined) return undefined;
    this.#limits.set(kind, limit + PAGE);
    this.#changed.fire(this.#groupNode(kind));
    return this.nodeOf(next.txId);
  }

  /** Shows as many rows of its group as are needed to reveal a transaction. Returns false if it is not in the list. */
  showUpTo(txId: TxId): boolean {
    for (const { kind, transactions } of this.#groups) {
      const index = transactions.findIndex((it) => it.txId === txId);
      if (index < 0) continue;
      if (index >= this.#limitOf(kind)) {
        this.#limits.set(kind, Math.ceil((index + 1) / PAGE) * PAGE);
        this.#changed.fire(this.#groupNode(kind));
      }
      return true;
    }
    return false;
  }

  /** Redraws the rows of another feature. @param row - The row that changed, if no other did. */
  refreshContributed(row: ContributedRow | undefined): void {
    this.#changed.fire(row);
  }

  /** Number of transactions that need an action, with those that the filter excludes. */
  get needingYou(): number {
    return this.#counts.needingYou;
  }

  /** Groups that the tree shows. */
  get groups(): readonly TransactionGroup[] {
    return this.#groups;
  }

  nodeOf(txId: TxId): TransactionNode {
    const known = this.#nodes.get(txId);
    if (known !== undefined) return known;
    const node: TransactionNode = { kind: "transaction", txId };
    this.#nodes.set(txId, node);
    return node;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    return markRows(await this.#children(node));
  }

  async #children(node?: Node): Promise<Node[]> {
    if (isContributed(node)) return [...node.children];
    switch (node?.kind) {
      case undefined:
        this.#regroup();
        return this.#roots();
      case "group":
        return this.#rowsOf(node.group);
      case "transaction":
        return await this.#facts(node.txId);
      case "fact":
      case "filter":
      case "more":
        return [];
    }
  }

  #rowsOf(kind: string): TreeNode[] {
    const { transactions } = this.#groupOf(kind) ?? { transactions: [] };
    const limit = this.#limitOf(kind);
    const rows = transactions.slice(0, limit).map(({ txId }) => this.nodeOf(txId));
    return transactions.length > limit ? [...rows, { kind: "more", group: kind }] : rows;
  }

  #limitOf(kind: string): number {
    return this.#limits.get(kind) ?? PAGE;
  }

  getParent(node: Node): TreeNode | undefined {
    if (isContributed(node)) return undefined;
    switch (node.kind) {
      case "group":
      case "filter":
        return undefined;
      case "more":
        return this.#groupNode(node.group);
      case "fact":
        return this.nodeOf(node.txId);
      case "transaction": {
        const group = this.#groups.find(({ transactions }) => transactions.some((it) => it.txId === node.txId));
        return group && this.#groupNode(group.kind);
      }
    }
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    if (isContributed(node)) return node.item;
    const { groupItem, factItem, filterItem, moreItem, transactionItem } = await rows();
    switch (node.kind) {
      case "filter":
        return filterItem(this.#filter?.text ?? "", this.#counts);
      case "more":
        return moreItem(node, { page: PAGE, left: this.#leftOf(node.group) });
      case "group":
        return groupItem(node.group, this.#groupOf(node.group));
      case "fact":
        return factItem(node.txId, node.fact);
      case "transaction": {
        const tracked = this.#source.get(node.txId);
        return tracked === undefined ? new vscode.TreeItem(node.txId) : transactionItem(tracked, this.#context);
      }
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    const tracked = isTransaction(node) ? this.#source.get(node.txId) : undefined;
    if (tracked !== undefined) item.tooltip = (await details()).tooltipOf(tracked, this.#context);
    return item;
  }

  /** Places contributed rows below the transactions in progress. */
  #roots(): Node[] {
    const rows = this.#groups.map(({ kind }) => this.#groupNode(kind));
    const settled = this.#groups.findIndex(({ kind }) => kind === "final" || kind === "older");
    const at = settled < 0 ? rows.length : settled;
    const filter = this.#filter === undefined ? [] : [FILTER];
    return [...filter, ...rows.slice(0, at), ...this.#options.contributed.list(), ...rows.slice(at)];
  }

  #regroup(): void {
    const { now, sessionStart, networkOf } = this.#options;
    const times = { startOfDay: startOfDay(now()), sessionStart };
    const all = this.#source.list().filter((it) => !it.hidden);
    const filter = this.#filter;
    const shown = filter === undefined ? all : all.filter((it) => filter.matches(it));
    const needingYou = all.filter((it) => attentionOf(it, times) === "needs-you").length;
    this.#counts = { shown: shown.length, all: all.length, needingYou };
    const namesNetworks = new Set(all.map((it) => networkOf?.(it) ?? it.network)).size > 1;
    this.#context = { ...this.#context, namesNetworks };
    this.#groups = this.#group(shown, times);
  }

  #leftOf(kind: string): number {
    return (this.#groupOf(kind)?.transactions.length ?? 0) - this.#limitOf(kind);
  }

  #groupNode(group: string): GroupNode {
    const node = this.#groupNodes.get(group) ?? { kind: "group", group };
    this.#groupNodes.set(group, node);
    return node;
  }

  #groupOf(kind: string): TransactionGroup | undefined {
    return this.#groups.find((it) => it.kind === kind);
  }

  async #facts(txId: TxId): Promise<TreeNode[]> {
    const { timelineOf } = await details();
    const tracked = this.#source.get(txId);
    const facts = tracked === undefined ? [] : timelineOf(tracked, this.#context);
    return facts.map((fact) => ({ kind: "fact", txId, fact }));
  }
}

/** Returns whether a node is the row of a transaction. */
export function isTransaction(node: Node): node is TransactionNode {
  return !isContributed(node) && node.kind === "transaction";
}

function isContributed(node: Node | undefined): node is ContributedRow {
  return node !== undefined && "item" in node;
}

function rows() {
  return import("./transaction-rows.ts");
}

/** Loads tooltips and details of rows on demand. */
function details() {
  return import("./transaction-rows.ts");
}

function kinds(groups: readonly TransactionGroup[]): string {
  return groups.map(({ kind }) => kind).join();
}

/** Returns whether a group shows the same rows in the same order. */
function isSameGroup(group: TransactionGroup, before: TransactionGroup | undefined): boolean {
  const { transactions, description } = group;
  return (
    before?.description === description &&
    before?.transactions.length === transactions.length &&
    transactions.every(({ txId }, at) => before.transactions[at]?.txId === txId)
  );
}
