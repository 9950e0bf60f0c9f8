import type { HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type { TrackedTransaction } from "@finality/client/tracking";
import type { AbiIndex } from "@finality/tron/abi";
import type { JsonObject, TxId } from "@finality/tron/primitives";
import type { ProposalFolder } from "./proposals.ts";

/** Reads of a gateway. It has no method that builds, signs or broadcasts a transaction. */
export type ReadGateway = Pick<
  HttpGateway,
  | "account"
  | "accountResources"
  | "chainId"
  | "chainParameters"
  | "constantCall"
  | "deployedContract"
  | "endpoint"
  | "estimateEnergy"
  | "headBlock"
  | "isSolid"
  | "solidBlock"
>;

/** Network of a tool call, with its gateway. */
export interface ReadConnection {
  readonly network: NetworkProfile;
  readonly gateway: ReadGateway;
}

/** Controls of the embedded chain that tools may use. */
export type LocalControl = "mine" | "warp" | "faults" | "fund" | "status";

/** Means of the tools. None of them signs, sends to a network, reveals, renames, redirects or deletes. */
export interface AgentPorts {
  networks(): Promise<readonly NetworkProfile[]>;
  /**
   * Reads from a network.
   *
   * @param name - Undefined for the active network.
   * @throws {ChainError} `NETWORK_UNKNOWN`, `NETWORK_NOT_CHOSEN`, and the errors of the access to the network
   */
  read<T>(name: string | undefined, use: (connection: ReadConnection) => Promise<T>): Promise<T>;
  /** Transactions of the journal, newest first. */
  transactions(): Promise<readonly TrackedTransaction[]>;
  /**
   * Queries the state of a transaction once. Undefined if neither the journal nor the network has it.
   *
   * @param network - Network of a transaction that the journal does not have; undefined for the active one.
   */
  refresh(txId: TxId, network: string | undefined): Promise<TrackedTransaction | undefined>;
  /** Sends a control request to the embedded chain on this computer; without a body a query. */
  control(control: LocalControl, body?: JsonObject): Promise<JsonObject>;
  /** Names of functions, errors and events. */
  names(): Promise<AbiIndex>;
  /** Proposals that the editor shows. */
  proposals(): Promise<ProposalFolder>;
}

/** Returns the reads of a gateway alone, so that no tool can reach another method of it. */
export function readsOf(gateway: HttpGateway): ReadGateway {
  return {
    endpoint: gateway.endpoint,
    account: (address, signal) => gateway.account(address, signal),
    accountResources: (address, signal) => gateway.accountResources(address, signal),
    chainId: (view, signal) => gateway.chainId(view, signal),
    chainParameters: (signal) => gateway.chainParameters(signal),
    constantCall: (run, signal) => gateway.constantCall(run, signal),
    deployedContract: (address, signal) => gateway.deployedContract(address, signal),
    estimateEnergy: (run, signal) => gateway.estimateEnergy(run, signal),
    headBlock: (signal) => gateway.headBlock(signal),
    isSolid: (address, signal) => gateway.isSolid(address, signal),
    solidBlock: (signal) => gateway.solidBlock(signal),
  };
}
