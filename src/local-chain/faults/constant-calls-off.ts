import type { FaultType } from "./fault.ts";

const CALLS = ["/triggerconstantcontract", "/triggersmartcontract", "/estimateenergy"];

/** The node says that it runs no code without a transaction, as one does that nobody has told to. */
export const constantCallsOff: FaultType = {
  name: "constant-calls-off",
  concerns: (path) => CALLS.some((it) => path.endsWith(it)),
  read: () => ({ seam: "view", act: (view) => ({ ...view, settings: { ...view.settings, constantCalls: false } }) }),
};
