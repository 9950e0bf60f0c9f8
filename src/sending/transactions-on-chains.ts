import {
  type ChainId,
  type Clock,
  type Gateway,
  LOCAL_NETWORK_NAME,
  type NetworkProfile,
} from "@finality/client/gateway";
import type { ProofSources } from "@finality/client/proof";
import { IncomingService } from "../host/incoming/incoming-service.ts";
import type { Log } from "../host/log/log.ts";
import { ChainsOnDemand } from "../host/networks/chains-on-demand.ts";
import type { Gateways } from "../host/networks/gateways.ts";
import type { Networks } from "../host/networks/networks.ts";
import { TransactionService } from "./transaction-service.ts";

interface ChainParts {
  /** Folder of the journal and of the chain records. */
  readonly folder: string;
  readonly networks: Networks;
  readonly gateways: Gateways;
  readonly clock: Clock;
  readonly log: Log;
  /** Finds the embedded chain, which another window may have started. */
  readonly findLocal: () => Promise<void>;
}

interface TransactionsOnChains {
  readonly chains: ChainsOnDemand;
  readonly transactions: TransactionService;
  readonly incoming: IncomingService;
  /**
   * Returns the gateway of a network by its name. Requires that its URLs still serve the same chain.
   *
   * @throws {ChainError} `NETWORK_UNKNOWN`, `CHAIN_CHANGED`, `CHAINS_DIFFER`
   */
  readonly gatewayFor: (network: string) => Promise<Gateway>;
  /** Returns the other sources of a network by its name. */
  readonly sourcesFor: (network: string) => Promise<ProofSources>;
}

/** Creates the chains of this window's networks, their storage, and the transaction service. */
export function transactionsOnChains({ findLocal, ...parts }: ChainParts): TransactionsOnChains {
  const { networks, gateways, clock } = parts;
  const learned = (): void => {
    networks.followChains();
    incoming.reconsider();
    transactions.reconsider();
  };
  const chains = new ChainsOnDemand({ ...parts, now: () => clock.now(), learned });
  networks.setRealMoney((network, all) => chains.isRealMoney(network, all));
  const gatewayFor = async (name: string): Promise<Gateway> => {
    if (name === LOCAL_NETWORK_NAME && networks.local === undefined) await findLocal();
    else if (networks.find(name) === undefined) await chains.findOut();
    const network = networks.get(name);
    // Requires that its URLs still serve the same chain.
    if (!network.local) await chains.networkRefOf(network);
    return await gateways.for(network);
  };
  const networkFor = chains.networkFor.bind(chains);
  const sourcesFor = (name: string) => proofSources(gateways, networks.get(name));
  const chainOf = (name: string): ChainId | undefined => {
    const network = networks.find(name);
    return network && chains.known(network);
  };
  const profileOf = (name: string): string => JSON.stringify(networks.find(name) ?? null);
  const prepared = (): Promise<void> => chains.ready();
  const watched = () => void transactions.ready().then(() => transactions.reconsider());
  const incoming = new IncomingService({ ...parts, networkFor, watched });
  const { followers } = incoming;
  const networkParts = { gatewayFor, networkFor, profileOf, chainOf, sourcesFor, prepared, followers };
  const transactions = new TransactionService({ ...parts, ...networkParts });
  networks.onDidChange(learned);
  return { chains, transactions, incoming, ...networkParts };
}

interface GatewayAtUrl {
  at(network: NetworkProfile, url: string): Promise<Gateway>;
}

/**
 * Returns the other sources of a proof of absence. The time of a local chain can be advanced, so it is not real time.
 */
export async function proofSources(gateways: GatewayAtUrl, network: NetworkProfile): Promise<ProofSources> {
  const others = await Promise.all(network.fallbackUrls.map((url) => gateways.at(network, url)));
  return { others, inRealTime: !network.local };
}
