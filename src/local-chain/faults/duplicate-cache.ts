import { SeenTransactions, seenBefore } from "../node/seen-transactions.ts";
import type { FaultType } from "./fault.ts";

/**
 * The node's cache of transactions masks the real reason, as `transactionCache` does, but from now on and as often as
 * it is told.
 */
export const duplicateCache: FaultType = {
  name: "duplicate-cache",
  read: () => {
    const seen = new SeenTransactions();
    return {
      seam: "admission",
      act: ({ id }, fires, { chain }) => {
        if (seen.meet(id, chain) && fires()) throw seenBefore();
      },
    };
  },
};
