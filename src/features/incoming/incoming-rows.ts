import * as vscode from "vscode";
import type { ContributedRow } from "../../host/contributed-rows.ts";
import {
  describePayment,
  describeWatch,
  type IncomingContext,
  type IncomingRow,
  type IncomingState,
  incomingLabel,
} from "./incoming.view.ts";

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
const PAYMENTS_SHOWN = 100;
/** Above this number of changed rows the whole list is redrawn. */
const ROWS_ALONE = 10;

/** Provides the watches as rows, and redraws them when their text changes. */
export class IncomingRows {
  readonly #draw: DrawRows;
  readonly #root: DrawnRow = { kind: "incoming", item: new vscode.TreeItem(""), children: [] };
  readonly #rows = new Map<string, WatchRow>();

  constructor(draw: DrawRows) {
    this.#draw = draw;
  }

  show(states: readonly IncomingState[], context: IncomingContext): void {
    const before = this.#root.children.length;
    const changed = states
      .filter((it) => this.#update(it, context))
      .flatMap(({ standing }) => this.#rows.get(standing.watch.id) ?? []);
    this.#root.children = states.flatMap(({ standing }) => this.#rows.get(standing.watch.id) ?? []);
    this.#root.item = rootItem(states);
    if (before === 0 || states.length === 0) this.#draw(states.length === 0 ? [] : [this.#root]);
    else if (before !== states.length || changed.length > ROWS_ALONE) this.#draw([this.#root], this.#root);
    else for (const row of changed) this.#draw([this.#root], row);
  }

  /** @returns whether its text changed */
  #update(state: IncomingState, context: IncomingContext): boolean {
    const { id } = state.standing.watch;
    const { tooltip, ...look } = describeWatch(state, context);
    const shown = state.payments.slice(-PAYMENTS_SHOWN).reverse();
    const payments = shown.map((it) => ({
      txId: it.payment.txId,
      path: it.payment.path,
      address: it.payment.from,
      row: describePayment(it, { ...context, symbol: state.symbol }),
    }));
    const drawn = JSON.stringify([look, payments.map(({ row }) => [row.label, row.description])]);
    const row = this.#rows.get(id) ?? {
      kind: "incoming-watch",
      id,
      item: new vscode.TreeItem(""),
      children: [],
      drawn: "",
    };
    this.#rows.set(id, row);
    if (row.drawn === drawn) return false;
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    row.drawn = drawn;
    row.item = itemOf(`incoming ${id}`, { ...look, tooltip }, payments.length === 0 ? None : Collapsed);
    row.children = payments.map(({ txId, path, address, row }) => ({
      kind: "incoming-payment",
      txId,
      address,
      network: state.network,
      item: itemOf(`incoming ${id} ${txId} ${path}`, row),
      children: [],
    }));
    return true;
  }
}

function rootItem(states: readonly IncomingState[]): vscode.TreeItem {
  const item = new vscode.TreeItem(incomingLabel(states), vscode.TreeItemCollapsibleState.Expanded);
  item.id = "group incoming";
  item.contextValue = "group.incoming";
  return item;
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
