import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { notify, sayInStatusBar, showWork } from "../../host/prompts/notify.ts";
import type { CredentialServices } from "./services.ts";

const SAID_FOR_MS = 3_000;
const TRUST = { title: t`Manage Workspace Trust`, command: "workbench.trust.manage" };
const BALANCE = { title: t`Show Balance…`, command: "finality.showBalance" };

/**
 * Asks the balances of all accounts anew.
 *
 * @param tells - a person asked: the list may be closed, so the status bar says that it was done, or a notice why not
 * @throws {ChainError} `NETWORK_NOT_CHOSEN`
 */
export async function refreshAccounts(
  { keys, networks }: Pick<CredentialServices, "keys" | "networks">,
  refresh: () => Promise<void>,
  tells: boolean,
): Promise<void> {
  if (!tells) return await refresh();
  const network = networks.get();
  if (!vscode.workspace.isTrusted) {
    const message = t`Nothing was asked: in Restricted Mode the list asks no network. Show Balance asks for one account.`;
    const chosen = await notify("information", message, TRUST, BALANCE);
    if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command);
    return;
  }
  if (keys.listOn(network).length === 0) {
    await notify("information", t`Refresh Accounts: there is no account on ${network.name} yet.`);
    return;
  }
  await showWork("finality.accounts", t`Reading balances`, refresh);
  sayInStatusBar("check", t`Balances read from ${network.name}`, SAID_FOR_MS);
}
