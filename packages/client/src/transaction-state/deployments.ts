import type { Address, TxId } from "@finality/tron/primitives";
import { deployedContractAddress } from "@finality/tron/transaction";
import { isSameChain, type NetworkRef } from "../gateway/network.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** A contract that was deployed from here. */
export interface Deployment {
  readonly address: Address;
  readonly name: string;
  /** Who deployed it. */
  readonly owner: Address;
  readonly network: string;
  readonly txId: TxId;
  /** Whether nothing can take it back any more. */
  readonly isSolid: boolean;
}

/**
 * The contracts that the journal's deployments made on a chain, whatever its network was called, the newest first.
 * Those that failed are none.
 */
export function deploymentsOn(all: readonly TrackedTransaction[], place: NetworkRef): readonly Deployment[] {
  return all
    .filter((it) => isSameChain(it, place))
    .sort((left, right) => right.createdAt - left.createdAt)
    .flatMap((it) => deploymentOf(it) ?? []);
}

/** What a transaction deployed; undefined for every other one, and for one that is in no block or failed. */
export function deploymentOf(tracked: TrackedTransaction): Deployment | undefined {
  const { signed, txId, network, state } = tracked;
  if (signed?.intent.kind !== "contract-creation" || !hasDeployed(tracked)) return undefined;
  const { owner, name } = signed.intent;
  const address = deployedContractAddress(txId, owner);
  return { address, name, owner, network, txId, isSolid: state.kind === "solidified" };
}

/** Whether a contract of it can be called: its deployment is in a block and did not fail. */
export function hasDeployed({ signed, state }: TrackedTransaction): boolean {
  if (signed?.intent.kind !== "contract-creation") return false;
  if (state.kind === "included") return state.outcome?.kind !== "failed";
  return state.kind === "solidified" && state.outcome.kind === "success";
}
