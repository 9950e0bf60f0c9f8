import { type CheckResult, failuresFirst, type NetworkProfile } from "@finality/client/gateway";
import { isChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import type { GatewayTest } from "../../host/networks/lazy-gateway.ts";
import { confirmModal, whileWorking } from "../../host/prompts/notify.ts";
import { ConnectionPanels } from "./connection-panel.ts";
import { chainFinding } from "./network.view.ts";
import type { NetworkServices } from "./services.ts";

/** Tests connections: for a person in a page that fills, for a program without one. */
export interface ConnectionTests extends vscode.Disposable {
  /** @returns the findings, the likeliest cause first */
  test(name: string | undefined, raw: unknown): Promise<readonly CheckResult[]>;
}

export function createConnectionTests(services: NetworkServices): ConnectionTests {
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
      const findings = isCallOfProgram(raw)
        ? await whileWorking(t`Testing the connection to ${network.name}`, (signal) => run(network, { signal }))
        : await panels.test(network);
      return failuresFirst(findings);
    },
    dispose: () => panels.dispose(),
  };
}

/** The chain behind the URLs is looked at as soon as they answer. */
function testNetwork(
  { gateways, chains }: NetworkServices,
  network: NetworkProfile,
  how: GatewayTest,
): Promise<readonly CheckResult[]> {
  return gateways.test(network, { ...how, checkChain: () => checkChain(chains, network) });
}

async function checkChain(chains: NetworkServices["chains"], network: NetworkProfile): Promise<CheckResult> {
  try {
    return chainFinding((await chains.askAgain(network)).chain);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { check: "chain", status: "failed", sentence: error.message };
  }
}

/** Only who knows why the chain is another one may say so. Escape leaves everything as it is. */
async function acceptChain(chains: NetworkServices["chains"], network: NetworkProfile): Promise<void> {
  const title = t`Take what ${network.name} is now for its chain?`;
  if (await confirmModal({ title, detail: ACCEPT_DETAIL }, t`Accept`)) await chains.accept(network);
}

const ACCEPT_DETAIL = t`Do this only when you know why its chain is another one, such as a private chain that was begun anew, or a gateway that told a wrong one at first. What was signed for the chain before is not watched here any more, and still stops an equal payment.`;
