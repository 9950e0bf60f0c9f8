import * as vscode from "vscode";
import type { Address } from "../../core/primitives/address.ts";
import { isCallOfProgram } from "../../host/call-of-program.ts";
import { AccountsTree } from "./accounts-tree.ts";
import { Balances } from "./balances.ts";
import type { CredentialServices } from "./services.ts";

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

/** What the commands do, loaded with the first of them. */
const commands = () => import("./commands.ts");

function registerCommands(services: CredentialServices, balances: Balances): vscode.Disposable {
  const { registerCommand, keys } = services;
  return vscode.Disposable.from(
    registerCommand("finality.generateSigningKey", async (told, given) =>
      (await commands()).generateSigningKey(keys, told, !isCallOfProgram(given)),
    ),
    registerCommand("finality.importSigningKey", async (told) => (await commands()).importSigningKey(keys, told)),
    registerCommand("finality.addWatchOnlyAddress", async (told) => (await commands()).addWatchOnlyAddress(keys, told)),
    registerCommand("finality.removeSigningKey", async (told) => (await commands()).removeSigningKey(keys, told)),
    registerCommand("finality.copyAddress", async (told) => (await commands()).copyAddress(keys, told)),
    registerCommand("finality.refreshAccounts", () => balances.refresh()),
    registerCommand("finality.createJwtKey", async (told, given) =>
      (await commands()).createJwtKey(services, told, !isCallOfProgram(given)),
    ),
    registerCommand("finality.importJwtKey", async (told) => (await commands()).importJwtKey(services, told)),
    registerCommand("finality.setApiKey", async (told) => (await commands()).setApiKey(services, told)),
  );
}
