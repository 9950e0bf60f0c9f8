import type { FaultType } from "./fault.ts";

/**
 * A gateway repeats a request whose answer it did not get: the node sees it twice, and the client gets the second
 * answer. For a broadcast that was accepted it says `Dup transaction.`
 */
export const duplicateAnswer: FaultType = {
  name: "duplicate-answer",
  read: () => ({
    seam: "request",
    act: async (serve) => {
      await serve();
      return await serve();
    },
  }),
};
