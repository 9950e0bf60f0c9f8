import type { Address } from "@finality/tron/primitives";
import type { Account } from "./account.ts";
import type { Ledger } from "./ledger.ts";
import { type StakePurpose, SUN_PER_COIN } from "./stake.ts";
import { EARNING_PRECISION, earningKey, sumOf, type Vote, type Voting } from "./witness.ts";

/** Value of `oldPower` when only stakes for votes count. */
export const OLD_POWER_OVER = -1n;

/**
 * Returns the sun that count as votes (AccountCapsule.getAllTronPower, and getTronPower before votes had a stake of
 * their own).
 */
export function votingPower({ parameters }: Ledger, { stake, lent, oldPower }: Account): bigint {
  const all = stake.bandwidth + stake.energy + lent.bandwidth + lent.energy;
  if (parameters.getAllowNewResourceModel !== 1) return all;
  return stake.tronPower + (oldPower === OLD_POWER_OVER ? 0n : oldPower === 0n ? all : oldPower);
}

/** Fixes the voting power from other stakes at the first stake or vote. */
export function withOldPowerFixed({ parameters }: Ledger, account: Account): Account {
  if (parameters.getAllowNewResourceModel !== 1 || account.oldPower !== 0n) return account;
  const { stake, lent } = account;
  const power = stake.bandwidth + stake.energy + lent.bandwidth + lent.energy;
  return { ...account, oldPower: power === 0n ? OLD_POWER_OVER : power };
}

/** Replaces the votes of an account; witnesses get them at the next maintenance. */
export function setVotes(ledger: Ledger, account: Account, votes: readonly Vote[]): Account {
  const ballot = ledger.tables.ballots.get(account.address);
  ledger.tables.ballots.set(account.address, { before: ballot?.before ?? account.voting.votes, after: votes });
  const changed = { ...account, voting: { ...account.voting, votes } };
  ledger.put(changed);
  return changed;
}

/** Reduces votes after a part of the stake was unstaked. */
export function reduceVotes(ledger: Ledger, account: Account, purpose: StakePurpose): Account {
  const { votes } = account.voting;
  if (votes.length === 0) return account;
  if (ledger.parameters.getAllowNewResourceModel === 1) {
    if (account.oldPower !== OLD_POWER_OVER) return setVotes(ledger, account, []);
    if (purpose !== "tronPower") return account;
  }
  const [total, power] = [sumOf(votes), votingPower(ledger, account)];
  if (power >= total * SUN_PER_COIN) return account;
  return setVotes(ledger, account, reduced(votes, total, power));
}

/** Reduces votes in proportion. Java computes with doubles step by step, and drops the fraction. */
function reduced(votes: readonly Vote[], total: bigint, power: bigint): readonly Vote[] {
  const count = (vote: Vote): bigint =>
    BigInt(Math.trunc(((Number(vote.count) / Number(total)) * Number(power)) / Number(SUN_PER_COIN)));
  return votes.map((it) => ({ ...it, count: count(it) })).filter((it) => it.count > 0n);
}

/** Returns the sun earned by votes from one cycle up to another. */
function earned({ tables }: Ledger, votes: readonly Vote[], since: number, until: number): bigint {
  if (since >= until) return 0n;
  const upTo = (witness: Address, cycle: number): bigint => tables.earnings.get(earningKey(witness, cycle)) ?? 0n;
  return votes.reduce((sum, { witness, count }) => {
    const each = upTo(witness, until - 1) - upTo(witness, since - 1);
    return each > 0n ? sum + (each * count) / EARNING_PRECISION : sum;
  }, 0n);
}

/** Rewards up to now, and the cycle to continue with. */
interface Settlement {
  /** Sun not yet in the allowance. */
  readonly earned: bigint;
  readonly voting: Voting;
}

/** Returns the rewards by both rules: the last separately counted cycle, and those since (MortgageService). */
function settlement(ledger: Ledger, voting: Voting): Settlement {
  const { cycle } = ledger.totals;
  const { votes, counted, since, until } = voting;
  if (since > cycle || (since === cycle && counted !== undefined)) return { earned: 0n, voting };
  const apart = since + 1 === until && since < cycle;
  const first = apart && counted !== undefined ? earned(ledger, counted, since, until) : 0n;
  const { counted: _, ...rest } = voting;
  if (votes.length === 0) return { earned: first, voting: { ...rest, since: cycle + 1 } };
  const later = earned(ledger, votes, apart ? since + 1 : since, cycle);
  return { earned: first + later, voting: { ...rest, since: cycle, until: cycle + 1, counted: votes } };
}

/** Moves voting rewards into the allowance (MortgageService.withdrawReward). */
export function settleReward(ledger: Ledger, account: Account): Account {
  if (ledger.parameters.getChangeDelegation !== 1) return account;
  const { earned: amount, voting } = settlement(ledger, account.voting);
  if (voting === account.voting) return account;
  const settled = { ...account, voting };
  ledger.put(settled);
  return allow(ledger, settled, amount);
}

/** Returns the sun that an account can withdraw (MortgageService.queryReward). */
export function rewardOf(ledger: Ledger, { voting }: Account): bigint {
  if (ledger.parameters.getChangeDelegation !== 1) return 0n;
  return voting.allowance + settlement(ledger, voting).earned;
}

/** Adds newly issued coins to the allowance. @param amount - sun */
export function allow(ledger: Ledger, account: Account, amount: bigint): Account {
  if (amount <= 0n) return account;
  const { voting } = account;
  const richer = { ...account, voting: { ...voting, allowance: voting.allowance + amount } };
  ledger.put(richer);
  ledger.changeTotals({ minted: ledger.totals.minted + amount });
  return richer;
}

/** Moves the allowance into the balance. @returns sun */
export function withdrawAllowance(ledger: Ledger, account: Account, now: number): bigint {
  const { allowance } = account.voting;
  const voting = { ...account.voting, allowance: 0n, withdrawnAt: now };
  ledger.put({ ...account, balance: account.balance + allowance, voting });
  return allowance;
}

/** Pays out the rewards of a destroyed contract, and removes its votes. */
export function leaveVoting(ledger: Ledger, account: Account, now: number): void {
  const settled = settleReward(ledger, account);
  const left = settled.voting.votes.length === 0 ? settled : setVotes(ledger, settled, []);
  withdrawAllowance(ledger, left, now);
}
