import { UNKNOWN_NETWORK } from "./tracked-from-history.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** Whether the chain may still have something to say about it, so that it is worth a request. */
export function isLive({ hidden, network, state, attempts }: TrackedTransaction): boolean {
  if (hidden || network === UNKNOWN_NETWORK) return false;
  switch (state.kind) {
    case "unknown":
    case "pending":
    case "included":
      return true;
    case "rejected":
      return attempts.some(({ outcome }) => outcome?.kind === "already-known");
    case "signed":
    case "solidified":
    case "proven-absent":
    case "replaced":
      return false;
  }
}
