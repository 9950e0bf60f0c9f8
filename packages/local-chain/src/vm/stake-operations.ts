import { type Address, addressToBytes, toBase58 } from "@finality/tron/primitives";
import type { Account } from "../chain/account.ts";
import { delegatable, delegate, delegationTo, undelegate } from "../chain/delegation.ts";
import { executionFailed, integerOverflow } from "../chain/halt.ts";
import { Ledger } from "../chain/ledger.ts";
import { dueTime, MAX_UNSTAKING, PURPOSES, type Resource, type StakePurpose, SUN_PER_COIN } from "../chain/stake.ts";
import { cancelUnstaking, splitUnstaking, stakeCoins, unstakeCoins, withdrawDue } from "../chain/staking.ts";
import { settleReward, setVotes, votingPower, withdrawAllowance } from "../chain/voting.ts";
import { sumOf, type Vote } from "../chain/witness.ts";
import type { Frame, Instruction } from "./frame.ts";
import { denyStatic } from "./frame-operations.ts";
import { addressOf, MAX_LONG, wholeSeconds, wordOfBytes } from "./words.ts";

/**
 * Operations by which a contract stakes and delegates. Each adds an internal transaction, rejected on failure; the code
 * then continues with 0 (Program.freezeBalanceV2 and its siblings).
 */

/** Planned action of an operation, for its internal transaction. */
interface PlannedAction {
  readonly note: string;
  readonly to?: Address;
  /** Word with the amount. */
  readonly amount?: bigint;
}

/** Executes the action. @returns success, or the moved sun */
type StakeAction = (ledger: Ledger, own: Account) => bigint | boolean;

export const freezeBalance: Instruction = (frame) => {
  denyStatic(frame);
  const [type, amount] = [frame.stack.pop(), frame.stack.pop()];
  perform(frame, { note: `freezeBalanceV2For${nameOf(type)}`, amount }, (ledger, own) => {
    const purpose = purposeOf(frame, type);
    if (!isAmount(amount, SUN_PER_COIN) || amount > own.balance || purpose === undefined) return false;
    stakeCoins(ledger, own, purpose, amount);
    return true;
  });
};

export const unfreezeBalance: Instruction = (frame) => {
  denyStatic(frame);
  const [type, amount] = [frame.stack.pop(), frame.stack.pop()];
  const { now, parameters } = frame.machine.environment;
  let due = 0n;
  perform(frame, { note: `unfreezeBalanceV2For${nameOf(type)}`, amount }, (ledger, own) => {
    const purpose = purposeOf(frame, type);
    if (!isAmount(amount, 1n) || purpose === undefined || amount > own.stake[purpose]) return false;
    if (splitUnstaking(own, now).waiting.length >= MAX_UNSTAKING) return false;
    due = unstakeCoins(ledger, own, { purpose, amount, due: dueTime(now, parameters) }, now);
    return true;
  });
  addWithdrawal(frame, due, "withdrawExpireUnfreezeWhileUnfreezing");
};

export const withdrawExpireUnfreeze: Instruction = (frame) => {
  denyStatic(frame);
  const { now } = frame.machine.environment;
  perform(frame, { note: "withdrawExpireUnfreeze" }, (ledger, own) => withdrawDue(ledger, own, now));
};

export const cancelAllUnfreeze: Instruction = (frame) => {
  denyStatic(frame);
  const { now } = frame.machine.environment;
  let due = 0n;
  perform(frame, { note: "cancelAllUnfreezeV2" }, (ledger, own) => {
    due = cancelUnstaking(ledger, own, now).withdrawn;
    return true;
  });
  addWithdrawal(frame, due, "withdrawExpireUnfreezeWhileCanceling");
};

export const delegateResource: Instruction = (frame) => {
  denyStatic(frame);
  const [type, amount, to] = [frame.stack.pop(), frame.stack.pop(), addressOf(frame.stack.pop())];
  const { now, parameters } = frame.machine.environment;
  perform(frame, { note: `delegateResourceOf${nameOf(type)}`, amount, to }, (ledger, own) => {
    const [resource, receiver] = [resourceOf(type), ledger.account(to)];
    if (resource === undefined || receiver === undefined || receiver.kind === "Contract") return false;
    if (!isAmount(amount, SUN_PER_COIN) || delegatable({ ledger, parameters, now }, own, resource, false) < amount) {
      return false;
    }
    delegate(ledger, { owner: own, receiver, resource, amount }, now);
    return true;
  });
};

export const undelegateResource: Instruction = (frame) => {
  denyStatic(frame);
  const [type, amount, to] = [frame.stack.pop(), frame.stack.pop(), addressOf(frame.stack.pop())];
  const { now, parameters } = frame.machine.environment;
  perform(frame, { note: `unDelegateResourceOf${nameOf(type)}`, amount, to }, (ledger, own) => {
    const [resource, loan] = [resourceOf(type), delegationTo(own, to)];
    if (resource === undefined || loan === undefined) return false;
    if (!isAmount(amount, 1n) || amount > loan.free[resource]) return false;
    undelegate({ ledger, parameters, now }, { owner: own, to, resource, amount });
    return true;
  });
};

/** Unfreezes a stake of Stake 1.0, which does not exist. */
export const unfreezeOld: Instruction = (frame) => {
  denyStatic(frame);
  const [type, to] = [frame.stack.pop(), addressOf(frame.stack.pop())];
  perform(frame, { note: `unfreezeFor${nameOf(type)}`, to }, () => false);
};

/** Executes an action in a layer of its own with its internal transaction, and pushes 1, the moved sun, or 0. */
function perform(frame: Frame, { note, to, amount = 0n }: PlannedAction, deed: StakeAction): void {
  const { internal } = frame.machine;
  const from = frame.call.address;
  const entry = { note, from, to: to ?? from, value: BigInt.asIntN(64, amount) };
  internal.add({ ...entry, parent: frame.call.hash, data: new Uint8Array() });
  const ledger = new Ledger(frame.ledger);
  const own = ledger.account(from);
  const done = own === undefined ? false : deed(ledger, own);
  if (done === false) internal.amend({ rejected: true });
  else ledger.commit();
  if (typeof done === "bigint") internal.amend({ value: done });
  frame.stack.push(BigInt(done));
}

/** Adds the internal transaction of withdrawn amounts. */
function addWithdrawal(frame: Frame, value: bigint, note: string): void {
  if (value === 0n) return;
  const own = frame.call.address;
  frame.machine.internal.add({
    note,
    from: own,
    to: own,
    value,
    parent: frame.call.hash,
    data: new Uint8Array(),
  });
}

/** Returns whether a word, read as signed, is at least a minimum. */
function isAmount(word: bigint, least: bigint): boolean {
  return word >= least && word <= MAX_LONG;
}

function purposeOf({ machine }: Frame, type: bigint): StakePurpose | undefined {
  const votes = machine.environment.parameters.getAllowNewResourceModel === 1;
  return type === 2n && !votes ? undefined : PURPOSES[Number(type)];
}

function resourceOf(type: bigint): Resource | undefined {
  return type === 0n ? "bandwidth" : type === 1n ? "energy" : undefined;
}

/** Returns the name of a resource type, by its last four bytes. */
function nameOf(type: bigint): string {
  return ["Bandwidth", "Energy", "TronPower"][Number(BigInt.asUintN(32, type))] ?? "UnknownType";
}

/** Withdraws a contract's voting rewards (WithdrawRewardProcessor). */
export const withdrawReward: Instruction = (frame) => {
  denyStatic(frame);
  perform(frame, { note: "withdrawReward" }, (ledger, own) => {
    const settled = settleReward(ledger, own);
    return settled.voting.allowance === 0n
      ? 0n
      : withdrawAllowance(ledger, settled, wholeSeconds(frame.machine.environment.block.timestamp));
  });
};

const WORD = 32;
const MAX_VOTES = 30;
/** In bytes. A size that wraps to 0 is free at any offset. */
const BEYOND_MEMORY = 16_777_216;

/** Replaces the votes of a contract (VoteWitnessProcessor). */
export const voteWitness: Instruction = (frame) => {
  denyStatic(frame);
  const [amountCount = 0, amountsAt = 0, witnessCount = 0, witnessesAt = 0] = frame.stack.popN(4).map(Number);
  const { machine, call, memory } = frame;
  const entry = { note: "voteWitness", from: call.address, value: 0n, parent: call.hash, data: new Uint8Array() };
  machine.internal.add(entry);
  const word = (offset: number): bigint => {
    if (offset > BEYOND_MEMORY) throw integerOverflow();
    return wordOfBytes(memory.read(offset, WORD));
  };
  if (word(witnessesAt) !== BigInt(witnessCount) || word(amountsAt) !== BigInt(amountCount)) {
    throw executionFailed("TVM VoteWitness: memory array length do not match length parameter!");
  }
  if (witnessCount !== amountCount) {
    frame.stack.push(0n);
    return;
  }
  const votes = Array.from({ length: witnessCount }, (_, index): Vote => {
    const at = WORD * (index + 1);
    return { witness: addressOf(word(witnessesAt + at)), count: BigInt.asIntN(256, word(amountsAt + at)) };
  });
  const counts = votes.every(({ count }) => count <= MAX_LONG && count >= -MAX_LONG);
  if (counts) machine.internal.amend({ extra: printVotes(votes) });
  const accepted = counts && vote(frame, votes);
  if (!accepted) machine.internal.amend({ rejected: true });
  frame.stack.push(accepted ? 1n : 0n);
};

function vote(frame: Frame, votes: readonly Vote[]): boolean {
  const ledger = new Ledger(frame.ledger);
  const account = ledger.account(frame.call.address);
  if (account === undefined || votes.length > MAX_VOTES) return false;
  const settled = settleReward(ledger, account);
  if (!arePossible(ledger, settled, votes)) return false;
  setVotes(ledger, settled, merged(votes));
  ledger.commit();
  return true;
}

function arePossible(ledger: Ledger, account: Account, votes: readonly Vote[]): boolean {
  if (!votes.every(({ witness, count }) => ledger.witness(witness) !== undefined && count >= 0n)) return false;
  const sun = sumOf(votes) * SUN_PER_COIN;
  return sun <= MAX_LONG && sun <= votingPower(ledger, account);
}

/** Merges votes by witness, in the order of the Java hash map that the node uses. */
function merged(votes: readonly Vote[]): readonly Vote[] {
  const counts = new Map<Address, bigint>();
  for (const { witness, count } of votes) {
    if (count > 0n) counts.set(witness, (counts.get(witness) ?? 0n) + count);
  }
  const buckets = bucketsFor(counts.size);
  return [...counts]
    .map(([witness, count]) => ({ witness, count, bucket: hashOf(witness) & (buckets - 1) }))
    .sort((a, b) => a.bucket - b.bucket)
    .map(({ witness, count }) => ({ witness, count }));
}

const FEWEST_BUCKETS = 16;

/** Returns the buckets of a hash map, doubled above three quarters. */
function bucketsFor(entries: number): number {
  let buckets = FEWEST_BUCKETS;
  while (entries > (buckets * 3) / 4) buckets *= 2;
  return buckets;
}

/** Returns the spread hash of an address (ByteString.hashCode). */
function hashOf(address: Address): number {
  const bytes = addressToBytes(address);
  const hash = bytes.reduce((sum, byte) => (Math.imul(31, sum) + ((byte << 24) >> 24)) | 0, bytes.length);
  return hash ^ (hash >>> 16);
}

function printVotes(votes: readonly Vote[]): string {
  const each = votes.map(({ witness, count }) => `{"vote_address":"${toBase58(witness)}","vote_count":${count}}`);
  return `{"votes":[${each.join(",")}]}`;
}
