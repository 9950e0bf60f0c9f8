import type { FaultType } from "./fault.ts";

/** The node does what it is asked, and the connection is reset in place of the answer. */
export const lostAnswer: FaultType = {
  name: "lost-answer",
  read: () => ({
    seam: "request",
    act: async (serve) => {
      await serve();
      return { kind: "reset" };
    },
  }),
};
