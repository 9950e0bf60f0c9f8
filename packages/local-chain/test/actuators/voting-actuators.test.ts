import assert from "node:assert/strict";
import { COIN, type Person, type VotingFixture, votingFixture } from "../../../../test/support/chain/voting-fixture.ts";
import {
  AccountPermissionUpdateContractSchema,
  UpdateBrokerageContractSchema,
  VoteWitnessContractSchema,
  WitnessCreateContractSchema,
  WitnessUpdateContractSchema,
} from "../../../tron/src/transaction/gen/transaction_pb.js";

const url = new TextEncoder().encode("http://new.invalid");

function refused(act: () => unknown, message: string): void {
  assert.throws(act, (error: Error) => {
    assert.equal(error.message, message);
    return true;
  });
}

describe("contracts about votes and witnesses", () => {
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
    fixture.send(voter, VoteWitnessContractSchema, { ownerAddress: voter.bytes, votes: [...votes] });

  it("refuse votes that are none, too many, for nobody, or more than the stake covers", () => {
    const one = { voteAddress: witness.bytes, voteCount: 1n };
    refused(() => vote(), "VoteNumber must more than 0");
    refused(() => vote(...new Array<typeof one>(31).fill(one)), "VoteNumber more than maxVoteNumber 30");
    refused(() => vote({ ...one, voteAddress: new Uint8Array(21) }), "Invalid vote address!");
    refused(() => vote({ ...one, voteCount: 0n }), "vote count must be greater than 0");
    const nobody = Uint8Array.of(0x41, ...new Uint8Array(20).fill(0xab));
    refused(() => vote({ ...one, voteAddress: nobody }), `Account[41${"ab".repeat(20)}] not exists`);
    refused(() => vote({ ...one, voteAddress: voter.bytes }), `Witness[${voter.address}] not exists`);
    refused(() => vote(one), "The total number of votes[1000000] is greater than the tronPower[0]");
    const most = { ...one, voteCount: (1n << 63n) - 1n };
    refused(() => vote(most, one), "overflow: checkedAdd(9223372036854775807, 1)");
    refused(() => vote(most), "overflow: checkedMultiply(9223372036854775807, 1000000)");
  });

  it("let somebody with 9,999 coins become a witness, once, with a permission to make blocks", async () => {
    const create = (who: Person, text = url): { readonly fee: bigint } =>
      fixture.send(who, WitnessCreateContractSchema, { ownerAddress: who.bytes, url: text });
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

  it("let a witness show another address on the web, and nobody else", async () => {
    const update = (who: Person, updateUrl: Uint8Array): unknown =>
      fixture.send(who, WitnessUpdateContractSchema, { ownerAddress: who.bytes, updateUrl });
    refused(() => update(voter, url), "Witness does not exist");
    refused(() => update(voter, new Uint8Array()), "Invalid url");
    update(witness, url);
    const { witnesses } = await fixture.test.ask("/wallet/listwitnesses", {});
    const shown = (witnesses as readonly { address: string; url: string }[]).find(
      (it) => it.address === witness.address,
    );
    assert.equal(shown?.url, "http://new.invalid");
  });

  it("take a brokerage from 0 to 100 from a witness", () => {
    const update = (who: Person, brokerage: number): unknown =>
      fixture.send(who, UpdateBrokerageContractSchema, { ownerAddress: who.bytes, brokerage });
    for (const brokerage of [-1, 101]) refused(() => update(witness, brokerage), "Invalid brokerage");
    refused(() => update(voter, 5), `Not existed witness:${voter.address}`);
    update(witness, 0);
    assert.equal(fixture.witness(witness).brokerage, 0);
  });

  it("make a witness name who signs its blocks when it changes its permissions", () => {
    const key = { address: witness.bytes, weight: 1n };
    const owner = { type: 0, permissionName: "owner", threshold: 1n, keys: [key] };
    const operations = Uint8Array.from({ length: 32 }, (_, index) => (index === 5 ? 0x40 : 0));
    const active = { type: 2, permissionName: "active", threshold: 1n, operations, keys: [key] };
    const block = { type: 1, permissionName: "witness", threshold: 1n, keys: [key] };
    const update = (who: Person, more: object): unknown =>
      fixture.send(who, AccountPermissionUpdateContractSchema, {
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
    assert.equal(fixture.account(witness).activePermissions[0]?.operations[5], 0x40, "contract type 46 may be named");
  });
});
