import { type CheckResult, failuresFirst, type NetworkProfile } from "@finality/client/gateway";
import { isChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram, isCallOfProgram, mayBeProgram } from "../../host/caller.ts";
import type { Commands } from "../../host/commands/commands.ts";
import type { CommandId } from "../../host/contributions.ts";
import type { GatewayTest } from "../../host/networks/lazy-gateway.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { confirmForProgram, confirmModal, type ModalContent, whileWorking } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { ConnectionPanels } from "./connection-panel.ts";
import { addNetwork, editNetwork, type NetworkServices, removeNetwork, setClientCertificate } from "./edit-networks.ts";
import { importNetworks } from "./import-networks.ts";
import { chainResult, describeNetwork } from "./network.view.ts";

interface NetworksPart extends vscode.Disposable {
  readonly commands: Commands<"networks">;
}

/** Creates the commands of networks. */
export function createNetworks(services: NetworkServices): NetworksPart {
  const tests = createConnectionTests(services);
  return {
    dispose: () => tests.dispose(),
    commands: {
      "finality.addNetwork": (argument) => addNetwork(services, argument),
      "finality.editNetwork": (argument) => editNetwork(services, argument),
      "finality.switchNetwork": ({ network }) => switchNetwork(services.networks, network),
      "finality.removeNetwork": (argument) => removeNetwork(services, argument),
      "finality.importNetworks": (argument, raw) => importNetworks(services, argument, raw),
      "finality.setClientCertificate": (argument, raw) =>
        setClientCertificate(services, argument, !isCallOfProgram(raw)),
      "finality.testConnection": ({ network }, raw) => tests.test(network, raw),
    },
  };
}

interface Item extends vscode.QuickPickItem {
  readonly network?: string;
  readonly command?: CommandId;
}

/** Changes the active network. Returns undefined if the user cancels. */
export async function switchNetwork(networks: Networks, name?: string): Promise<NetworkProfile | undefined> {
  const chosen = name ?? (await pickNetwork(networks));
  if (chosen === undefined) return undefined;
  const network = networks.get(chosen);
  const detail = `${network.baseUrl}${network.production ? `\n${t`It uses real money.`}` : ""}`;
  const isUnchanged = network.local || chosen === networks.active?.name;
  if (!isUnchanged && !(await confirmSwitch({ title: t`Use ${chosen} from now on?`, detail }))) return undefined;
  await networks.setActive(chosen);
  return network;
}

/** Asks if a program called, or may have: JSON can name a row of the view. */
async function confirmSwitch(question: ModalContent): Promise<boolean> {
  const use = t`Use It`;
  if (calledByProgram()) return await confirmForProgram(question, use);
  return !mayBeProgram() || (await confirmModal(question, use));
}

async function pickNetwork(networks: Networks): Promise<string | undefined> {
  const items: readonly Item[] = [
    ...networks.list().map((network) => ({
      ...describeNetwork(network, networks.active?.name),
      network: network.name,
    })),
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    ...(networks.local === undefined ? [START] : []),
    ADD,
    ...(mayImport() ? [IMPORT] : []),
  ];
  const title = t`Switch Network`;
  const picked = await quickPick(items, {
    title,
    placeHolder: t`Which network should be used?`,
    matchOnDetail: true,
  });
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
  return picked?.network;
}

/** Imports networks for the palette. Reads files of trusted folders only. */
function mayImport(): boolean {
  return vscode.workspace.isTrusted && (vscode.workspace.workspaceFolders ?? []).length > 0;
}

const START: Item = { label: t`$(play) Start Local Chain`, command: "finality.startLocalChain" };
const IMPORT: Item = { label: t`$(cloud-download) Import Networks…`, command: "finality.importNetworks" };
const ADD: Item = { label: t`$(add) Add Network…`, command: "finality.addNetwork" };

/** Creates the connection tests: with a page for users, without one for programs. */
interface ConnectionTests extends vscode.Disposable {
  /** @returns the check results, the likeliest cause first */
  test(name: string | undefined, raw: unknown): Promise<readonly CheckResult[]>;
}

function createConnectionTests(services: NetworkServices): ConnectionTests {
  const { networks, chains, extensionUri, now, masked } = services;
  const run = (network: NetworkProfile, how: GatewayTest) => testNetwork(services, network, how);
  const panels = new ConnectionPanels({
    extensionUri,
    now,
    masked,
    test: run,
    acceptChain: (network) => acceptChain(chains, network),
  });
  return {
    async test(name, raw) {
      const network = networks.get(name);
      const results = isCallOfProgram(raw)
        ? await whileWorking(t`Testing the connection to ${network.name}`, (signal) => run(network, { signal }))
        : await panels.test(network);
      return failuresFirst(results);
    },
    dispose: () => panels.dispose(),
  };
}

/** Identifies the chain behind each URL as soon as it answers. */
function testNetwork(
  { gateways, chains }: NetworkServices,
  network: NetworkProfile,
  how: GatewayTest,
): Promise<readonly CheckResult[]> {
  return gateways.test(network, { ...how, checkChain: () => checkChain(chains, network) });
}

async function checkChain(chains: NetworkServices["chains"], network: NetworkProfile): Promise<CheckResult> {
  try {
    return chainResult((await chains.askAgain(network)).chain);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { check: "chain", status: "failed", sentence: error.message };
  }
}

/** Asks the user to confirm a changed chain. Escape changes nothing. */
async function acceptChain(chains: NetworkServices["chains"], network: NetworkProfile): Promise<void> {
  const title = t`Accept the current chain of ${network.name}?`;
  if (await confirmModal({ title, detail: ACCEPT_DETAIL }, t`Accept`)) await chains.accept(network);
}

const ACCEPT_DETAIL = t`Do this only if you know why its chain changed, for example because a private chain was restarted or a gateway first reported a wrong one. Transactions signed for the earlier chain are no longer tracked here, but still block an equal payment.`;
