import { type Address, toBase58 } from "../../core/primitives/address.ts";
import type { Account } from "../chain/account.ts";
import { executionFailed, integerOverflow } from "../chain/halt.ts";
import { SUN_PER_COIN } from "../chain/stake.ts";
import type { Frame } from "./frame.ts";
import { denyStatic } from "./frame-operations.ts";
import type { Instruction } from "./operation.ts";
import { addressOf, MAX_LONG, wordOfBytes } from "./words.ts";

const WORD = 32;
const MAX_VOTES = 30;
/** Bytes. A size that wraps to 0 is not paid for, wherever it lies. */
const BEYOND_MEMORY = 16_777_216;

interface Vote {
  readonly witness: Address;
  /** Whole coins. */
  readonly count: bigint;
}

/**
 * A contract votes for witnesses. The votes are checked as the node does, and then forgotten: nothing depends on them
 * here.
 */
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
  const accepted = counts && arePossible(frame, votes);
  if (!accepted) machine.internal.amend({ rejected: true });
  frame.stack.push(accepted ? 1n : 0n);
};

function arePossible({ ledger, call, machine }: Frame, votes: readonly Vote[]): boolean {
  const { witnesses } = machine.surroundings;
  const account = ledger.account(call.address);
  if (account === undefined || votes.length > MAX_VOTES) return false;
  if (!votes.every(({ witness, count }) => witnesses.includes(witness) && count >= 0n)) return false;
  return votes.reduce((sum, { count }) => sum + count, 0n) * SUN_PER_COIN <= votingPower(account);
}

/** Sun that count for votes: a stake for it, and every stake until the account has staked for the first time. */
export function votingPower({ stake, lent, oldPowerSettled }: Account): bigint {
  const old = stake.bandwidth + stake.energy + lent.bandwidth + lent.energy;
  return stake.tronPower + (oldPowerSettled ? 0n : old);
}

function printVotes(votes: readonly Vote[]): string {
  const each = votes.map(({ witness, count }) => `{"vote_address":"${toBase58(witness)}","vote_count":${count}}`);
  return `{"votes":[${each.join(",")}]}`;
}
