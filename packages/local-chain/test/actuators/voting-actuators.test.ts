import assert from "node:assert/strict";
import { COIN, type Person, type VotingFixture, votingFixture } from "../../../../test/support/chain/voting-fixture.ts";
import * as schemas from "../../../tron/src/transaction/gen/transaction_pb.js";

const url = new TextEncoder().encode("http://new.invalid");

function refused(act: () => unknown, message: string): void {
  assert.throws(act, { message });
}

describe("vote and witness handling", () => {
  let fixture: VotingFixture;
  let faucet: Person;
  let voter: Person;
  let witness: Person;

  before(async () => {
    fixture = await votingFixture();
    [faucet, voter] = fixture.people as [Person, Person];
    witness = fixture.witnesses[0] as Person;
  });

  const vote = (...votes: readonly { readonly voteAddress: Uint8Array; readonly voteCount: bigint }[]): unknown =>
    fixture.send(voter, schemas.VoteWitnessContractSchema, { ownerAddress: voter.bytes, votes: [...votes] });

  it("refuses no votes, too many votes, votes for a non-witness, and votes above the stake", () => {
    const one = { voteAddress: witness.bytes, voteCount: 1n };
    refused(() => vote(), "VoteNumber must more than 0");
    refused(() => vote(...new Array<typeof one>(31).fill(one)), "VoteNumber more than maxVoteNumber 30");
    refused(() => vote({ ...one, voteAddress: new Uint8Array(21) }), "Invalid vote address!");
    refused(() => vote({ ...one, voteCount: 0n }), "vote count must be greater than 0");
    const unknownAddress = Uint8Array.of(0x41, ...new Uint8Array(20).fill(0xab));
    refused(() => vote({ ...one, voteAddress: unknownAddress }), `Account[41${"ab".repeat(20)}] not exists`);
    refused(() => vote({ ...one, voteAddress: voter.bytes }), `Witness[${voter.address}] not exists`);
    refused(() => vote(one), "The total number of votes[1000000] is greater than the tronPower[0]");
    const most = { ...one, voteCount: (1n << 63n) - 1n };
    refused(() => vote(most, one), "overflow: checkedAdd(9223372036854775807, 1)");
    refused(() => vote(most), "overflow: checkedMultiply(9223372036854775807, 1000000)");
  });

  it("makes an account with 9,999 coins a witness, once, with a witness permission", async () => {
    const create = (who: Person, text = url): { readonly fee: bigint } =>
      fixture.send(who, schemas.WitnessCreateContractSchema, { ownerAddress: who.bytes, url: text });
    refused(() => create(faucet, new Uint8Array()), "Invalid url");
    refused(() => create(faucet, new Uint8Array(257)), "Invalid url");
    refused(() => create(witness), `Witness[${witness.address}] has existed`);
    fixture.stake(voter, 2n);
    refused(() => create(voter), "balance < AccountUpgradeCost");
    const before = fixture.account(faucet).balance;
    const { fee } = create(faucet);
    assert.equal(before - fixture.account(faucet).balance, fee);
    assert.equal(fee / COIN, 9999n);
    fixture.test.mine();
    const account = await fixture.test.ask("/wallet/getaccount", { address: faucet.address });
    assert.equal(account.is_witness, true);
    assert.deepEqual(account.witness_permission, {
      type: "Witness",
      id: 1,
      permission_name: "witness",
      threshold: 1,
      keys: [{ address: faucet.address, weight: 1 }],
    });
    refused(() => create(faucet), `Witness[${faucet.address}] has existed`);
  });

  it("updates the URL of a witness, for that witness only", async () => {
    const update = (who: Person, updateUrl: Uint8Array): unknown =>
      fixture.send(who, schemas.WitnessUpdateContractSchema, { ownerAddress: who.bytes, updateUrl });
    refused(() => update(voter, url), "Witness does not exist");
    refused(() => update(voter, new Uint8Array()), "Invalid url");
    update(witness, url);
    const { witnesses } = await fixture.test.ask("/wallet/listwitnesses", {});
    const shown = (witnesses as readonly { address: string; url: string }[]).find(
      (it) => it.address === witness.address,
    );
    assert.equal(shown?.url, "http://new.invalid");
  });

  it("accepts a brokerage from 0 to 100 from a witness", () => {
    const update = (who: Person, brokerage: number): unknown =>
      fixture.send(who, schemas.UpdateBrokerageContractSchema, { ownerAddress: who.bytes, brokerage });
    for (const brokerage of [-1, 101]) refused(() => update(witness, brokerage), "Invalid brokerage");
    refused(() => update(voter, 5), `Not existed witness:${voter.address}`);
    update(witness, 0);
    assert.equal(fixture.witness(witness).brokerage, 0);
  });

  it("requires a witness permission when a witness changes its permissions", () => {
    const key = { address: witness.bytes, weight: 1n };
    const owner = { type: 0, permissionName: "owner", threshold: 1n, keys: [key] };
    const operations = Uint8Array.from({ length: 32 }, (_, index) => (index === 5 ? 0x40 : 0));
    const active = { type: 2, permissionName: "active", threshold: 1n, operations, keys: [key] };
    const block = { type: 1, permissionName: "witness", threshold: 1n, keys: [key] };
    const update = (who: Person, more: object): unknown =>
      fixture.send(who, schemas.AccountPermissionUpdateContractSchema, {
        ownerAddress: who.bytes,
        owner,
        actives: [active],
        ...more,
      });
    refused(() => update(witness, {}), "witness permission is missed");
    refused(() => update(faucet, { witness: { ...block, type: 2 } }), "witness permission type is error");
    refused(
      () => update(witness, { witness: { ...block, keys: [key, { ...key, address: voter.bytes }] } }),
      "Witness permission's key count should be 1",
    );
    refused(() => update(voter, { witness: block }), "account isn't witness can't set witness permission");
    update(witness, { witness: { ...block, keys: [{ ...key, address: voter.bytes }] } });
    assert.deepEqual(fixture.account(witness).witnessPermission?.keys[0]?.address, voter.bytes);
    assert.equal(fixture.account(witness).activePermissions[0]?.operations[5], 0x40, "contract type 46 is allowed");
  });
});

const DAY_MS = 86_400_000;
const FREE_NET_LIMIT = 61n;

describe("proposal handling", () => {
  let fixture: VotingFixture;
  let first: Person;
  let second: Person;
  let nonWitness: Person;

  beforeEach(async () => {
    fixture = await votingFixture();
    [first, second] = fixture.witnesses as [Person, Person];
    nonWitness = fixture.people[1] as Person;
  });

  const create = (who: Person, ...values: readonly (readonly [bigint, bigint])[]): unknown =>
    fixture.send(who, schemas.ProposalCreateContractSchema, {
      ownerAddress: who.bytes,
      parameters: values.map(([key, value]) => ({ key, value })),
    });
  const approve = (who: Person, proposalId: bigint, isAddApproval = true): unknown =>
    fixture.send(who, schemas.ProposalApproveContractSchema, { ownerAddress: who.bytes, proposalId, isAddApproval });
  const cancel = (who: Person, proposalId: bigint): unknown =>
    fixture.send(who, schemas.ProposalDeleteContractSchema, { ownerAddress: who.bytes, proposalId });
  const state = (id: bigint): string | undefined => fixture.chain.pendingState.tables.proposals.get(Number(id))?.state;

  it("accepts proposals by witnesses for existing parameters and valid values", () => {
    refused(() => create(nonWitness, [FREE_NET_LIMIT, 1n]), `Witness[${nonWitness.address}] not exists`);
    refused(() => create(first), "This proposal has no parameter.");
    refused(() => create(first, [1234n, 1n]), "Does not support code : 1234");
    refused(() => create(first, [FREE_NET_LIMIT, 100_001n]), "Bad chain parameter value, valid range is [0,100_000]");
  });

  it("applies a proposal at the maintenance after three days when 70 % of the witnesses approve", async () => {
    const id = fixture.propose([[FREE_NET_LIMIT, 1500n]], 3);
    const answered = await fixture.test.ask("/wallet/getproposalbyid", { id: Number(id) });
    const { proposal_id, proposer_address, parameters, approvals, create_time, expiration_time } = answered;
    assert.deepEqual(
      [proposal_id, proposer_address, parameters, approvals, answered.state],
      [
        Number(id),
        first.address,
        [{ key: 61, value: 1500 }],
        fixture.witnesses.slice(0, 3).map(({ address }) => address),
        undefined,
      ],
    );
    const open = Number(expiration_time) - Number(create_time);
    assert.ok(open > 3 * DAY_MS && open <= 3 * DAY_MS + 120_000, String(open));
    assert.equal(Number(expiration_time) % 120_000, 0);
    fixture.chain.warp(3 * DAY_MS - 240_000);
    fixture.toMaintenance();
    assert.equal(state(id), "PENDING");
    fixture.toMaintenance(3);
    assert.equal(state(id), "APPROVED");
    assert.equal(fixture.chain.parameters.getFreeNetLimit, 1500);
    const { freeNetLimit } = await fixture.test.ask("/wallet/getaccountresource", { address: nonWitness.address });
    assert.equal(freeNetLimit, 1500);
  });

  it("changes nothing when fewer witnesses approve", () => {
    const id = fixture.propose([[FREE_NET_LIMIT, 1500n]], 2);
    fixture.chain.warp(4 * DAY_MS);
    fixture.toMaintenance(2);
    assert.equal(state(id), "DISAPPROVED");
    assert.equal(fixture.chain.parameters.getFreeNetLimit, 600);
    refused(() => approve(second, id), `Proposal[${id}] expired`);
    refused(() => cancel(first, id), `Proposal[${id}] expired`);
  });

  it("accepts one approval per witness, which can be withdrawn", () => {
    const id = fixture.propose([[FREE_NET_LIMIT, 1500n]], 3);
    refused(() => approve(first, id), `Witness[${first.address}]has approved proposal[${id}] before`);
    approve(first, id, false);
    refused(() => approve(first, id, false), `Witness[${first.address}]has not approved proposal[${id}] before`);
    refused(() => approve(first, 99n), "Proposal[99] not exists");
    refused(() => approve(nonWitness, id), `Witness[${nonWitness.address}] not exists`);
    fixture.test.mine();
    fixture.chain.warp(4 * DAY_MS);
    fixture.toMaintenance(2);
    assert.equal(state(id), "DISAPPROVED");
  });

  it("lets the proposer cancel a proposal", () => {
    const id = fixture.propose([[FREE_NET_LIMIT, 1500n]], 5);
    refused(() => cancel(second, id), `Proposal[${id}] is not proposed by ${second.address}`);
    refused(() => cancel(first, 99n), "Proposal[99] not exists");
    cancel(first, id);
    assert.equal(state(id), "CANCELED");
    refused(() => cancel(first, id), `Proposal[${id}] canceled`);
    refused(() => approve(second, id, false), `Proposal[${id}] canceled`);
    fixture.test.mine();
    fixture.chain.warp(4 * DAY_MS);
    fixture.toMaintenance(2);
    assert.equal(fixture.chain.parameters.getFreeNetLimit, 600);
  });

  it("enables operations for new accounts and extends the price history", async () => {
    const id = fixture.propose(
      [
        [70n, 7n],
        [11n, 300n],
      ],
      5,
    );
    const { expiresAt = 0 } = fixture.chain.pendingState.tables.proposals.get(Number(id)) ?? {};
    fixture.chain.warp(4 * DAY_MS);
    fixture.toMaintenance(2);
    const { prices } = await fixture.test.ask("/wallet/getenergyprices", {});
    assert.equal(prices, `0:210,${expiresAt}:300`);
    const to = `41${"cd".repeat(20)}` as Person["address"];
    await fixture.test.send(fixture.test.transfer({ to, amount: 5n }));
    const operations = fixture.chain.pendingState.account(to)?.activePermissions[0]?.operations ?? new Uint8Array();
    assert.equal(Buffer.from(operations).toString("hex").slice(0, 16), "7fff1fc0033ec10f");
    const before = fixture.account(nonWitness).activePermissions[0]?.operations ?? new Uint8Array();
    assert.equal(Buffer.from(before).toString("hex").slice(0, 16), "7fff1fc0033e0108");
  });

  it("lists proposals newest first, and in pages oldest first", async () => {
    const [a, b] = [fixture.propose([[FREE_NET_LIMIT, 1n]], 0), fixture.propose([[FREE_NET_LIMIT, 2n]], 1)];
    const numbers = async (path: string, body: { readonly [field: string]: number } = {}): Promise<unknown> => {
      const { proposals } = await fixture.test.ask(`/wallet/${path}`, body);
      return (proposals as readonly { proposal_id: number }[] | undefined)?.map(({ proposal_id }) => proposal_id);
    };
    assert.deepEqual([a, b], [2n, 3n], "proposal 1 is of the genesis block");
    assert.deepEqual(await numbers("listproposals"), [3, 2, 1]);
    assert.deepEqual(await numbers("getpaginatedproposallist", { offset: 1, limit: 5 }), [2, 3]);
    assert.deepEqual(await numbers("getpaginatedproposallist", { offset: 0, limit: 2 }), [1, 2]);
    for (const page of [
      { offset: 3, limit: 1 },
      { offset: -1, limit: 1 },
      { offset: 0, limit: -1 },
    ]) {
      assert.deepEqual(await fixture.test.ask("/wallet/getpaginatedproposallist", page), {});
    }
  });
});

describe("proposals of a new chain", () => {
  it("consist of the recorded chain's proposal and one for the overrides", async () => {
    const { test } = await votingFixture({ getMaxCpuTimeOfOneTx: 400 });
    const { proposals } = await test.ask("/wallet/listproposals", {});
    const values = (proposals as readonly { parameters: readonly { key: number; value: number }[] }[]).map(
      ({ parameters }) => parameters,
    );
    assert.deepEqual(values, [
      [{ key: 13, value: 400 }],
      [
        { key: 3, value: 1000 },
        { key: 7, value: 1_000_000 },
        { key: 11, value: 210 },
        { key: 13, value: 80 },
        { key: 19, value: 180_000_000_000 },
        { key: 47, value: 15_000_000_000 },
        { key: 61, value: 600 },
        { key: 77, value: 1 },
        { key: 78, value: 864_000 },
      ],
    ]);
  });
});
