import type { ReasonOf } from "@finality/client/explain";
import type { TrackedTransaction } from "@finality/client/tracking";
import { formatTime, type NameOf, startOfDay } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import * as vscode from "vscode";
import { markRows } from "../../host/caller.ts";
import type { ContributedRow, ContributedRows } from "../../host/contributed-rows.ts";
import { type GroupKind, groupTransactions, type TransactionGroup } from "./groups.view.ts";
import type { Fact, ViewContext } from "./transaction.view.ts";

/** Node of the tree. Commands receive rows of transactions as their argument and read the txID. */
export type TreeNode =
  | GroupNode
  | TransactionNode
  | { readonly kind: "fact"; readonly txId: TxId; readonly fact: Fact };

type Node = TreeNode | ContributedRow;

export interface GroupNode {
  readonly kind: "group";
  readonly group: GroupKind;
}

export interface TransactionNode {
  readonly kind: "transaction";
  readonly txId: TxId;
}

/** Transactions that the tree shows. */
export interface TransactionSource {
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
  readonly reasonOf: ReasonOf;
  /** Rows of other features. */
  readonly contributed: Pick<ContributedRows, "list">;
}

/** Tree of transactions. It stores what it rendered last, so that only changed rows are redrawn. */
export class TransactionsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #source: TransactionSource;
  readonly #options: TreeOptions;
  readonly #context: ViewContext;
  readonly #changed = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly #nodes = new Map<TxId, TransactionNode>();
  readonly #groupNodes = new Map<GroupKind, GroupNode>();
  #groups: readonly TransactionGroup[] = [];

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
    const before = this.#groups;
    this.#regroup();
    if (txIds === undefined || kinds(this.#groups) !== kinds(before)) {
      this.#changed.fire(undefined);
      return;
    }
    const moved = this.#groups.filter((group, at) => members(group) !== members(before[at]));
    const redrawn = new Set(moved.flatMap(({ transactions }) => transactions.map((it) => it.txId)));
    const rows = txIds.filter((txId) => !redrawn.has(txId)).flatMap((txId) => this.#nodes.get(txId) ?? []);
    const nodes = [...moved.map(({ kind }) => this.#groupNode(kind)), ...rows];
    if (nodes.length > 0) this.#changed.fire(nodes);
  }

  /** Redraws the rows of another feature. @param row - The row that changed, if no other did. */
  refreshContributed(row: ContributedRow | undefined): void {
    this.#changed.fire(row);
  }

  /** Number of transactions that need an action. */
  get needingYou(): number {
    return this.#groups.find((it) => it.kind === "needs-you")?.transactions.length ?? 0;
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
        return this.#group(node.group)?.transactions.map(({ txId }) => this.nodeOf(txId)) ?? [];
      case "transaction":
        return await this.#facts(node.txId);
      case "fact":
        return [];
    }
  }

  getParent(node: Node): TreeNode | undefined {
    if (isContributed(node)) return undefined;
    switch (node.kind) {
      case "group":
        return undefined;
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
    const { groupItem, factItem, transactionItem } = await rows();
    switch (node.kind) {
      case "group":
        return groupItem(node.group, this.#group(node.group));
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
    return [...rows.slice(0, at), ...this.#options.contributed.list(), ...rows.slice(at)];
  }

  #regroup(): void {
    const { now, sessionStart } = this.#options;
    this.#groups = groupTransactions(this.#source.list(), { startOfDay: startOfDay(now()), sessionStart });
  }

  #groupNode(group: GroupKind): GroupNode {
    const node = this.#groupNodes.get(group) ?? { kind: "group", group };
    this.#groupNodes.set(group, node);
    return node;
  }

  #group(kind: GroupKind): TransactionGroup | undefined {
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

/** Returns a key of the group's rows and their order. */
function members(group: TransactionGroup | undefined): string | undefined {
  return group?.transactions.map(({ txId }) => txId).join();
}
