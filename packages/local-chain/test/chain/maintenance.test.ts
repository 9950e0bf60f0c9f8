import assert from "node:assert/strict";
import { COIN, type Person, type VotingFixture, votingFixture } from "../../../../test/support/chain/voting-fixture.ts";
import {
  UpdateBrokerageContractSchema,
  WitnessCreateContractSchema,
} from "../../../tron/src/transaction/gen/transaction_pb.js";

const BLOCKS_OF_A_CYCLE = 40;
const FIRST_VOTES = 1_000_000n;

describe("maintenance", () => {
  let fixture: VotingFixture;
  let voter: Person;
  let first: Person;
  let last: Person;

  beforeEach(async () => {
    fixture = await votingFixture();
    [voter, first, last] = [fixture.people[1], fixture.witnesses[0], fixture.witnesses[4]] as [Person, Person, Person];
  });

  it("runs at the first block of each period, and the next time is reported", () => {
    const { chain, test } = fixture;
    fixture.toMaintenance();
    const { timestamp } = chain.head.header;
    assert.equal(timestamp % 120_000, 0);
    assert.equal(chain.pendingState.totals.nextMaintenance, timestamp + 120_000);
    test.mine(BLOCKS_OF_A_CYCLE - 1);
    assert.equal(chain.pendingState.totals.cycle, 1);
    test.mine();
    assert.equal(chain.pendingState.totals.cycle, 2);
  });

  it("runs once after a gap of any length", () => {
    const { chain, test } = fixture;
    chain.warp(10 * 120_000);
    test.mine();
    assert.equal(chain.pendingState.totals.cycle, 1);
    assert.ok(chain.pendingState.totals.nextMaintenance > chain.head.header.timestamp);
  });

  it("counts new votes and removes replaced ones", () => {
    fixture.stake(voter, 900n);
    fixture.vote(voter, [first, 100n], [last, 200n]);
    fixture.test.mine();
    assert.equal(fixture.witness(first).votes, FIRST_VOTES, "not yet");
    fixture.toMaintenance();
    assert.deepEqual([fixture.witness(first).votes, fixture.witness(last).votes], [1_000_100n, 1_000_196n]);
    fixture.vote(voter, [last, 5n]);
    fixture.vote(voter, [last, 7n]);
    fixture.toMaintenance();
    assert.deepEqual([fixture.witness(first).votes, fixture.witness(last).votes], [FIRST_VOTES, 1_000_003n]);
    fixture.toMaintenance();
    assert.equal(fixture.witness(last).votes, 1_000_003n);
  });

  it("orders producers by votes without stopping solidification", () => {
    const { chain } = fixture;
    assert.deepEqual(
      chain.pendingState.totals.active,
      fixture.witnesses.map(({ address }) => address),
    );
    fixture.stake(voter, 900n);
    fixture.vote(voter, [last, 900n]);
    fixture.toMaintenance();
    assert.equal(chain.pendingState.totals.active[0], last.address);
    fixture.test.mine(6);
    assert.equal(chain.unsolidified, 3);
  });

  it("makes a new witness miss its slots, because the chain has no key for it", () => {
    const { chain } = fixture;
    const [faucet] = fixture.people as [Person];
    const url = new TextEncoder().encode("http://new.invalid");
    const { fee } = fixture.send(faucet, WitnessCreateContractSchema, { ownerAddress: faucet.bytes, url });
    fixture.toMaintenance();
    assert.ok(fee >= 9999n * COIN);
    assert.equal(fixture.witness(faucet).active, false, "no account has voted");
    fixture.stake(voter, 10n);
    fixture.vote(voter, [faucet, 10n]);
    fixture.toMaintenance();
    assert.deepEqual([fixture.witness(faucet).active, chain.pendingState.totals.active.length], [true, 6]);
    fixture.test.mine(12);
    const { produced, missed } = fixture.witness(faucet);
    assert.deepEqual([produced, missed], [0, 2]);
    assert.equal(chain.unsolidified, 3);
    for (let ago = 0; ago < 6; ago += 1) {
      const block = chain.block(chain.head.header.number - ago);
      assert.ok(block && chain.witnessKey(block), "every block is signed");
    }
  });

  it("pays a fifth of block and vote rewards to the witness, and the rest to its voters", () => {
    const { chain, test } = fixture;
    const before = fixture.witnesses.map((it) => fixture.account(it).voting.allowance);
    const rewards = fixture.witnesses.map((it) => fixture.witness(it).reward);
    test.mine();
    const producer = chain.head.header.witness;
    for (const [index, person] of fixture.witnesses.entries()) {
      const share = BigInt(Math.trunc(Number(1_000_000 - index) * (16_000_000 / 4_999_990)));
      const paid = [share, ...(producer === (person.address as string) ? [32_000_000n] : [])];
      const kept = paid.map((it) => BigInt(Math.trunc(0.2 * Number(it))));
      const sum = (list: readonly bigint[]): bigint => list.reduce((all, it) => all + it, 0n);
      assert.equal(fixture.account(person).voting.allowance - (before[index] ?? 0n), sum(kept));
      assert.equal(fixture.witness(person).reward - (rewards[index] ?? 0n), sum(paid) - sum(kept));
    }
  });

  it("applies a changed brokerage from the next cycle on", async () => {
    fixture.send(first, UpdateBrokerageContractSchema, { ownerAddress: first.bytes, brokerage: 100 });
    fixture.test.mine();
    const answered = async (): Promise<unknown> =>
      (await fixture.test.ask("/wallet/getBrokerage", { address: first.address })).brokerage;
    assert.equal(await answered(), 20);
    fixture.toMaintenance();
    assert.equal(await answered(), 100);
    fixture.test.mine(10);
    assert.equal(fixture.witness(first).reward, 0n);
  });

  it("counts slots that were missed in a gap", () => {
    const missed = (): number => fixture.witnesses.reduce((sum, it) => sum + fixture.witness(it).missed, 0);
    const before = missed();
    fixture.chain.warp(8 * 3000);
    fixture.test.mine();
    assert.equal(missed() - before, 7);
  });

  it("is undone with a replaced block, and runs again", () => {
    const { chain } = fixture;
    fixture.stake(voter, 900n);
    fixture.vote(voter, [last, 900n]);
    fixture.toMaintenance();
    const snapshot = chain.snapshot();
    chain.fork(1, "return");
    assert.deepEqual([chain.pendingState.totals.cycle, fixture.witness(last).votes], [1, 1_000_896n]);
    fixture.toMaintenance(2);
    chain.restore(snapshot);
    assert.deepEqual([chain.pendingState.totals.cycle, fixture.witness(last).votes], [1, 1_000_896n]);
    assert.equal(chain.pendingState.totals.active[0], last.address);
  });

  it("removes genesis votes when the proposal is in force", () => {
    fixture.propose([[10n, 1n]], 5);
    fixture.stake(voter, 10n);
    fixture.vote(voter, [last, 10n]);
    fixture.chain.warp(4 * 86_400_000);
    fixture.toMaintenance(2);
    assert.equal(fixture.chain.parameters.getRemoveThePowerOfTheGr, -1);
    assert.deepEqual([fixture.witness(first).votes, fixture.witness(last).votes], [0n, 10n]);
  });
});

describe("transaction fee pool", () => {
  it("pays fees to the producer and its voters, except those for new accounts", async () => {
    const fixture = await votingFixture({ getAllowTransactionFeePool: 1 });
    const { chain, test } = fixture;
    const [sender, other] = fixture.people.slice(1) as [Person, Person];
    for (const amount of [1n, 2n, 3n]) await test.send(test.transfer({ amount, to: other.address }));
    const { burnt, minted } = chain.pendingState.totals;
    assert.equal(chain.pendingState.totals.feePool, 265_000n);
    test.mine();
    assert.equal(chain.pendingState.totals.feePool, 0n);
    const [, , paid] = chain.head.transactions;
    assert.equal(paid?.info?.packingFee, 265_000n);
    const { packingFee } = await test.ask("/wallet/gettransactioninfobyid", { value: String(paid?.transaction.id) });
    assert.equal(packingFee, 265_000);
    assert.equal(chain.pendingState.totals.burnt, burnt);
    const producer = fixture.witnesses.find(({ address }) => chain.head.header.witness === (address as string));
    assert.ok(producer);
    const before = fixture.account(producer).voting.allowance;
    assert.ok(before > (32_000_000n + 265_000n) / 5n && chain.pendingState.totals.minted > minted);
    const newAddress = `41${"ef".repeat(20)}` as Person["address"];
    await test.send(test.transfer({ from: 1, amount: 1n, to: newAddress }));
    assert.equal(chain.pendingState.totals.feePool, 0n, "a new account costs otherwise");
    assert.ok(chain.pendingState.totals.burnt > burnt);
    assert.ok(fixture.account(sender).balance > 0n);
  });
});

describe("maintenance without voting rewards", () => {
  it("pays the producer the whole block reward, and the first 127 witnesses at the vote count", async () => {
    const fixture = await votingFixture({ getChangeDelegation: 0 });
    const [voter, last] = [fixture.people[1], fixture.witnesses[4]] as [Person, Person];
    const { chain } = fixture;
    const allowances = (): bigint =>
      fixture.witnesses.reduce((sum, it) => sum + fixture.account(it).voting.allowance, 0n);
    const before = allowances();
    fixture.test.mine();
    assert.equal(allowances() - before, 32n * COIN);
    fixture.stake(voter, 10n);
    fixture.vote(voter, [last, 10n]);
    const { nextMaintenance } = chain.pendingState.totals;
    const blocks = (nextMaintenance - chain.head.header.timestamp) / 3000;
    fixture.test.mine(blocks - 1);
    const beforeCount = allowances();
    fixture.test.mine();
    assert.equal(chain.pendingState.totals.cycle, 0);
    const paid = allowances() - beforeCount - 32n * COIN;
    assert.ok(paid > 115_199_999_990n && paid <= 115_200_000_000n, String(paid));
  });
});
