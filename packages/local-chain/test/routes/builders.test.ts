import assert from "node:assert/strict";
import { contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";

const MOST = 9_223_372_036_854_775_807n;

describe("builder validation", () => {
  let chain: TestChain;
  let owner: string;
  let friend: string;

  before(async () => {
    chain = await testChain();
    [owner, friend] = chain.accounts.map(({ hex }) => hex as string) as [string, string];
  });

  /** Returns the message of a refusal, or undefined if the builder returned a transaction. */
  async function refusal(path: string, body: JsonObject): Promise<string | undefined> {
    const { Error: message } = await chain.ask(`/wallet/${path}`, { owner_address: owner, ...body });
    return message === undefined ? undefined : String(message).replace(/^.* : /u, "");
  }

  /** Returns the refusal of an update to two permissions of one key each, with changes. */
  function permissions(own: JsonObject, active: JsonObject = {}): Promise<string | undefined> {
    const common = { threshold: 1, keys: [{ address: friend, weight: 1 }] };
    const operations = `7fff1fc0033e0100${"00".repeat(24)}`;
    return refusal("accountpermissionupdate", {
      owner: { type: 0, permission_name: "owner", ...common, ...own },
      actives: [{ type: 2, permission_name: "active", operations, ...common, ...active }],
    });
  }

  it("limits a permission name by characters, not bytes", async () => {
    assert.equal(await permissions({ permission_name: "ö".repeat(32) }), undefined);
    assert.equal(await permissions({ permission_name: "ö".repeat(33) }), "permission's name is too long");
  });

  it("checks the owner permission before the others", async () => {
    const threshold = "permission's threshold should be greater than 0";
    assert.equal(await permissions({ threshold: 0 }, { type: 0 }), threshold);
    assert.equal(await permissions({}, { type: 0, threshold: 0 }), "active permission type is error");
  });

  it("refuses weights whose sum exceeds 63 bits", async () => {
    const weights = [owner, friend].map((address) => ({ address, weight: MOST }));
    assert.equal(await permissions({ keys: weights }), "long overflow");
  });

  it("refuses an amount that exceeds 63 bits with the fee for a new account", async () => {
    const body = (to: string): JsonObject => ({ to_address: to, amount: MOST });
    assert.equal(await refusal("createtransaction", body(`41${"77".repeat(20)}`)), "long overflow");
    const message = "Validate TransferContract error, balance is not sufficient.";
    assert.equal(await refusal("createtransaction", body(friend)), message);
  });
});

describe("transfer to a contract, where the chain allows it", () => {
  it("is refused for contracts of the current version, with the node's message", async () => {
    const contracts = await contractFixture({ getForbidTransferToContract: 0 });
    const body = {
      owner_address: contracts.chain.accounts[0]?.hex ?? "",
      to_address: await contracts.install("00"),
      amount: 1,
    };
    const { Error: message } = await contracts.ask("createtransaction", body);
    assert.match(String(message), /version is one\. Instead please use TriggerSmartContract $/u);
  });
});
