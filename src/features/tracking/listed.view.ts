import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import { contextValue } from "./tracked-transaction.view.ts";

/**
 * What may be done with some transaction of the list, as the palette matches it: the flags of all rows, each once, and
 * `+signed`, `+proving`, `+stopped`, `+explorable` for what rows have no menu for. Empty without a transaction.
 *
 * @param hasPage - whether an explorer of its network shows it
 * @example
 * whatMayBeDone([], () => true); // ""
 */
export function whatMayBeDone(
  transactions: readonly TrackedTransaction[],
  hasPage: (tracked: TrackedTransaction) => boolean,
): string {
  const flags = new Set<string>();
  for (const it of transactions) {
    if (it.hidden) continue;
    const [, ...rest] = contextValue(it).split("+");
    for (const flag of rest) flags.add(flag);
    if (it.signed !== undefined) flags.add("signed");
    if (it.proving?.kind === "scanning") flags.add("proving");
    if (it.proving?.kind === "stopped") flags.add("stopped");
    if (hasPage(it)) flags.add("explorable");
  }
  return [...flags]
    .sort()
    .map((flag) => `+${flag}`)
    .join("");
}
