import * as vscode from "vscode";
import type { Address } from "../../core/primitives/address.ts";
import { AccountsTree } from "./accounts-tree.ts";
import { Balances } from "./balances.ts";
import type { CredentialCommand, CredentialServices } from "./services.ts";

/** The view Accounts, as others see it. */
export interface AccountsView extends vscode.Disposable {
  /** Reads the balances anew, if anybody is looking. */
  refreshBalances(): void;
}

/** Accounts with their balances, and the keys that sign for them and for requests. */
export function registerCredentials(services: CredentialServices): AccountsView {
  const { networks, gateways, keys, guests } = services;
  const accounts = () => keys.listOn(networks.active);
  const balances = new Balances({
    network: () => networks.active,
    addresses: () => accounts().map(({ address }) => address),
    gatewayFor: (network) => gateways.for(network),
  });
  const resources = (address: Address) => resourcesOf(services, address);
  const tree = new AccountsTree({ accounts, guests, resourcesOf: resources }, balances);
  const view = vscode.window.createTreeView("finality.accounts", { treeDataProvider: tree });
  const look = (): void => {
    guests.show(view.visible);
    if (view.visible) void balances.refresh();
  };
  const redraw = (): void => {
    tree.refresh();
    look();
  };
  const disposable = vscode.Disposable.from(
    ...[tree, view, balances],
    balances.onDidChange(() => {
      tree.refresh();
      view.message = balances.trouble ?? "";
    }),
    guests.onDidChange((row) => tree.refresh(row)),
    ...[keys.onDidChange(redraw), networks.onDidChange(redraw), view.onDidChangeVisibility(look)],
    registerCommands(services, balances),
  );
  look();
  return { refreshBalances: look, dispose: () => disposable.dispose() };
}

/** A tooltip is no place for an error: without an answer, it shows less. */
async function resourcesOf({ networks, gateways }: CredentialServices, address: Address) {
  const { active } = networks;
  if (active === undefined) return undefined;
  const gateway = await gateways.for(active);
  return gateway.accountResources(address).catch(() => undefined);
}

const LAZY = [
  "finality.generateSigningKey",
  "finality.importSigningKey",
  "finality.addWatchOnlyAddress",
  "finality.removeSigningKey",
  "finality.copyAddress",
  "finality.showBalance",
  "finality.createJwtKey",
  "finality.importJwtKey",
  "finality.setApiKey",
] as const satisfies readonly CredentialCommand[];

/** What the commands do is loaded with the first of them. */
function registerCommands(services: CredentialServices, balances: Balances): vscode.Disposable {
  const { registerCommand } = services;
  const lazily = <Id extends CredentialCommand>(id: Id): vscode.Disposable =>
    registerCommand(id, async (told, given) =>
      (await import("./commands.ts")).credentialCommands(services)[id](told, given),
    );
  return vscode.Disposable.from(
    registerCommand("finality.refreshAccounts", () => balances.refresh()),
    ...LAZY.map((id) => lazily(id)),
  );
}
