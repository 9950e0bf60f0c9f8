import type { FaultType } from "./fault.ts";

const MAX_MS = 600_000;

/**
 * Nobody listens for a while, control included. Without a path it begins with the answer to the request that sets it,
 * with a path after the answer to a request that matches.
 */
export const connectionRefused: FaultType = {
  name: "connection-refused",
  count: 1,
  read: (fields) => ({ seam: "door", ms: fields.integer("ms", { min: 1, max: MAX_MS, or: 1000 }) }),
};
