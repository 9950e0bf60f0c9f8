import type { NetworkProfile } from "@finality/client/gateway";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import type { Commands } from "../../host/commands/commands.ts";
import type { CommandId } from "../../host/contributions.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { passProgram } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { addNetwork } from "./add-network.ts";
import { editNetwork, removeNetwork } from "./edit-network.ts";
import { importNetworks } from "./import-networks.ts";
import { describeNetwork } from "./network.view.ts";
import type { NetworkServices } from "./services.ts";
import { setClientCertificate } from "./set-client-certificate.ts";
import { createConnectionTests } from "./test-connection.ts";

interface NetworksPart extends vscode.Disposable {
  readonly commands: Commands<"networks">;
}

/** What the commands do. A part of its own: nobody needs it before the first of them. */
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

/**
 * Makes another network the active one.
 *
 * @returns undefined when the person left
 */
export async function switchNetwork(networks: Networks, name?: string): Promise<NetworkProfile | undefined> {
  const chosen = name ?? (await pickNetwork(networks));
  if (chosen === undefined) return undefined;
  const network = networks.get(chosen);
  const detail = `${network.baseUrl}${network.production ? `\n${t`It is of real money.`}` : ""}`;
  const isKept = network.local || chosen === networks.active?.name;
  if (!isKept && !(await passProgram({ title: t`Use ${chosen} from now on?`, detail }, t`Use It`))) return undefined;
  await networks.setActive(chosen);
  return network;
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

/** As the palette has it: files of a folder are read only where the folder is trusted. */
function mayImport(): boolean {
  return vscode.workspace.isTrusted && (vscode.workspace.workspaceFolders ?? []).length > 0;
}

const START: Item = { label: t`$(play) Start Local Chain`, command: "finality.startLocalChain" };
const IMPORT: Item = { label: t`$(cloud-download) Import Networks…`, command: "finality.importNetworks" };
const ADD: Item = { label: t`$(add) Add Network…`, command: "finality.addNetwork" };
