import type { NetworkProfile } from "@finality/client/gateway";
import type { TrackedTransaction } from "@finality/client/tracking";
import { contextValue } from "./tracked-transaction.view.ts";

/** The network through which a transaction is watched; undefined when it is gone. */
type NetworkOf = (tracked: TrackedTransaction) => Pick<NetworkProfile, "explorerUrl" | "fallbackUrls"> | undefined;

/**
 * What may be done with some transaction of the list, as the palette matches it: the flags of all rows, each once, and
 * `+signed`, `+proving`, `+stopped`, `+explorable` for what rows have no flag for. Empty without a transaction.
 *
 * @example
 * whatMayBeDone([], () => undefined); // ""
 */
export function whatMayBeDone(transactions: readonly TrackedTransaction[], networkOf: NetworkOf): string {
  const flags = new Set<string>();
  for (const it of transactions) {
    if (it.hidden) continue;
    const { explorerUrl, fallbackUrls } = networkOf(it) ?? {};
    const [, ...rest] = contextValue(it, fallbackUrls).split("+");
    for (const flag of rest) flags.add(flag);
    if (it.signed !== undefined) flags.add("signed");
    if (it.proving?.kind === "scanning") flags.add("proving");
    if (it.proving?.kind === "stopped") flags.add("stopped");
    if (explorerUrl !== undefined) flags.add("explorable");
  }
  return [...flags]
    .sort()
    .map((flag) => `+${flag}`)
    .join("");
}
