import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type NextStep, notifyWithSteps } from "../../host/commands/show-error.ts";
import { sayDone, whileWorking } from "../../host/prompts/notify.ts";
import type { CredentialServices } from "./services.ts";
import { WAYS_TO_ACCOUNT } from "./show-balance.ts";

const WITHOUT_TRUST: readonly NextStep[] = [
  { title: t`Manage Workspace Trust`, command: "workbench.trust.manage" },
  { title: t`Show Balance…`, command: "finality.showBalance" },
];

/**
 * Asks the balances of all accounts anew.
 *
 * @param tells - a person asked: the list may be closed, so the status bar says that it was done, or a notice why not
 * @throws {ChainError} `NETWORK_NOT_CHOSEN`
 */
export async function refreshAccounts(
  { keys, networks }: Pick<CredentialServices, "keys" | "networks">,
  refresh: (cancelled?: AbortSignal) => Promise<void>,
  tells: boolean,
): Promise<void> {
  if (!tells) return await refresh();
  const network = networks.get();
  if (!vscode.workspace.isTrusted) {
    const message = t`Nothing was asked: in Restricted Mode the list asks no network. Show Balance asks for one account.`;
    void notifyWithSteps("information", message, WITHOUT_TRUST);
    return;
  }
  if (keys.listOn(network).length === 0) {
    const message = t`Refresh Accounts: there is no account on ${network.name} yet.`;
    void notifyWithSteps("information", message, WAYS_TO_ACCOUNT);
    return;
  }
  await whileWorking(t`Reading balances`, refresh, "finality.accounts");
  sayDone(t`Balances read from ${network.name}`);
}
