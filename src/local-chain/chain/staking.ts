import type { Account } from "./account.ts";
import type { Ledger, Totals } from "./ledger.ts";
import { type Resource, type StakePurpose, SUN_PER_COIN, type Unstaking } from "./stake.ts";

/** Sun that counts for the limit of an account: its own and what others have lent to it. */
export function effectiveStake({ stake, borrowed }: Account, resource: Resource): bigint {
  return stake[resource] + borrowed[resource];
}

/** Changes a stake and, in whole coins, what all stakes together weigh. @param delta - sun */
export function changeStake(ledger: Ledger, account: Account, purpose: StakePurpose, delta: bigint): Account {
  const changed = { ...account, stake: { ...account.stake, [purpose]: account.stake[purpose] + delta } };
  const { totals } = ledger;
  const weight = totals.weight[purpose] + weightOf(changed, purpose) - weightOf(account, purpose);
  const next: Totals = { ...totals, weight: { ...totals.weight, [purpose]: weight } };
  ledger.setTotals(next);
  ledger.put(changed);
  return changed;
}

/** What is due at a time, and what is not yet. */
export function splitUnstaking(
  { unstaking }: Account,
  now: number,
): { readonly due: bigint; readonly waiting: readonly Unstaking[] } {
  const due = unstaking.filter((it) => it.due <= now).reduce((sum, { amount }) => sum + amount, 0n);
  return { due, waiting: unstaking.filter((it) => it.due > now) };
}

/** Whole coins: own stake and what of it is lent out. */
function weightOf({ stake, lent }: Account, purpose: StakePurpose): bigint {
  const out = purpose === "tronPower" ? 0n : lent[purpose];
  return (stake[purpose] + out) / SUN_PER_COIN;
}
