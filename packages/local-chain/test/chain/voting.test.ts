import assert from "node:assert/strict";
import { COIN, type Person, type VotingFixture, votingFixture } from "../../../../test/support/chain/voting-fixture.ts";
import type { Address } from "../../../tron/src/primitives/address.ts";
import * as schemas from "../../../tron/src/transaction/gen/transaction_pb.js";
import { newAccount } from "../../src/chain/account.ts";
import { Ledger } from "../../src/chain/ledger.ts";
import { NO_STAKE } from "../../src/chain/stake.ts";
import { reduceVotes, rewardOf, votingPower, withOldPowerFixed } from "../../src/chain/voting.ts";
import { chosen, NO_VOTING, newWitness, sharesOf, type Witness, witnessShare } from "../../src/chain/witness.ts";

const VOTES = 900n;
/** Votes including those of the genesis block. */
const ALL_VOTES = 1_000_000n + VOTES;

describe("voting", () => {
  let fixture: VotingFixture;
  let voter: Person;
  let first: Person;
  let second: Person;

  beforeEach(async () => {
    fixture = await votingFixture();
    voter = fixture.people[1] as Person;
    [first, second] = fixture.witnesses as [Person, Person];
    fixture.stake(voter, VOTES);
    fixture.vote(voter, [first, VOTES]);
    fixture.toMaintenance();
  });

  const reward = (): bigint => rewardOf(fixture.chain.pendingState, fixture.account(voter));
  const withdraw = (who = voter): bigint | undefined =>
    fixture.send(who, schemas.WithdrawBalanceContractSchema, { ownerAddress: who.bytes }).reward;
  const unstake = (coins: bigint): void => {
    const message = { ownerAddress: voter.bytes, unfreezeBalance: coins * COIN, resource: 2 };
    fixture.send(voter, schemas.UnfreezeBalanceV2ContractSchema, message);
  };

  /** Returns the reward of the first witness's voters for the rest of this cycle. */
  function shared(): bigint {
    const { cycle } = fixture.chain.pendingState.totals;
    for (;;) {
      const { reward: before } = fixture.witness(first);
      fixture.test.mine();
      if (fixture.chain.pendingState.totals.cycle !== cycle) return before + lastPay();
    }
  }

  /** Returns the reward for the block that counts the votes: a share for votes, and the block reward of its producer. */
  function lastPay(): bigint {
    const own = fixture.chain.head.header.witness === (first.address as string);
    const share = Math.trunc(Number(ALL_VOTES) * (16_000_000 / Number(4_999_990n + VOTES)));
    const paid = own ? [share, 32_000_000] : [share];
    return BigInt(paid.reduce((sum, it) => sum + it - Math.trunc(0.2 * it), 0));
  }

  it("pays a share of the witness's reward in the cycle after the vote", async () => {
    assert.equal(reward(), 0n, "they were not counted before");
    const expected = (shared() * VOTES) / ALL_VOTES;
    assert.equal(reward(), expected);
    assert.ok(expected > 270_000n);
    const answered = await fixture.test.ask("/wallet/getReward", { address: voter.address });
    assert.equal(answered.reward, Number(expected));
    const before = fixture.account(voter).balance;
    const message = { ownerAddress: voter.bytes };
    const { reward: paid, fee } = fixture.send(voter, schemas.WithdrawBalanceContractSchema, message);
    assert.equal(paid, expected);
    assert.equal(fixture.account(voter).balance, before + expected - fee);
    assert.equal(reward(), 0n);
    fixture.test.mine();
    assert.equal(fixture.account(voter).voting.withdrawnAt, fixture.chain.head.header.timestamp - 3000);
  });

  it("adds up rewards of all cycles but the current one", () => {
    const expected = [shared(), shared(), shared()].reduce((sum, it) => sum + it, 0n);
    fixture.test.mine(20);
    assert.equal(reward(), (expected * VOTES) / ALL_VOTES);
  });

  it("pays for replaced votes until the end of the cycle", () => {
    const before = (shared() * VOTES) / ALL_VOTES;
    fixture.vote(voter, [second, 1n]);
    fixture.test.mine();
    assert.equal(fixture.account(voter).voting.allowance, before, "it was moved to the allowance");
    const old = (shared() * VOTES) / ALL_VOTES;
    assert.ok(reward() >= before + old && reward() <= before + old + 1n);
    fixture.toMaintenance();
    const late = reward() - before - old;
    assert.ok(late > 0n && late < 1000n, `one vote has earned ${late}`);
  });

  it("pays rewards into the allowance before votes are removed with their stake", () => {
    const expected = (shared() * VOTES) / ALL_VOTES;
    unstake(VOTES);
    assert.deepEqual(fixture.account(voter).voting.votes, []);
    assert.equal(fixture.account(voter).voting.allowance, expected);
    fixture.toMaintenance(3);
    const { voting } = fixture.account(voter);
    assert.equal(voting.allowance, expected);
    const later = reward() - expected;
    assert.ok(later > 0n, "the votes of the cycle have earned until its end");
    assert.equal(withdraw(), expected + later);
  });

  it("refuses withdrawals twice a day, by a genesis witness, or of 0", () => {
    assert.throws(withdraw, /^Refusal: witnessAccount does not have any reward$/u);
    shared();
    withdraw();
    fixture.toMaintenance();
    assert.throws(withdraw, /^Refusal: The last withdraw time is \d{13}, less than 24 hours$/u);
    fixture.chain.warp(86_400_000);
    fixture.toMaintenance();
    assert.ok((withdraw() ?? 0n) > 0n);
    assert.throws(
      () => withdraw(first),
      new RegExp(`^Refusal: Account\\[${first.address}\\] is a guard representative and is not allowed`, "u"),
    );
  });

  it("reduces votes in proportion, rounded down, when a part of the stake is unstaked", () => {
    fixture.vote(voter, [first, 600n], [second, 100n]);
    unstake(500n);
    assert.deepEqual(
      fixture.account(voter).voting.votes.map(({ count }) => count),
      [342n, 57n],
    );
    unstake(1n);
    assert.deepEqual(
      fixture.account(voter).voting.votes.map(({ count }) => count),
      [342n, 57n],
      "what is left covers them",
    );
    fixture.toMaintenance();
    assert.deepEqual([fixture.witness(first).votes, fixture.witness(second).votes], [1_000_342n, 1_000_056n]);
  });

  it("ignores stakes for energy", () => {
    fixture.send(voter, schemas.FreezeBalanceV2ContractSchema, {
      ownerAddress: voter.bytes,
      frozenBalance: 10n * COIN,
      resource: 1,
    });
    fixture.send(voter, schemas.UnfreezeBalanceV2ContractSchema, {
      ownerAddress: voter.bytes,
      unfreezeBalance: 10n * COIN,
      resource: 1,
    });
    assert.equal(fixture.account(voter).voting.votes.length, 1);
    assert.equal(votingPower(fixture.chain.pendingState, fixture.account(voter)), VOTES * COIN);
  });
});

describe("votingPower", () => {
  const witness = newAccount("41".padEnd(42, "1") as Person["address"], 0, new Uint8Array()).address;
  const holder = {
    ...newAccount("41".padEnd(42, "2") as Person["address"], 0, new Uint8Array()),
    stake: { ...NO_STAKE, bandwidth: 30n * COIN, tronPower: 5n * COIN },
    lent: { bandwidth: 0n, energy: 7n * COIN },
    voting: { ...NO_VOTING, votes: [{ witness, count: 20n }] },
  };

  it("returns every stake until it is fixed, then the fixed value, then the stake for votes", () => {
    const ledger = new Ledger();
    assert.equal(votingPower(ledger, holder), 42n * COIN);
    const fixed = withOldPowerFixed(ledger, holder);
    assert.equal(fixed.oldPower, 37n * COIN);
    assert.equal(votingPower(ledger, { ...fixed, stake: NO_STAKE }), 37n * COIN);
    assert.equal(votingPower(ledger, { ...fixed, oldPower: -1n }), 5n * COIN);
    const poor = { ...holder, stake: NO_STAKE, lent: { bandwidth: 0n, energy: 0n } };
    assert.equal(withOldPowerFixed(ledger, poor).oldPower, -1n);
  });

  it("is removed with all votes when a part of an old stake is unstaked", () => {
    const ledger = new Ledger();
    const left = reduceVotes(ledger, withOldPowerFixed(ledger, holder), "bandwidth");
    assert.deepEqual(left.voting.votes, []);
    assert.deepEqual(ledger.tables.ballots.get(holder.address), { before: holder.voting.votes, after: [] });
  });

  it("returns all other stakes while the new resource model is off, and shrinks votes with them", () => {
    const ledger = new Ledger();
    ledger.changeTotals({ parameters: { ...ledger.parameters, getAllowNewResourceModel: 0 } });
    assert.equal(votingPower(ledger, holder), 37n * COIN);
    const poorer = { ...holder, stake: { ...NO_STAKE, bandwidth: 3n * COIN } };
    assert.deepEqual(reduceVotes(ledger, poorer, "bandwidth").voting.votes, [{ witness, count: 10n }]);
  });
});

const addressOf = (index: number): Address => `41${index.toString(16).padStart(40, "0")}` as Address;
const witness = (index: number, votes: bigint): Witness => ({ ...newWitness(addressOf(index), ""), votes });

describe("witnesses", () => {
  it("produce blocks in the order of votes, and of addresses for equal votes", () => {
    const order = chosen([witness(1, 5n), witness(3, 7n), witness(2, 7n), witness(4, 0n)]);
    assert.deepEqual(order, [3, 2, 1, 4].map(addressOf));
  });

  it("produce blocks when they are among the first 27", () => {
    const all = Array.from({ length: 30 }, (_, index) => witness(index, BigInt(index)));
    const order = chosen(all);
    assert.deepEqual([order.length, order[0], order[26]], [27, addressOf(29), addressOf(3)]);
  });

  it("share the reward for votes when they are among the first 127 with votes", () => {
    const all = Array.from({ length: 130 }, (_, index) => witness(index, BigInt(index)));
    const shares = sharesOf(all, 16_000_000);
    assert.equal(shares.size, 127);
    assert.deepEqual([shares.has(addressOf(2)), shares.has(addressOf(3))], [false, true]);
    const votes = (129 * 130) / 2 - 3;
    assert.equal(shares.get(addressOf(129)), BigInt(Math.trunc(129 * (16_000_000 / votes))));
    assert.equal(sharesOf([witness(1, 0n)], 16_000_000).size, 0);
  });

  it("keep their brokerage of a reward, rounded down", () => {
    const greedy = { ...witness(1, 0n), brokerageNow: 33 };
    assert.equal(witnessShare(greedy, 100_001n), 33_000n);
    assert.equal(witnessShare({ ...greedy, brokerageNow: 0 }, 100_001n), 0n);
  });
});
