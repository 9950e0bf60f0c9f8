import * as vscode from "vscode";
import type { Address } from "../../core/primitives/address.ts";
import { isCallOfProgram } from "../../host/command-arguments.ts";
import { AccountsTree } from "./accounts-tree.ts";
import { Balances } from "./balances.ts";
import { createJwtKey, importJwtKey, setApiKey } from "./jwt-key-commands.ts";
import type { CredentialServices } from "./services.ts";
import {
  addWatchOnlyAddress,
  copyAddress,
  generateSigningKey,
  importSigningKey,
  removeSigningKey,
} from "./signing-key-commands.ts";

/** The view Accounts, as others see it. */
export interface AccountsView extends vscode.Disposable {
  /** Reads the balances anew, if anybody is looking. */
  refreshBalances(): void;
}

/** Accounts with their balances, and the keys that sign for them and for requests. */
export function registerCredentials(services: CredentialServices): AccountsView {
  const { networks, gateways, keys } = services;
  const accounts = () => keys.listOn(networks.active);
  const balances = new Balances({
    network: () => networks.active,
    addresses: () => accounts().map(({ address }) => address),
    gatewayFor: (network) => gateways.for(network),
  });
  const tree = new AccountsTree({ accounts, resourcesOf: (address) => resourcesOf(services, address) }, balances);
  const view = vscode.window.createTreeView("finality.accounts", { treeDataProvider: tree });
  const look = (): void => {
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

function registerCommands(services: CredentialServices, balances: Balances): vscode.Disposable {
  const { registerCommand, keys } = services;
  return vscode.Disposable.from(
    registerCommand("finality.generateSigningKey", (told, given) =>
      generateSigningKey(keys, told, !isCallOfProgram(given)),
    ),
    registerCommand("finality.importSigningKey", (told) => importSigningKey(keys, told)),
    registerCommand("finality.addWatchOnlyAddress", (told) => addWatchOnlyAddress(keys, told)),
    registerCommand("finality.removeSigningKey", (told) => removeSigningKey(keys, told)),
    registerCommand("finality.copyAddress", (told) => copyAddress(keys, told)),
    registerCommand("finality.refreshAccounts", () => balances.refresh()),
    registerCommand("finality.createJwtKey", (told, given) => createJwtKey(services, told, !isCallOfProgram(given))),
    registerCommand("finality.importJwtKey", (told) => importJwtKey(services, told)),
    registerCommand("finality.setApiKey", (told) => setApiKey(services, told)),
  );
}
