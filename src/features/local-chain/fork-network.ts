import type { NetworkProfile } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram } from "../../host/caller.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { confirmForProgram, confirmModal, showWork } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import type { LocalChain, LocalChainResult } from "./local-chain.ts";

type ForkItem = vscode.QuickPickItem & {
  readonly network?: NetworkProfile;
  readonly command?: "add" | "unfork";
};

/**
 * Starts a fork of a network in place of the local chain. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` if the network is the local chain
 */
export async function forkNetwork(
  chain: LocalChain,
  networks: Networks,
  name: string | undefined,
): Promise<LocalChainResult | undefined> {
  const chosen: ForkItem | undefined =
    name === undefined ? await pickNetwork(chain, networks) : { label: name, network: networks.get(name) };
  if (chosen?.command === "add") await vscode.commands.executeCommand("finality.addNetwork");
  if (chosen === undefined || chosen.command === "add") return undefined;
  const { network } = chosen;
  if (network?.local === true) {
    const reason = t`the local chain cannot be a fork of itself`;
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "network", reason });
  }
  if (!(await (network === undefined ? confirmReturn() : confirmFork(network)))) return undefined;
  const title = network === undefined ? t`Starting the local chain` : t`Forking ${network.name}`;
  return await showWork("finality.transactions", title, () => chain.fork(network?.baseUrl));
}

async function pickNetwork(chain: LocalChain, networks: Networks): Promise<ForkItem | undefined> {
  const forkedFrom = await chain.forkedFrom();
  const others = networks.list().filter(({ local }) => !local);
  const items: readonly ForkItem[] = [
    ...(forkedFrom === undefined
      ? []
      : [{ label: t`$(discard) Local Chain Without a Fork`, description: forkedFrom, command: "unfork" as const }]),
    ...others.map((network) => ({ label: network.name, description: network.baseUrl, network })),
    { label: t`$(add) Add Network…`, command: "add" },
  ];
  return await quickPick(items, {
    title: t`Fork Network Locally`,
    placeHolder: t`Which network should the local chain be a fork of?`,
    matchOnDescription: true,
  });
}

async function confirmFork({ name, baseUrl }: NetworkProfile): Promise<boolean> {
  const title = t`Fork ${name} locally?`;
  const reads = t`The local chain starts again at the head of ${name}, and reads code, storage and accounts from ${baseUrl} when they are needed, without credentials. Its transactions are not valid on ${name}.`;
  const stored = t`The present local chain is stored, and comes back with “Local Chain Without a Fork”. A former fork is deleted.`;
  return await confirm({ title, detail: `${reads}\n\n${stored}` }, t`Fork Network`);
}

async function confirmReturn(): Promise<boolean> {
  const title = t`Go back to the local chain without a fork?`;
  const detail = t`The fork is deleted, with its accounts, contracts and transactions.`;
  return await confirm({ title, detail }, t`Delete Fork`);
}

async function confirm(
  question: { readonly title: string; readonly detail: string },
  button: string,
): Promise<boolean> {
  return await (calledByProgram() ? confirmForProgram : confirmModal)(question, button);
}
