import type { FaultType } from "./fault.ts";

/** The node says that it does not estimate energy, as most public nodes do. */
export const estimateOff: FaultType = {
  name: "estimate-off",
  concerns: (path) => path.endsWith("/estimateenergy"),
  read: () => ({ seam: "view", act: (view) => ({ ...view, settings: { ...view.settings, estimateEnergy: false } }) }),
};
