import * as vscode from "vscode";
import type { CommandArguments } from "../../host/command-shapes.ts";
import { LOCAL_NETWORK_NAME } from "../../host/network-settings.ts";
import { chooseFaults } from "./choose-faults.ts";
import { type FaultReport, setFaults } from "./fault-control.ts";
import { LocalChain, type LocalChainResult, type LocalChainServices } from "./local-chain.ts";

/** A part of its own: nobody needs it before somebody wants a local chain. */
export function createLocalChain(services: LocalChainServices): LocalChain {
  return new LocalChain(services);
}

export function start(chain: LocalChain): Thenable<LocalChainResult> {
  const place = { location: { viewId: "finality.transactions" }, title: vscode.l10n.t("Starting the local chain") };
  return vscode.window.withProgress(place, () => chain.start());
}

/** @returns undefined when the person changed their mind, or nothing ran */
export async function stop(chain: LocalChain, confirmed: boolean): Promise<{ readonly network: string } | undefined> {
  if (!chain.isRunning) return undefined;
  const live = chain.isOurs && !confirmed ? (await chain.liveTransactions()).length : 0;
  if (live > 0 && !(await confirmStop(live))) return undefined;
  await chain.stop();
  return { network: LOCAL_NETWORK_NAME };
}

/** @returns undefined when the person left */
export async function faults(
  chain: LocalChain,
  { faults: list, seed }: CommandArguments["finality.localChainFaults"],
): Promise<FaultReport | undefined> {
  const baseUrl = chain.baseUrl ?? (await start(chain)).baseUrl;
  return list === undefined ? chooseFaults(baseUrl) : setFaults(baseUrl, list, seed);
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
