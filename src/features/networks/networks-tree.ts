import * as vscode from "vscode";
import { markRows } from "../../host/caller.ts";
import type { Networks } from "../../host/networks/networks.ts";

/** Row of a network. Menu commands receive it as their argument and read `network`. */
interface NetworkNode {
  readonly kind: "network";
  readonly network: string;
}

/** The view of networks: the local chain while it runs, and the networks of the settings. */
export class NetworksTree implements vscode.TreeDataProvider<NetworkNode>, vscode.Disposable {
  readonly #networks: Networks;
  readonly #nodes = new Map<string, NetworkNode>();
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #subscription: vscode.Disposable;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(networks: Networks) {
    this.#networks = networks;
    this.#subscription = networks.onDidChange(() => this.#changed.fire(undefined));
  }

  getChildren(node?: NetworkNode): NetworkNode[] {
    return node === undefined ? markRows(this.#networks.list().map(({ name }) => this.#nodeOf(name))) : [];
  }

  async getTreeItem({ network: name }: NetworkNode): Promise<vscode.TreeItem> {
    const network = this.#networks.find(name);
    if (network === undefined) return new vscode.TreeItem(name);
    const { networkRow } = await import("./network.view.ts");
    const row = networkRow(network, this.#networks.active?.name);
    const item = new vscode.TreeItem(row.label);
    item.id = name;
    item.description = row.description;
    item.iconPath = new vscode.ThemeIcon(row.icon);
    item.contextValue = row.contextValue;
    item.accessibilityInformation = { label: row.spoken };
    item.tooltip = row.tooltip.join("\n");
    return item;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #nodeOf(network: string): NetworkNode {
    const node = this.#nodes.get(network) ?? { kind: "network", network };
    this.#nodes.set(network, node);
    return node;
  }
}
