import type { FaultType } from "./fault.ts";

const MAX_BLOCKS = 1000;

/**
 * Before the node sees the request, the newest blocks give way to a longer chain of others, as far as they are not
 * solidified. What they held waits again, or is lost.
 */
export const reorganisation: FaultType = {
  name: "reorganisation",
  count: 1,
  read: (fields) => {
    const blocks = fields.integer("blocks", { min: 1, max: MAX_BLOCKS, or: 1 });
    const transactions = fields.choice("transactions", ["return", "lost"]);
    return {
      seam: "request",
      act: async (serve, { chain }) => {
        const depth = Math.min(blocks, chain.unsolidified);
        if (depth > 0) chain.fork(depth, transactions);
        return await serve();
      },
    };
  },
};
