import { isAlive } from "../../core/life/is-alive.ts";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import type { JsonObject } from "../../core/primitives/json.ts";

/**
 * Those of the list that the chain went back behind: what it no longer has, what was final and is not, and what it
 * never had and might have got.
 *
 * @param fates - where the chain says that each of them is now, by txID
 */
export function forgotten<T extends Pick<TrackedTransaction, "txId" | "state" | "attempts">>(
  listed: readonly T[],
  fates: JsonObject,
): readonly T[] {
  return listed.filter((it) => {
    const fate = fates[it.txId];
    if (fate === "lost") return true;
    if (it.state.kind === "solidified") return fate === "block" || fate === "pool";
    return isAlive(it) && fate === "unknown";
  });
}
