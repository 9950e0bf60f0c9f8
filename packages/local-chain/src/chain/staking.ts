import type { Account } from "./account.ts";
import type { Ledger } from "./ledger.ts";
import {
  NO_STAKE,
  type Resource,
  type Stake,
  type StakeOutcome,
  type StakePurpose,
  SUN_PER_COIN,
  type Unstaking,
} from "./stake.ts";
import { OLD_POWER_OVER, reduceVotes, settleReward, withOldPowerFixed } from "./voting.ts";

/** Returns the effective stake: own and delegated to the account. */
export function effectiveStake({ stake, borrowed }: Account, resource: Resource): bigint {
  return stake[resource] + borrowed[resource];
}

/** Changes a stake and the total weight in whole coins. @param delta - sun */
export function changeStake(ledger: Ledger, account: Account, purpose: StakePurpose, delta: bigint): Account {
  const changed = { ...account, stake: { ...account.stake, [purpose]: account.stake[purpose] + delta } };
  const { totals } = ledger;
  const weight = totals.weight[purpose] + weightOf(changed, purpose) - weightOf(account, purpose);
  ledger.changeTotals({ weight: { ...totals.weight, [purpose]: weight } });
  ledger.put(changed);
  return changed;
}

/** Splits unstaking entries into due and pending ones. */
export function splitUnstaking(
  { unstaking }: Account,
  now: number,
): { readonly due: bigint; readonly waiting: readonly Unstaking[] } {
  const due = unstaking.filter((it) => it.due <= now).reduce((sum, { amount }) => sum + amount, 0n);
  return { due, waiting: unstaking.filter((it) => it.due > now) };
}

/** Stakes coins of the balance. */
export function stakeCoins(ledger: Ledger, account: Account, purpose: StakePurpose, amount: bigint): void {
  const paid = { ...withOldPowerFixed(ledger, account), balance: account.balance - amount };
  changeStake(ledger, paid, purpose, amount);
}

/** Starts to unstake coins, withdraws due amounts, and removes votes without a stake. @returns withdrawn sun */
export function unstakeCoins(ledger: Ledger, owner: Account, part: Unstaking, now: number): bigint {
  const account = withOldPowerFixed(ledger, settleReward(ledger, owner));
  const { due, waiting } = splitUnstaking(account, now);
  const changed = { ...account, balance: account.balance + due, unstaking: [...waiting, part] };
  const left = reduceVotes(ledger, changeStake(ledger, changed, part.purpose, -part.amount), part.purpose);
  if (ledger.parameters.getAllowNewResourceModel === 1) ledger.put({ ...left, oldPower: OLD_POWER_OVER });
  return due;
}

/** Withdraws due amounts of unstaking. @returns sun */
export function withdrawDue(ledger: Ledger, account: Account, now: number): bigint {
  const { due, waiting: unstaking } = splitUnstaking(account, now);
  ledger.put({ ...account, balance: account.balance + due, unstaking });
  return due;
}

/** Cancels pending unstaking, and withdraws due amounts. */
export function cancelUnstaking(ledger: Ledger, owner: Account, now: number): Required<StakeOutcome> {
  const { due: withdrawn, waiting } = splitUnstaking(owner, now);
  let cancelled: Stake = NO_STAKE;
  let account: Account = { ...owner, balance: owner.balance + withdrawn, unstaking: [] };
  ledger.put(account);
  for (const { purpose, amount } of waiting) {
    account = changeStake(ledger, account, purpose, amount);
    cancelled = { ...cancelled, [purpose]: cancelled[purpose] + amount };
  }
  return { withdrawn, cancelled };
}

/** Returns the weight in whole coins: own stake including delegated parts. */
function weightOf({ stake, lent }: Account, purpose: StakePurpose): bigint {
  const out = purpose === "tronPower" ? 0n : lent[purpose];
  return (stake[purpose] + out) / SUN_PER_COIN;
}
