import * as vscode from "vscode";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { LOCAL_NETWORK_NAME } from "../../host/networks/network-settings.ts";
import { confirmModal, showProgress } from "../../host/prompts/notify.ts";
import { type LifeCommand, lives } from "./chain-life.ts";
import { ChainSection, type ViewOfRows } from "./chain-section.ts";
import { chooseFaults } from "./choose-faults.ts";
import { type FaultReport, setFaults } from "./fault-control.ts";
import { LocalChain, type LocalChainResult, type LocalChainServices } from "./local-chain.ts";

export type ChainCommand =
  | "finality.startLocalChain"
  | "finality.stopLocalChain"
  | "finality.localChainFaults"
  | LifeCommand;

/** The chain, its row, and its commands. */
export interface OpenedChain extends vscode.Disposable {
  readonly chain: LocalChain;
  readonly section: ChainSection;
  /** @param person - whether there is somebody to ask */
  run<Id extends ChainCommand>(id: Id, told: CommandArguments[Id], person: boolean): Promise<unknown>;
}

/** A part of its own: nobody needs it before somebody wants a local chain. */
export function openChain(services: LocalChainServices, view: ViewOfRows): OpenedChain {
  const chain = new LocalChain(services);
  const section = new ChainSection(services.networks, view);
  return {
    chain,
    section,
    run: async (id, told, person) => {
      const result = await acts[id](chain, told, person);
      void section.look();
      return result;
    },
    dispose: () => vscode.Disposable.from(section, chain).dispose(),
  };
}

type Act<Id extends ChainCommand> = (
  chain: LocalChain,
  told: CommandArguments[Id],
  person: boolean,
) => Thenable<unknown>;

const acts: { readonly [Id in ChainCommand]: Act<Id> } = {
  "finality.startLocalChain": start,
  "finality.stopLocalChain": (chain, { confirmed = false }) => stop(chain, confirmed),
  "finality.localChainFaults": faults,
  "finality.localChainMine": life("finality.localChainMine"),
  "finality.localChainWarp": life("finality.localChainWarp"),
  "finality.localChainSnapshot": life("finality.localChainSnapshot"),
  "finality.localChainRestore": life("finality.localChainRestore"),
  "finality.localChainReset": life("finality.localChainReset"),
};

/** Of the chain that runs, or of one that is started for it. Balances are other ones then. */
function life<Id extends LifeCommand>(id: Id): Act<Id> {
  return async (chain, told, person) => {
    const baseUrl = chain.baseUrl ?? (await start(chain)).baseUrl;
    const answer = await lives[id]({ chain, baseUrl, person }, told);
    if (answer !== undefined) void vscode.commands.executeCommand("finality.refreshAccounts");
    return answer;
  };
}

function start(chain: LocalChain): Thenable<LocalChainResult> {
  const place = { location: { viewId: "finality.transactions" }, title: vscode.l10n.t("Starting the local chain") };
  return showProgress(place, () => chain.start());
}

/** @returns undefined when the person changed their mind, or nothing ran */
async function stop(chain: LocalChain, confirmed: boolean): Promise<{ readonly network: string } | undefined> {
  if (!chain.isRunning) return undefined;
  const live = chain.isOurs && !confirmed ? (await chain.liveTransactions()).length : 0;
  if (live > 0 && !(await confirmStop(live))) return undefined;
  await chain.stop();
  return { network: LOCAL_NETWORK_NAME };
}

/** @returns undefined when the person left */
async function faults(
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
  return await confirmModal({ title: question, detail }, stopIt);
}
