import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import type { StakePurpose } from "../../../packages/tron/src/transaction/intent.ts";
import type { AccountFacts, SystemFacts } from "../../../src/sending/system-effect.view.ts";
import { ALICE } from "./tracked.ts";

export const COIN = 1_000_000n;
export const HEAD = 1_000_000;
export const DAY = 86_400_000;
const NONE = { BANDWIDTH: sun(0n), ENERGY: sun(0n), TRON_POWER: sun(0n) };

type Unstaking = readonly [purpose: StakePurpose, coins: bigint, due: number];

/** An account with 100 coins and 50 staked for energy; all stakes weigh 1,000 coins and share 10,000 energy. */
export function someone(unstaking: readonly Unstaking[] = []): AccountFacts {
  const totals = { limit: 10_000n, weight: 1_000n };
  return {
    account: {
      address: ALICE,
      balance: sun(100n * COIN),
      stakes: {
        own: { ...NONE, ENERGY: sun(50n * COIN) },
        delegated: NONE,
        received: NONE,
        unstaking: unstaking.map(([purpose, coins, due]) => ({ purpose, amount: sun(coins * COIN), due })),
      },
    },
    resources: {
      freeBandwidthLimit: 600n,
      freeBandwidthUsed: 0n,
      stakedBandwidthLimit: 0n,
      stakedBandwidthUsed: 0n,
      energyLimit: 500n,
      energyUsed: 0n,
      energyTotals: totals,
      bandwidthTotals: totals,
    },
  };
}

export function systemFacts(owner: AccountFacts = someone(), receiver?: SystemFacts["receiver"]): SystemFacts {
  const parameters = new Map([["getUnfreezeDelayDays", 14n]]);
  return { owner, receiver, parameters, headTimestamp: HEAD, timeOf: (ms) => `day ${(ms - HEAD) / DAY}` };
}
