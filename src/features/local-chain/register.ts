import * as vscode from "vscode";
import type { RegisterCommand } from "../../host/commands.ts";
import { LOCAL_NETWORK_NAME } from "../../host/network-settings.ts";
import type { LocalChain } from "./local-chain.ts";

/** Start and stop the embedded chain. It is loaded and runs only when somebody wants it. */
export function registerLocalChain(chain: LocalChain, registerCommand: RegisterCommand): vscode.Disposable {
  return vscode.Disposable.from(
    chain,
    registerCommand("finality.startLocalChain", () =>
      whileWorking(vscode.l10n.t("Starting the local chain"), () => chain.start()),
    ),
    registerCommand("finality.stopLocalChain", ({ confirmed = false }) => stop(chain, confirmed)),
  );
}

/** @returns undefined when the person changed their mind, or nothing ran */
async function stop(chain: LocalChain, confirmed: boolean): Promise<{ readonly network: string } | undefined> {
  if (!chain.isRunning) return undefined;
  const live = chain.isOurs && !confirmed ? (await chain.liveTransactions()).length : 0;
  if (live > 0 && !(await confirmStop(live))) return undefined;
  await chain.stop();
  return { network: LOCAL_NETWORK_NAME };
}

async function confirmStop(live: number): Promise<boolean> {
  const stopIt = vscode.l10n.t("Stop Local Chain");
  const question = vscode.l10n.t("Stop the local chain?");
  const detail = vscode.l10n.t(
    "Its state is gone then. Transactions that are not final yet: {0}. They leave the list, and the journal keeps them.",
    live,
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, stopIt)) === stopIt;
}

function whileWorking<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId: "finality.transactions" }, title }, work);
}
