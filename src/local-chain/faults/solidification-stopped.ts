import type { FaultType } from "./fault.ts";

/**
 * Blocks come, and none of them is solidified: too few producers confirm them. The count is of blocks; it catches up
 * afterwards.
 */
export const solidificationStopped: FaultType = {
  name: "solidification-stopped",
  read: () => ({ seam: "solidification" }),
};
