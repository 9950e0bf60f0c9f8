import type { FaultType } from "./fault.ts";

/** The node does what it is asked, and the connection ends in the middle of the answer. */
export const truncatedBody: FaultType = {
  name: "truncated-body",
  read: () => ({
    seam: "request",
    act: async (serve) => {
      const answer = await serve();
      return answer.kind === "answer" ? { kind: "cut", response: answer.response } : answer;
    },
  }),
};
