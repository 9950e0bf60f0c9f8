import { answered } from "../http/message.ts";
import type { FaultType } from "./fault.ts";

const MAX_MS = 31_536_000_000;

/**
 * The clock of the server is wrong: `Date` of its answers is ahead, or behind when negative. Times of blocks are not
 * touched.
 */
export const clockSkew: FaultType = {
  name: "clock-skew",
  read: (fields) => {
    const ms = fields.integer("ms", { min: -MAX_MS, max: MAX_MS });
    return {
      seam: "request",
      act: async (serve, { now }) => {
        const answer = await serve();
        if (answer.kind !== "answer") return answer;
        const date = new Date(now() + ms).toUTCString();
        return answered({ ...answer.response, headers: { ...answer.response.headers, date } });
      },
    };
  },
};

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

/**
 * Blocks come, and none of them is solidified: too few producers confirm them. The count is of blocks; it catches up
 * afterwards.
 */
export const solidificationStopped: FaultType = {
  name: "solidification-stopped",
  read: () => ({ seam: "solidification" }),
};
