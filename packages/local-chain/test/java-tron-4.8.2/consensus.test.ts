import assert from "node:assert/strict";
import { type VotingFixture, votingFixture } from "../../../../test/support/chain/voting-fixture.ts";
import {
  AssetIssueContractSchema,
  ExchangeCreateContractSchema,
  ExchangeTransactionContractSchema,
} from "../../../tron/src/transaction/gen/transaction_pb.js";
import { BLOCK_HASH_HISTORY } from "../../src/chain/block-hash-history.ts";
import { chainParameters } from "../../src/chain/parameters.ts";
import { proposalError } from "../../src/chain/proposals.ts";
import { share } from "../../src/chain/stake.ts";
import { bought, type Sides, tooImprecise } from "../../src/chain/trading.ts";

const OFF = {
  getAllowTvmSelfdestructRestriction: 0,
  getAllowTvmPrague: 0,
  getAllowTvmOsaka: 0,
  getAllowHardenResourceCalculation: 0,
  getAllowHardenExchangeCalculation: 0,
};

/** Proposals of 4.8.2: number, a value that is refused, and the node's words. */
const REFUSED: readonly (readonly [number: bigint, value: bigint, words: string])[] = [
  [92n, 0n, "This value[PROPOSAL_EXPIRE_TIME] is only allowed to be greater than 0 and less than 31536003000!"],
  [94n, 2n, "This value[ALLOW_TVM_SELFDESTRUCT_RESTRICTION] is only allowed to be 1"],
  [95n, 0n, "This value[ALLOW_TVM_PRAGUE] is only allowed to be 1"],
  [96n, 0n, "This value[ALLOW_TVM_OSAKA] is only allowed to be 1"],
  [97n, 0n, "This value[ALLOW_HARDEN_RESOURCE_CALCULATION] is only allowed to be 1"],
  [98n, 2n, "This value[ALLOW_HARDEN_EXCHANGE_CALCULATION] is only allowed to be 0 or 1"],
];

describe("the proposals of java-tron 4.8.2", () => {
  const parameters = chainParameters(OFF, "4.8.2");

  for (const [number, value, words] of REFUSED) {
    it(`refuse ${value} for parameter ${number}, which 4.8.0 does not have`, () => {
      assert.equal(proposalError(number, 1n, parameters), undefined);
      assert.equal(proposalError(number, value, parameters), words);
      assert.equal(proposalError(number, 1n, chainParameters()), `Does not support code : ${number}`);
    });
  }

  it("cannot switch on again what is on", () => {
    const on = chainParameters({}, "4.8.2");
    for (const [number, name] of [
      [95n, "ALLOW_TVM_PRAGUE"],
      [96n, "ALLOW_TVM_OSAKA"],
    ] as const) {
      assert.match(String(proposalError(number, 1n, on)), new RegExp(`\\[${name}\\] has been valid`));
    }
  });

  it("do not open the market again", () => {
    const closed = chainParameters({ getAllowMarketTransaction: 0 }, "4.8.2");
    assert.equal(proposalError(44n, 1n, closed), "Bad chain parameter id [ALLOW_MARKET_TRANSACTION]");
    assert.equal(proposalError(44n, 1n, chainParameters({ getAllowMarketTransaction: 0 })), undefined);
  });

  it("put the contract of block hashes into the state once number 95 is in force (TIP-2935)", async () => {
    const fixture = await votingFixture({ ...OFF, getProposalExpireTime: 60_000 }, "4.8.2");
    const { chain } = fixture;
    assert.equal(chain.pendingState.contract(BLOCK_HASH_HISTORY), undefined);
    fixture.propose([[95n, 1n]], 3);
    chain.warp(60_000);
    fixture.toMaintenance(2);
    assert.ok(chain.pendingState.contract(BLOCK_HASH_HISTORY));
    chain.produceBlock();
    const { header, id } = chain.produceBlock();
    chain.produceBlock();
    assert.equal(chain.pendingState.row(BLOCK_HASH_HISTORY, BigInt(header.number)), BigInt(`0x${id}`));
  });

  it("last as long as parameter 92 says", async () => {
    for (const [version, parameters, lasts] of [
      ["4.8.2", { getProposalExpireTime: 60_000, getMaintenanceTimeInterval: 30_000 }, 60_000],
      ["4.8.0", { getMaintenanceTimeInterval: 30_000 }, 259_200_000],
    ] as const) {
      const fixture = await votingFixture(parameters, version);
      const id = fixture.propose([[3n, 500n]], 0);
      const { createdAt = 0, expiresAt = 0 } = fixture.chain.pendingState.tables.proposals.get(Number(id)) ?? {};
      const interval = fixture.chain.parameters.getMaintenanceTimeInterval;
      assert.ok(Math.abs(expiresAt - createdAt - lasts) <= interval, `${version}: ${expiresAt - createdAt}`);
    }
  });
});

describe("the calculations that proposals 97 and 98 harden", () => {
  const sides = (named: bigint, other: bigint): Sides => ({
    named: { asset: "1000001", amount: named },
    other: { asset: "_", amount: other },
  });

  it("share a total of energy with integers (TIP-833)", () => {
    const total = { total: 180_000_000_000, weight: 9_007_199_254_740_993n };
    const stake = 9_007_199_254_740_993_000_001n;
    const [old, hardened] = [chainParameters(), chainParameters({ getAllowHardenResourceCalculation: 1 }, "4.8.2")];
    assert.equal(share(stake, total, hardened), 180_000_000_000n);
    assert.equal(share(1_000_000n, { total: 3, weight: 0n }, hardened), 0n);
    assert.equal(share(2_500_000n, { total: 100, weight: 10n }, old), 25n);
    assert.equal(share(2_500_000n, { total: 100, weight: 10n }, hardened), 25n);
  });

  it("pay for what an exchange buys with decimal numbers (TIP-836)", () => {
    assert.equal(bought(sides(1549n, 1323n), 1023n, true), 526n);
    assert.equal(bought(sides(1_000_000n, 10n), 1n, true), 0n);
    assert.equal(bought(sides(822_944_223_024n, 983_611_461_009_882n), 521_542_786_962n, true), 381_554_792_908_060n);
    const vast = sides(1_000_000_000_000_000n, 9_007_199_254_740_993_000n);
    assert.ok(
      bought(vast, 1_000_000_000_000_000n, true) !== bought(vast, 1_000_000_000_000_000n),
      "more than a double",
    );
  });

  it("compare the precision of a withdrawal without doubles", () => {
    assert.equal(tooImprecise(sides(3n, 10n), 2n, true), true, "6.6667 as 6");
    assert.equal(tooImprecise(sides(2n, 10_001n), 1n, true), false, "5,000.5 as 5,000: a part in 10,000");
    assert.equal(tooImprecise(sides(2n, 9_999n), 1n, true), true, "4,999.5 as 4,999: a little more");
  });
});

describe("refusals of java-tron 4.8.2", () => {
  async function traded(fixture: VotingFixture): Promise<void> {
    const [who] = fixture.people;
    assert.ok(who);
    const now = BigInt(fixture.chain.head.header.timestamp);
    const issue = { name: Buffer.from("Coupon"), abbr: Buffer.from("C"), totalSupply: 1000n, trxNum: 1, num: 1 };
    fixture.send(who, AssetIssueContractSchema, {
      ...issue,
      ownerAddress: who.bytes,
      url: Buffer.from("u"),
      startTime: now + 60_000n,
      endTime: now + 600_000n,
    });
    fixture.chain.produceBlock();
    fixture.send(who, ExchangeCreateContractSchema, {
      ownerAddress: who.bytes,
      firstTokenId: Buffer.from("1000001"),
      firstTokenBalance: 100n,
      secondTokenId: Buffer.from("_"),
      secondTokenBalance: 100n,
    });
    fixture.chain.produceBlock();
    const sale = { ownerAddress: who.bytes, exchangeId: 1n, tokenId: Buffer.from("_"), quant: 10n, expected: 1n };
    fixture.send(who, ExchangeTransactionContractSchema, sale);
  }

  it("is trade with an exchange before proposal 98", async () => {
    await assert.rejects(
      async () => traded(await votingFixture({ getAllowHardenExchangeCalculation: 0 }, "4.8.2")),
      /ExchangeTransactionContract is rejected/,
    );
    await traded(await votingFixture({ getAllowHardenExchangeCalculation: 1 }, "4.8.2"));
    await traded(await votingFixture());
  });

  it("is a token whose frozen part would be free after the end of time", async () => {
    const time = 2n ** 63n - 1n - 10n;
    const issue = {
      ...{ name: Buffer.from("Late"), abbr: Buffer.from("L"), url: Buffer.from("u"), totalSupply: 1000n },
      ...{ trxNum: 1, num: 1, startTime: time, endTime: time + 1n },
      frozenSupply: [{ frozenAmount: 1n, frozenDays: 1n }],
    };
    const issued = async (version: "4.8.0" | "4.8.2"): Promise<void> => {
      const fixture = await votingFixture({}, version);
      const [who] = fixture.people;
      assert.ok(who);
      fixture.send(who, AssetIssueContractSchema, { ...issue, ownerAddress: who.bytes });
    };
    await assert.rejects(issued("4.8.2"), /Start time and frozen days would cause expire time overflow/);
    await issued("4.8.0");
  });
});
