import type { Account } from "../../../packages/client/src/gateway/gateway.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import type { AccountDetails } from "../../../src/features/accounts-view/account.view.ts";
import { someone } from "./system-facts.ts";
import { ALICE } from "./tracked.ts";

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
