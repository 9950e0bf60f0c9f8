import type { TrackedTransaction } from "./tracked-transaction.ts";

/**
 * Whether a transaction may still be executed, or executed differently than it looks now.
 *
 * A node that refused the bytes and later says that it has seen them may hold them after all: behind one URL stand many
 * nodes, and "Dup transaction." is what one says whose pool or chain has it (protocol reference D5).
 * What was signed once more is about to be sent, and what others have may be sent by them.
 */
export function isAlive({
  state,
  attempts,
  signed,
}: Pick<TrackedTransaction, "state" | "attempts" | "signed">): boolean {
  switch (state.kind) {
    case "signed":
    case "unknown":
    case "pending":
    case "included":
      return true;
    case "rejected":
      return (
        signed?.renewed === true ||
        signed?.shared === true ||
        attempts.some(({ outcome }) => outcome?.kind === "already-known")
      );
    case "solidified":
    case "proven-absent":
    case "replaced":
      return false;
  }
}
