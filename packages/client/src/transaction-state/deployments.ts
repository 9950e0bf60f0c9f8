import type { Address, TxId } from "@finality/tron/primitives";
import { deployedContractAddress } from "@finality/tron/transaction";
import { isSameChain, type NetworkRef } from "../gateway/network.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** Contract that was deployed from here. */
export interface Deployment {
  readonly address: Address;
  readonly name: string;
  /** Address of the deployer. */
  readonly owner: Address;
  readonly network: string;
  readonly txId: TxId;
  /** True if the deployment can no longer be reverted. */
  readonly isSolid: boolean;
}

/**
 * Returns the contracts that the journal's deployments created on a chain, under any network name, newest first.
 * Excludes failed ones.
 */
export function deploymentsOn(all: readonly TrackedTransaction[], network: NetworkRef): readonly Deployment[] {
  return all
    .filter((it) => isSameChain(it, network))
    .sort((left, right) => right.createdAt - left.createdAt)
    .flatMap((it) => deploymentOf(it) ?? []);
}

/** Returns the contract that a transaction calls or deploys; undefined for any other transaction. */
export function contractOf({ signed, txId }: TrackedTransaction): Address | undefined {
  const intent = signed?.intent;
  if (intent?.kind === "contract-call") return intent.contract;
  return intent?.kind === "contract-creation" ? deployedContractAddress(txId, intent.owner) : undefined;
}

/**
 * Returns the contract that a transaction deployed; undefined for any other transaction, and for one that is in no
 * block or failed.
 */
export function deploymentOf(tracked: TrackedTransaction): Deployment | undefined {
  const { signed, txId, network, state } = tracked;
  if (signed?.intent.kind !== "contract-creation" || !hasDeployed(tracked)) return undefined;
  const { owner, name } = signed.intent;
  const address = deployedContractAddress(txId, owner);
  return { address, name, owner, network, txId, isSolid: state.kind === "solidified" };
}

/** Returns true if the deployed contract can be called: its deployment is in a block and did not fail. */
export function hasDeployed({ signed, state }: TrackedTransaction): boolean {
  if (signed?.intent.kind !== "contract-creation") return false;
  if (state.kind === "included") return state.outcome?.kind !== "failed";
  return state.kind === "solidified" && state.outcome.kind === "success";
}
