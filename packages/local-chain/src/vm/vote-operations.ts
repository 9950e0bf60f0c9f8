import { type Address, addressToBytes, toBase58 } from "@finality/tron/primitives";
import type { Account } from "../chain/account.ts";
import { executionFailed, integerOverflow } from "../chain/halt.ts";
import { Ledger } from "../chain/ledger.ts";
import { SUN_PER_COIN } from "../chain/stake.ts";
import { settleReward, setVotes, votingPower, withdrawAllowance } from "../chain/voting.ts";
import { sumOf, type Vote } from "../chain/witness.ts";
import type { Frame } from "./frame.ts";
import { denyStatic } from "./frame-operations.ts";
import type { Instruction } from "./operation.ts";
import { perform } from "./stake-operations.ts";
import { addressOf, MAX_LONG, wholeSeconds, wordOfBytes } from "./words.ts";

/** A contract takes what its votes have earned (WithdrawRewardProcessor). */
export const withdrawReward: Instruction = (frame) => {
  denyStatic(frame);
  perform(frame, { note: "withdrawReward" }, (ledger, own) => {
    const settled = settleReward(ledger, own);
    return settled.voting.allowance === 0n
      ? 0n
      : withdrawAllowance(ledger, settled, wholeSeconds(frame.machine.surroundings.block.timestamp));
  });
};

const WORD = 32;
const MAX_VOTES = 30;
/** Bytes. A size that wraps to 0 is not paid for, wherever it lies. */
const BEYOND_MEMORY = 16_777_216;

/** A contract votes for witnesses, in place of all that it voted before (VoteWitnessProcessor). */
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

/** One vote for each witness, in the order of the node: it keeps them in one of Java's hash maps meanwhile. */
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

/** Doubled when three quarters are exceeded. */
function bucketsFor(entries: number): number {
  let buckets = FEWEST_BUCKETS;
  while (entries > (buckets * 3) / 4) buckets *= 2;
  return buckets;
}

/** Of the bytes of an address, as the map spreads it (ByteString.hashCode). */
function hashOf(address: Address): number {
  const bytes = addressToBytes(address);
  const hash = bytes.reduce((sum, byte) => (Math.imul(31, sum) + ((byte << 24) >> 24)) | 0, bytes.length);
  return hash ^ (hash >>> 16);
}

function printVotes(votes: readonly Vote[]): string {
  const each = votes.map(({ witness, count }) => `{"vote_address":"${toBase58(witness)}","vote_count":${count}}`);
  return `{"votes":[${each.join(",")}]}`;
}
