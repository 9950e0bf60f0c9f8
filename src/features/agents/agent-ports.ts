import { type AgentPorts, readsOf } from "@finality/agent-tools";
import type { ProposalFolder } from "@finality/agent-tools/proposals";
import { type Clock, type HttpGateway, LOCAL_NETWORK_NAME, type NetworkProfile } from "@finality/client/gateway";
import { type JournalStore, type TrackedTransaction, TransactionTracker } from "@finality/client/tracking";
import type { AbiIndex } from "@finality/tron/abi";
import type { TxId } from "@finality/tron/primitives";
import { askLocalChain } from "../../host/local-chain/local-chain-process.ts";

/** Services that the tools need. They are named here one by one: none of them signs, and none holds a key. */
export interface AgentPortServices {
  readonly networks: { get(name?: string): NetworkProfile; list(): readonly NetworkProfile[] };
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly transactions: {
    ready(): Promise<void>;
    list(): readonly TrackedTransaction[];
    get(txId: TxId): TrackedTransaction | undefined;
    lookNow(txId: TxId): Promise<void>;
  };
  readonly names: () => Promise<{ nearlyReady(): Promise<unknown>; readonly index: AbiIndex }>;
  readonly clock: Clock;
  /** @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`; `GATEWAY_UNREACHABLE` if another process answers */
  readonly proveLocalChain: () => Promise<void>;
}

/** Journal of a transaction that is queried for a tool. Nothing is written. */
const noJournal: JournalStore = {
  load: async () => ({ entries: [], warnings: [] }),
  append: async () => undefined,
};

/** Returns the ports of the tools on the services of this window. */
export function agentPorts(services: AgentPortServices, proposals: ProposalFolder): AgentPorts {
  const { networks, gateways, transactions, names, proveLocalChain } = services;
  return {
    networks: async () => networks.list(),
    read: async (name, use) => {
      const network = networks.get(name);
      return await use({ network, gateway: readsOf(await gateways.for(network)) });
    },
    transactions: async () => {
      await transactions.ready();
      return transactions.list();
    },
    refresh: async (txId, name) => {
      await transactions.ready();
      if (transactions.get(txId) === undefined) return await queryOnce(services, txId, networks.get(name));
      await transactions.lookNow(txId);
      return transactions.get(txId);
    },
    control: async (control, body) => {
      const { baseUrl } = networks.get(LOCAL_NETWORK_NAME);
      await proveLocalChain();
      return await askLocalChain(baseUrl, control, body);
    },
    names: async () => {
      const known = await names();
      await known.nearlyReady();
      return known.index;
    },
    proposals: async () => proposals,
  };
}

/** Queries a transaction that is not in the list, and does not add it. Undefined if the network does not have it. */
async function queryOnce(
  { gateways, clock }: AgentPortServices,
  txId: TxId,
  network: NetworkProfile,
): Promise<TrackedTransaction | undefined> {
  const gateway = await gateways.for(network);
  const tracker = new TransactionTracker({ store: noJournal, gatewayFor: async () => gateway, clock });
  try {
    await tracker.load();
    await tracker.adopt(txId, { network: network.name });
    const found = await tracker.refresh(txId);
    return found?.state.kind === "unknown" ? undefined : found;
  } finally {
    tracker.dispose();
  }
}
