import assert from "node:assert/strict";
import { type Person, type VotingFixture, votingFixture } from "../../../../test/support/chain/voting-fixture.ts";
import {
  ProposalApproveContractSchema,
  ProposalCreateContractSchema,
  ProposalDeleteContractSchema,
} from "../../../tron/src/transaction/gen/transaction_pb.js";

const DAY_MS = 86_400_000;
const FREE_NET_LIMIT = 61n;

describe("proposals on the embedded chain", () => {
  let fixture: VotingFixture;
  let first: Person;
  let second: Person;
  let somebody: Person;

  beforeEach(async () => {
    fixture = await votingFixture();
    [first, second] = fixture.witnesses as [Person, Person];
    somebody = fixture.people[1] as Person;
  });

  const create = (who: Person, ...values: readonly (readonly [bigint, bigint])[]): unknown =>
    fixture.send(who, ProposalCreateContractSchema, {
      ownerAddress: who.bytes,
      parameters: values.map(([key, value]) => ({ key, value })),
    });
  const approve = (who: Person, proposalId: bigint, isAddApproval = true): unknown =>
    fixture.send(who, ProposalApproveContractSchema, { ownerAddress: who.bytes, proposalId, isAddApproval });
  const takeBack = (who: Person, proposalId: bigint): unknown =>
    fixture.send(who, ProposalDeleteContractSchema, { ownerAddress: who.bytes, proposalId });
  const refused = (act: () => unknown, message: string): void =>
    assert.throws(act, (error: Error) => {
      assert.equal(error.message, message);
      return true;
    });
  const state = (id: bigint): string | undefined => fixture.chain.pendingState.tables.proposals.get(Number(id))?.state;

  it("are made by witnesses, of parameters that there are and values that they may have", () => {
    refused(() => create(somebody, [FREE_NET_LIMIT, 1n]), `Witness[${somebody.address}] not exists`);
    refused(() => create(first), "This proposal has no parameter.");
    refused(() => create(first, [1234n, 1n]), "Does not support code : 1234");
    refused(() => create(first, [FREE_NET_LIMIT, 100_001n]), "Bad chain parameter value, valid range is [0,100_000]");
  });

  it("come into force with the maintenance after three days when 70 % of the witnesses have approved", async () => {
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
    const { freeNetLimit } = await fixture.test.ask("/wallet/getaccountresource", { address: somebody.address });
    assert.equal(freeNetLimit, 1500);
  });

  it("change nothing when fewer have approved", () => {
    const id = fixture.propose([[FREE_NET_LIMIT, 1500n]], 2);
    fixture.chain.warp(4 * DAY_MS);
    fixture.toMaintenance(2);
    assert.equal(state(id), "DISAPPROVED");
    assert.equal(fixture.chain.parameters.getFreeNetLimit, 600);
    refused(() => approve(second, id), `Proposal[${id}] expired`);
    refused(() => takeBack(first, id), `Proposal[${id}] expired`);
  });

  it("are approved once by each, and an approval can be taken back", () => {
    const id = fixture.propose([[FREE_NET_LIMIT, 1500n]], 3);
    refused(() => approve(first, id), `Witness[${first.address}]has approved proposal[${id}] before`);
    approve(first, id, false);
    refused(() => approve(first, id, false), `Witness[${first.address}]has not approved proposal[${id}] before`);
    refused(() => approve(first, 99n), "Proposal[99] not exists");
    refused(() => approve(somebody, id), `Witness[${somebody.address}] not exists`);
    fixture.test.mine();
    fixture.chain.warp(4 * DAY_MS);
    fixture.toMaintenance(2);
    assert.equal(state(id), "DISAPPROVED");
  });

  it("are taken back by who made them", () => {
    const id = fixture.propose([[FREE_NET_LIMIT, 1500n]], 5);
    refused(() => takeBack(second, id), `Proposal[${id}] is not proposed by ${second.address}`);
    refused(() => takeBack(first, 99n), "Proposal[99] not exists");
    takeBack(first, id);
    assert.equal(state(id), "CANCELED");
    refused(() => takeBack(first, id), `Proposal[${id}] canceled`);
    refused(() => approve(second, id, false), `Proposal[${id}] canceled`);
    fixture.test.mine();
    fixture.chain.warp(4 * DAY_MS);
    fixture.toMaintenance(2);
    assert.equal(fixture.chain.parameters.getFreeNetLimit, 600);
  });

  it("let new accounts do what they have opened, and tell since when a price holds", async () => {
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
    const before = fixture.account(somebody).activePermissions[0]?.operations ?? new Uint8Array();
    assert.equal(Buffer.from(before).toString("hex").slice(0, 16), "7fff1fc0033e0108");
  });

  it("are listed, the newest first, and in pages, the oldest first", async () => {
    const [a, b] = [fixture.propose([[FREE_NET_LIMIT, 1n]], 0), fixture.propose([[FREE_NET_LIMIT, 2n]], 1)];
    const numbers = async (path: string, body: { readonly [field: string]: number } = {}): Promise<unknown> => {
      const { proposals } = await fixture.test.ask(`/wallet/${path}`, body);
      return (proposals as readonly { proposal_id: number }[] | undefined)?.map(({ proposal_id }) => proposal_id);
    };
    assert.deepEqual([a, b], [2n, 3n], "one is of the genesis block");
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

describe("the proposals of a chain that has just begun", () => {
  it("are that of the recorded chain, and one with what its parameters have otherwise", async () => {
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
