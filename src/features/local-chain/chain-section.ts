import * as vscode from "vscode";
import type { GuestRow } from "../../host/contributed-rows.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { type ChainStatus, readStatus } from "./chain-control.ts";
import { describeChain, describeParts, type SectionRow } from "./chain-section.view.ts";

/** Each change draws the rows anew, buttons included: not while a person is about to press one, if it can be helped. */
const SHORTEST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 5_000;

/** The view that shows the rows. */
export interface ViewOfRows {
  visible: boolean;
  readonly changed: vscode.EventEmitter<GuestRow | undefined>;
}

/** The row itself stays the same one: a view refreshes what it knows. */
interface Root extends GuestRow {
  item: vscode.TreeItem;
  children: readonly GuestRow[];
}

/** The local chain as a row of a view. It asks the chain only while somebody looks. */
export class ChainSection implements vscode.Disposable {
  readonly #networks: Networks;
  readonly #view: ViewOfRows;
  readonly #root: Root = { kind: "local-chain", item: new vscode.TreeItem(""), children: [] };
  readonly #following: vscode.Disposable;
  #shownFor: string | undefined;
  #drawn = "";
  #timer: NodeJS.Timeout | undefined;
  /** Only the newest look may draw. */
  #looks = 0;

  constructor(networks: Networks, view: ViewOfRows) {
    this.#networks = networks;
    this.#view = view;
    this.#following = networks.onDidChange(() => this.#follow());
    this.#follow();
  }

  list(): readonly GuestRow[] {
    return this.#shownFor === undefined ? [] : [this.#root];
  }

  /** Asks the chain how it stands, now and from time to time, as long as somebody looks. */
  async look(): Promise<void> {
    clearTimeout(this.#timer);
    const look = ++this.#looks;
    const baseUrl = this.#shownFor;
    if (baseUrl === undefined || !this.#view.visible) return;
    const status = await readStatus(baseUrl).catch(() => "silent" as const);
    if (look !== this.#looks) return;
    this.#draw(baseUrl, status);
    this.#timer = setTimeout(() => void this.look(), pauseAfter(status));
  }

  dispose(): void {
    this.#shownFor = undefined;
    this.#looks++;
    clearTimeout(this.#timer);
    this.#following.dispose();
  }

  /** The chain that runs is another one, or none. */
  #follow(): void {
    const baseUrl = this.#networks.local?.baseUrl;
    if (baseUrl === this.#shownFor) return;
    this.#shownFor = baseUrl;
    this.#drawn = "";
    if (baseUrl !== undefined) this.#draw(baseUrl, undefined);
    this.#view.changed.fire(undefined);
    void this.look();
  }

  #draw(baseUrl: string, status: ChainStatus | "silent" | undefined): void {
    const row = describeChain(status, baseUrl);
    const parts = typeof status === "object" ? describeParts(status) : [];
    const drawn = JSON.stringify([row, parts]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#root.item = itemOf(row, "local-chain", vscode.TreeItemCollapsibleState.Collapsed);
    this.#root.children = parts.map(({ snapshot, ...part }, index) => ({
      kind: "local-chain-part",
      item: itemOf(part, `local-chain ${index} ${part.label}`),
      children: [],
      ...(snapshot === undefined ? {} : { id: snapshot }),
    }));
    this.#view.changed.fire(this.#root);
  }
}

function pauseAfter(status: ChainStatus | "silent"): number {
  const wanted = status === "silent" || status.blockTimeMs === 0 ? LONGEST_PAUSE_MS : status.blockTimeMs;
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, wanted));
}

function itemOf(row: SectionRow, id: string, state = vscode.TreeItemCollapsibleState.None): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.id = id;
  item.description = row.description;
  item.tooltip = row.tooltip;
  item.iconPath = new vscode.ThemeIcon(row.icon);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  return item;
}
