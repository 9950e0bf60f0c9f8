import assert from "node:assert/strict";
import { COIN, type Person, type VotingFixture, votingFixture } from "../../../../test/support/chain/voting-fixture.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { UnfreezeBalanceV2ContractSchema } from "../../../tron/src/transaction/gen/transaction_pb.js";

describe("vote queries", () => {
  let fixture: VotingFixture;
  let voter: Person;
  let witness: Person;

  before(async () => {
    fixture = await votingFixture();
    [voter, witness] = [fixture.people[1], fixture.witnesses[1]] as [Person, Person];
    fixture.stake(voter, 50n);
    fixture.vote(voter, [witness, 30n], [witness, 5n]);
    fixture.toMaintenance();
  });

  const ask = (path: string, body: JsonObject = {}): Promise<JsonObject> => fixture.test.ask(`/wallet/${path}`, body);

  it("show the votes of an account as given, and its remaining voting power", async () => {
    const { votes } = await ask("getaccount", { address: voter.address });
    assert.deepEqual(votes, [
      { vote_address: witness.address, vote_count: 30 },
      { vote_address: witness.address, vote_count: 5 },
    ]);
    const { tronPowerUsed, tronPowerLimit } = await ask("getaccountresource", { address: voter.address });
    assert.deepEqual([tronPowerUsed, tronPowerLimit], [35, 50]);
  });

  it("show a genesis witness as the node does, without permissions but with its allowance", async () => {
    const account = await ask("getaccount", { address: witness.address });
    assert.deepEqual([account.type, account.is_witness, account.create_time], ["AssetIssue", true, undefined]);
    assert.deepEqual([account.owner_permission, account.active_permission], [undefined, undefined]);
    assert.ok(Number(account.allowance) > 1_000_000);
  });

  it("rank witnesses page by page with uncounted votes, and later on the solidified side", async () => {
    const fresh = await votingFixture();
    const [person, favourite, other] = [fresh.people[1], fresh.witnesses[3], fresh.witnesses[0]] as [
      Person,
      Person,
      Person,
    ];
    const path = "getpaginatednowwitnesslist";
    const page = async (side: string, offset: number, limit: number): Promise<unknown> => {
      const { witnesses } = await fresh.test.ask(`/${side}/${path}`, { offset, limit });
      return (witnesses as readonly JsonObject[] | undefined)?.map((it) => [it.address, it.voteCount]);
    };
    const counted = async (): Promise<unknown> => {
      const { witnesses } = await fresh.test.ask("/wallet/listwitnesses", {});
      return (witnesses as readonly JsonObject[]).find(({ address }) => address === favourite.address)?.voteCount;
    };
    const [first] = (await page("wallet", 0, 1)) as [[string, number]];
    assert.equal(first[0], other.address);
    const before = Number(await counted());
    fresh.stake(person, 50n);

    fresh.vote(person, [favourite, 40n]);

    assert.deepEqual((await page("wallet", 0, 1)) as unknown, [[favourite.address, before + 40]]);
    assert.equal(await counted(), before);
    assert.deepEqual(await page("walletsolidity", 0, 1), [first]);
    assert.equal(((await page("wallet", 1, 5000)) as readonly unknown[]).length, fresh.witnesses.length - 1);
    for (const [offset, limit] of [
      [0, 0],
      [-1, 1],
      [fresh.witnesses.length, 1],
    ] as const) {
      assert.deepEqual(await fresh.test.ask(`/wallet/${path}`, { offset, limit }), {});
    }
    const refused = await fresh.test.ask(`/wallet/${path}`, { offset: "x" });
    assert.match(String(refused.Error), /ParseException/);
  });

  it("print an account in the order of the message", async () => {
    const message = { ownerAddress: voter.bytes, unfreezeBalance: COIN, resource: 2 };
    fixture.send(voter, UnfreezeBalanceV2ContractSchema, message);
    const names = Object.keys(await ask("getaccount", { address: voter.address }));
    assert.deepEqual(names, [
      "address",
      "balance",
      "votes",
      "create_time",
      "latest_opration_time",
      "free_net_usage",
      "latest_consume_free_time",
      "net_window_size",
      "net_window_optimized",
      "account_resource",
      "owner_permission",
      "active_permission",
      "frozenV2",
      "unfrozenV2",
      "old_tron_power",
      "asset_optimized",
    ]);
  });

  it("list witnesses with produced and missed blocks", async () => {
    const { witnesses } = await ask("listwitnesses");
    const height = fixture.chain.head.header.number;
    const shown = (witnesses as readonly JsonObject[]).find((it) => it.address === witness.address);
    assert.deepEqual(shown, {
      address: witness.address,
      voteCount: 1_000_034,
      url: "http://witness-1.invalid",
      totalProduced: fixture.witness(witness).produced,
      totalMissed: 1,
      latestBlockNum: fixture.witness(witness).latestBlock,
      latestSlotNum: fixture.witness(witness).latestSlot,
      isJobs: true,
    });
    const made = (witnesses as readonly JsonObject[]).reduce((sum, it) => sum + Number(it.totalProduced), 0);
    assert.equal(made, height);
  });

  it("return the time of the next maintenance", async () => {
    const { num } = await ask("getnextmaintenancetime");
    const { timestamp } = fixture.chain.head.header;
    assert.ok(Number(num) > timestamp && Number(num) <= timestamp + 120_000);
  });

  it("show nothing of the head on the solidified side", async () => {
    const fresh = await votingFixture();
    const [somebody, first] = [fresh.people[2], fresh.witnesses[0]] as [Person, Person];
    fresh.stake(somebody, 5n);
    fresh.vote(somebody, [first, 5n]);
    fresh.toMaintenance();
    const votes = async (side: string): Promise<unknown> => {
      const { witnesses } = await fresh.test.ask(`/${side}/listwitnesses`, {});
      return (witnesses as readonly JsonObject[]).find((it) => it.address === first.address)?.voteCount;
    };
    assert.deepEqual([await votes("wallet"), await votes("walletsolidity")], [1_000_005, 1_000_000]);
    fresh.test.mine(5);
    assert.equal(await votes("walletsolidity"), 1_000_005);
  });
});
