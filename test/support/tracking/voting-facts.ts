import type { Vote, Witness } from "../../../packages/client/src/gateway/gateway.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { foreignText } from "../../../packages/tron/src/primitives/plain-text.ts";
import type { SystemFacts } from "../../../src/sending/system-effect.view.ts";
import { someone, systemFacts } from "./system-facts.ts";

/** The nth of some accounts that make blocks. */
export const witnessAt = (at: number): Address => parseAddress(`41${String(at).padStart(40, "0")}`);

/** Three witnesses, the second with the most votes; the third makes no blocks. */
export const WITNESSES: readonly Witness[] = [
  { address: witnessAt(1), url: foreignText("http://one.invalid"), votes: 500n, producesBlocks: true },
  { address: witnessAt(2), url: foreignText("http://two.invalid"), votes: 900n, producesBlocks: true },
  { address: witnessAt(3), url: foreignText(""), votes: 0n, producesBlocks: false },
];

/** An account with these votes; the second witness keeps 20 %. */
export function votingFacts(votingPower: bigint | undefined, votes: readonly Vote[] = []): SystemFacts {
  const { account, resources } = someone();
  return {
    ...systemFacts({
      account: account && { ...account, votes },
      resources: resources && { ...resources, ...(votingPower === undefined ? {} : { votingPower }) },
    }),
    voting: { witnesses: WITNESSES, rates: new Map([[witnessAt(2), 20n]]) },
    parameters: new Map([["getMaintenanceTimeInterval", 21_600_000n]]),
  };
}
