import type { ChainId } from "@finality/client/gateway";

/** Contract in a deployments file. */
export interface DeploymentEntry {
  /** base58. */
  readonly address: string;
  /** ID of the deployment, if it was sent from here. */
  readonly transaction?: string;
  /** base58. */
  readonly deployer?: string;
}

/** Returns the text of a deployments file. Its chain ID is that of JSON-RPC: the last four bytes of the genesis block ID. */
export function deploymentsText(
  network: string,
  chain: ChainId,
  contracts: Readonly<Record<string, DeploymentEntry>>,
): string {
  const chainId = Number.parseInt(chain.slice(-8), 16);
  return `${JSON.stringify({ network, chain, chainId, contracts }, undefined, 2)}\n`;
}

/** Returns the name of the deployments file of a network, without separators of paths. */
export function deploymentsFileName(network: string): string {
  const name = network.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+|[.-]+$/g, "");
  return `${name === "" ? "network" : name}.json`;
}
