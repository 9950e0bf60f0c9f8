import type { FaultType } from "./fault.ts";

const MAX_MS = 600_000;

/** Answers come late: the request waits before the node sees it, or its answer waits. */
export const latency: FaultType = {
  name: "latency",
  read: (fields) => {
    const ms = fields.integer("ms", { min: 1, max: MAX_MS });
    const when = fields.choice("when", ["before", "after"]);
    return {
      seam: "request",
      act: async (serve, { delay }) => {
        if (when === "before") await delay(ms);
        const answer = await serve();
        if (when === "after") await delay(ms);
        return answer;
      },
    };
  },
};
