import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";

/** The maintenance cycle that a chain will be in at a time when it gets there without a gap. */
export function cycleAt({ pendingState, parameters }: Blockchain, time: number): number {
  const { cycle, nextMaintenance } = pendingState.totals;
  return cycle + 1 + Math.floor((time - nextMaintenance) / parameters.getMaintenanceTimeInterval);
}
