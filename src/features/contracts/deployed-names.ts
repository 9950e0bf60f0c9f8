import { deploymentOf, type TrackedTransaction } from "@finality/client/tracking";
import type { NamedAddress } from "@finality/tron/primitives";

/** Returns the contracts that were deployed from here on any chain, with the names of their artifacts. */
export function deployedNames(transactions: readonly TrackedTransaction[]): readonly NamedAddress[] {
  return transactions.flatMap((it) => {
    const { address, name = "" } = deploymentOf(it) ?? {};
    return address === undefined ? [] : [{ address, name }];
  });
}
