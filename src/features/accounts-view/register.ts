import { hasStoredKey, isOwnAccount } from "@finality/client/labels";
import type { Address } from "@finality/tron/primitives";
import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll, setContext } from "../../host/commands/commands.ts";
import { lazyTree } from "../../host/lazy-tree.ts";
import type { SigningAccount } from "../../host/secrets/signing-keys.ts";
import type { Balance, DetailRow } from "./account.view.ts";
import type { AccountsTree } from "./accounts-tree.ts";
import type { Balances } from "./balances.ts";
import type { AccountsViewServices } from "./commands.ts";

type DetailRows = typeof import("./account-details.view.ts").detailRows;

/** Registers the view of accounts with their balances, and its commands. */
export function registerAccountsView(services: AccountsViewServices): vscode.Disposable {
  const { registerCommand, networks, gateways, keys, contributed, clock, transactions } = services;
  const accounts = () => keys.listActive(networks);
  let balances: Balances | undefined;
  let detailRows: DetailRows | undefined;
  /** Loaded when the view is first visible. */
  const open = lazy(async () => {
    const [{ Balances }, details] = await Promise.all([import("./balances.ts"), import("./account-details.view.ts")]);
    detailRows = details.detailRows;
    balances = new Balances({
      clock,
      // In Restricted Mode no request is sent unless a command asks for it.
      network: () => (vscode.workspace.isTrusted ? networks.active : undefined),
      addresses: () => accounts().map(({ address }) => address),
      gatewayFor: (network) => gateways.for(network),
      isOpen: (address) => tree?.isOpen(address) === true,
      isWatched: () => view.visible,
      changed: () => {
        tree?.refresh();
        view.message = balances?.issue ?? "";
      },
    });
    return balances;
  });
  const refresh = async (cancelled?: AbortSignal) => (await open()).refresh(cancelled);
  const part = lazy(async () => (await import("./commands.ts")).createAccountCommands(services, refresh));
  const resources = (address: Address) => resourcesOf(services, address);
  const balanceOf = (address: Address): Balance => balances?.of(address) ?? { kind: "unknown" };
  const detailsOf = (address: Address) => rowsBelow(services, detailRows, balanceOf(address));
  const opened = (address: Address): void => void open().then((it) => it.opened(address));
  let tree: AccountsTree | undefined;
  const provider = lazyTree(
    lazy(async () => {
      const { AccountsTree } = await import("./accounts-tree.ts");
      tree = new AccountsTree({ accounts, contributed, resourcesOf: resources, balanceOf, detailsOf, opened });
      return tree;
    }),
  );
  const view = vscode.window.createTreeView("finality.accounts", { treeDataProvider: provider });
  const look = (): void => {
    contributed.show(view.visible);
    if (view.visible || balances !== undefined) void open().then((it) => it.look());
  };
  const redraw = (): void => {
    setAccountContextKeys(keys.list(), networks.list().length > 0 ? keys.listOn(networks.active) : []);
    tree?.refresh();
    look();
  };
  const disposable = vscode.Disposable.from(
    provider,
    view,
    contributed.onDidChange((row) => tree?.refresh(row)),
    vscode.workspace.onDidGrantWorkspaceTrust(redraw),
    keys.onDidChange(redraw),
    networks.onDidChange(redraw),
    view.onDidChangeVisibility(look),
    view.onDidCollapseElement(({ element }) => tree?.closed(element)),
    // Reloads the balances that moved, if the view is visible.
    transactions.onDidChange((txIds) => {
      balances?.transactionsChanged(txIds.flatMap((txId) => transactions.get(txId) ?? []));
    }),
    registerAll(registerCommand, "accountsView", part),
    { dispose: () => balances?.dispose() },
  );
  redraw();
  return disposable;
}

/**
 * Sets the context keys of the commands that need an account.
 *
 * @param onActive - Accounts of the active network, or all accounts.
 */
function setAccountContextKeys(accounts: readonly SigningAccount[], onActive: readonly SigningAccount[] = []): void {
  const withKey = accounts.filter(hasStoredKey);
  setContext("finality.hasAccount", accounts.length > 0);
  setContext("finality.hasKey", withKey.length > 0);
  setContext(
    "finality.hasOwnKey",
    accounts.some((it) => !it.watchOnly && isOwnAccount(it)),
  );
  setContext(
    "finality.canSign",
    onActive.some(({ watchOnly }) => !watchOnly),
  );
}

function rowsBelow(
  services: AccountsViewServices,
  detailRows: DetailRows | undefined,
  balance: Balance,
): readonly DetailRow[] {
  const { keys, networks } = services;
  if (detailRows === undefined || balance.kind !== "known") return [];
  const network = networks.active?.name ?? "";
  return detailRows({ ...balance, network, nameOf: (it) => keys.nameOf(it) });
}

/** A failed request shortens the tooltip instead of showing an error there. */
async function resourcesOf({ networks, gateways }: AccountsViewServices, address: Address) {
  const { active } = networks;
  if (active === undefined || !vscode.workspace.isTrusted) return undefined;
  const gateway = await gateways.for(active);
  return gateway.accountResources(address).catch(() => undefined);
}
