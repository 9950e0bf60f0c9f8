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

/** Sun that counts for the limit of an account: its own and what others have lent to it. */
export function effectiveStake({ stake, borrowed }: Account, resource: Resource): bigint {
  return stake[resource] + borrowed[resource];
}

/** Changes a stake and, in whole coins, what all stakes together weigh. @param delta - sun */
export function changeStake(ledger: Ledger, account: Account, purpose: StakePurpose, delta: bigint): Account {
  const changed = { ...account, stake: { ...account.stake, [purpose]: account.stake[purpose] + delta } };
  const { totals } = ledger;
  const weight = totals.weight[purpose] + weightOf(changed, purpose) - weightOf(account, purpose);
  ledger.changeTotals({ weight: { ...totals.weight, [purpose]: weight } });
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

/** Stakes coins that are in the balance. */
export function stakeCoins(ledger: Ledger, account: Account, purpose: StakePurpose, amount: bigint): void {
  const paid = { ...withOldPowerFixed(ledger, account), balance: account.balance - amount };
  changeStake(ledger, paid, purpose, amount);
}

/**
 * Starts to take back a part of a stake, and takes what is due by now. Votes that the stake does not cover any more go.
 *
 * @returns sun that were due
 */
export function unstakeCoins(ledger: Ledger, owner: Account, part: Unstaking, now: number): bigint {
  const account = withOldPowerFixed(ledger, settleReward(ledger, owner));
  const { due, waiting } = splitUnstaking(account, now);
  const changed = { ...account, balance: account.balance + due, unstaking: [...waiting, part] };
  const left = reduceVotes(ledger, changeStake(ledger, changed, part.purpose, -part.amount), part.purpose);
  if (ledger.parameters.getAllowNewResourceModel === 1) ledger.put({ ...left, oldPower: OLD_POWER_OVER });
  return due;
}

/** Takes what is due by now of a stake that was taken back. @returns sun */
export function withdrawDue(ledger: Ledger, account: Account, now: number): bigint {
  const { due, waiting: unstaking } = splitUnstaking(account, now);
  ledger.put({ ...account, balance: account.balance + due, unstaking });
  return due;
}

/** Stakes again what is on its way back, and takes what is due. */
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

/** Whole coins: own stake and what of it is lent out. */
function weightOf({ stake, lent }: Account, purpose: StakePurpose): bigint {
  const out = purpose === "tronPower" ? 0n : lent[purpose];
  return (stake[purpose] + out) / SUN_PER_COIN;
}
