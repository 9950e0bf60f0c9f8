import assert from "node:assert/strict";
import { checkVotes, coinsIn } from "../../../test/support/chain/replayed-balances.ts";
import { COIN, type Person, type VotingFixture, votingFixture } from "../../../test/support/chain/voting-fixture.ts";
import { dice } from "../../../test/support/random/dice.ts";
import { howOften } from "../../../test/support/random/how-often.ts";
import * as schemas from "../../tron/src/transaction/gen/transaction_pb.js";
import type { Ledger } from "../src/chain/ledger.ts";
import { Refusal } from "../src/chain/refusal.ts";

const STEPS = howOften(150, 2_000);

/** Sends a random transaction of stakes, votes or rewards. */
function act(fixture: VotingFixture, roll: (bound: number) => number): void {
  const people = [...fixture.people, ...fixture.witnesses];
  const who = people[roll(people.length)] as Person;
  const witness = (): Person => fixture.witnesses[roll(fixture.witnesses.length)] as Person;
  const { bytes: ownerAddress } = who;
  switch (roll(7)) {
    case 0:
    case 1:
      fixture.stake(who, 1n + BigInt(roll(300)));
      return;
    case 2:
    case 3:
      fixture.vote(who, [witness(), 1n + BigInt(roll(200))], [witness(), 1n + BigInt(roll(50))]);
      return;
    case 4: {
      const unfreezeBalance = 1n + BigInt(roll(100)) * COIN;
      fixture.send(who, schemas.UnfreezeBalanceV2ContractSchema, { ownerAddress, unfreezeBalance, resource: 2 });
      return;
    }
    case 5:
      fixture.send(who, schemas.WithdrawBalanceContractSchema, { ownerAddress });
      return;
    default:
      fixture.send(who, schemas.UpdateBrokerageContractSchema, { ownerAddress, brokerage: roll(101) });
  }
}

function attempt(fixture: VotingFixture, roll: (bound: number) => number): boolean {
  try {
    act(fixture, roll);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

describe("votes on the embedded chain", () => {
  for (const [seed, getAllowTransactionFeePool] of [
    [1, 0],
    [2, 1],
  ] as const) {
    it(`change coins by rewards only and match the witnesses' counts, also across forks, seed ${seed}`, async () => {
      const fixture = await votingFixture({ getAllowTransactionFeePool });
      const { chain, test } = fixture;
      const roll = dice(seed);
      const [faucet] = fixture.people as [Person];
      const url = new TextEncoder().encode("http://new.invalid");
      fixture.send(faucet, schemas.WitnessCreateContractSchema, { ownerAddress: faucet.bytes, url });
      const coins = (state: Ledger): bigint => coinsIn(state, state.tables.accounts.entries().keys());
      const before = coins(chain.pendingState);
      let done = 0;
      for (let step = 0; step < STEPS; step += 1) {
        if (attempt(fixture, roll)) done += 1;
        if (roll(3) === 0) test.mine(1 + roll(12));
        if (roll(40) === 0) chain.fork(1 + roll(chain.unsolidified), roll(2) === 0 ? "return" : "lost");
        if (roll(60) === 0) chain.warp(86_400_000);
        checkVotes(chain.pendingState);
        assert.equal(coins(chain.pendingState), before, `after ${step} steps`);
      }
      assert.ok(done > STEPS / 3, `only ${done} were done`);
      assert.ok(chain.pendingState.totals.cycle > STEPS / 40);
      assert.ok([...chain.pendingState.witnesses()].every(({ votes, genesisVotes = 0n }) => votes >= genesisVotes));
      assert.ok(chain.pendingState.totals.minted > 0n);
    });
  }
});
