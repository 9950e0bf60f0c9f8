import type { FaultType } from "./fault.ts";

/** The connection is reset, and the node has never seen the request. */
export const resetBefore: FaultType = {
  name: "reset-before",
  read: () => ({ seam: "request", act: async () => ({ kind: "reset" }) }),
};
