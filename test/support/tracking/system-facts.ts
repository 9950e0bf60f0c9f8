import type { Account, Vote, Witness } from "../../../packages/client/src/gateway/gateway.ts";
import type { AccountFacts, SystemFacts } from "../../../packages/client/src/reviews/system-effect.view.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { foreignText } from "../../../packages/tron/src/primitives/plain-text.ts";
import type { StakePurpose } from "../../../packages/tron/src/transaction/intent.ts";
import type { AccountDetails } from "../../../src/features/accounts-view/account.view.ts";
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

export const HEAD_TIME = 1_796_000_000_000;

/** An account with 100 coins, of which nothing is staked or used, with some changes. */
export function accountWith(changes: Partial<Account> = {}): Account {
  const none = { BANDWIDTH: sun(0n), ENERGY: sun(0n), TRON_POWER: sun(0n) };
  const stakes = { own: none, delegated: none, received: none, unstaking: [] };
  return { address: ALICE, balance: sun(100_000_000n), stakes, ...changes };
}

/** Details of an account without usage, with some changes. */
export function detailsWith(changes: Partial<AccountDetails> = {}): AccountDetails {
  const { resources } = someone();
  return {
    headTimestamp: HEAD_TIME,
    resources: resources && { ...resources, energyLimit: 0n },
    reward: sun(0n),
    delegations: [],
    unreportedDelegations: 0,
    tokens: new Map(),
    ...changes,
  };
}
