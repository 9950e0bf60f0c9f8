import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import { judge } from "../../core/retry/judge.ts";
import { contextValue } from "./tracked-transaction.view.ts";

/** The network through which a transaction is watched; undefined when it is gone. */
type NetworkOf = (tracked: TrackedTransaction) => Pick<NetworkProfile, "explorerUrl" | "fallbackUrls"> | undefined;

/**
 * What may be done with some transaction of the list, as the palette matches it: the flags of all rows, each once, and
 * `+signed`, `+proving`, `+stopped`, `+explorable`, `+elsewhere` for what rows have no flag for. Empty without a
 * transaction.
 *
 * @example
 * whatMayBeDone([], () => undefined); // ""
 */
export function whatMayBeDone(transactions: readonly TrackedTransaction[], networkOf: NetworkOf): string {
  const flags = new Set<string>();
  for (const it of transactions) {
    if (it.hidden) continue;
    const [, ...rest] = contextValue(it).split("+");
    for (const flag of rest) flags.add(flag);
    if (it.signed !== undefined) flags.add("signed");
    if (it.proving?.kind === "scanning") flags.add("proving");
    if (it.proving?.kind === "stopped") flags.add("stopped");
    const { explorerUrl, fallbackUrls = [] } = networkOf(it) ?? {};
    if (explorerUrl !== undefined) flags.add("explorable");
    if (judge(it, { otherUrls: fallbackUrls }).sendToAnotherNode.allowed) flags.add("elsewhere");
  }
  return [...flags]
    .sort()
    .map((flag) => `+${flag}`)
    .join("");
}
