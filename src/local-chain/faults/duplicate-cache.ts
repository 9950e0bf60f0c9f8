import type { TxId } from "../../core/primitives/hash.ts";
import { Refusal } from "../chain/refusal.ts";
import type { FaultType } from "./fault.ts";

const MAX_REMEMBERED = 100_000;

/**
 * The node's cache of transactions (`trxCacheEnable`): it remembers each txID before it checks anything, so whoever comes a second
 * time is a duplicate, whatever is wrong with it, and even if it was refused (node behaviour 12).
 */
export const duplicateCache: FaultType = {
  name: "duplicate-cache",
  read: () => {
    const remembered = new Set<TxId>();
    return {
      seam: "admission",
      act: ({ id }, fires, { chain }) => {
        const known = remembered.has(id) || chain.find(id) !== undefined;
        remember(remembered, id);
        if (known && fires()) throw new Refusal("DUP_TRANSACTION_ERROR", "Transaction already exists.");
      },
    };
  },
};

function remember(ids: Set<TxId>, id: TxId): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MAX_REMEMBERED && oldest !== undefined) ids.delete(oldest);
}
