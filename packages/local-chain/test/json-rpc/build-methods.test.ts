import assert from "node:assert/strict";
import { FIRST_TOKEN, issue } from "../../../../test/support/chain/build-and-send.ts";
import { deploymentOfT, type RpcFixture, rpcFixture, shortOf } from "../../../../test/support/chain/rpc-fixture.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";

/** `test/conformance/json-rpc.test.ts` compares more answers with recordings of a real node. */
describe("buildTransaction", () => {
  let rpc: RpcFixture;
  let owner: string;
  let friend: string;

  before(async () => {
    rpc = await rpcFixture();
    [owner, friend] = rpc.chain.accounts.map(shortOf) as [string, string];
  });

  const build = async (request: JsonObject): Promise<JsonObject> => {
    const { transaction } = (await rpc.result("buildTransaction", request)) as { readonly transaction: JsonObject };
    return transaction;
  };
  const rawOf = (transaction: JsonObject): JsonObject => transaction.raw_data as JsonObject;
  const contractOf = (transaction: JsonObject): JsonObject => {
    const [contract] = rawOf(transaction).contract as readonly JsonObject[];
    assert.ok(contract);
    return { type: contract.type, ...((contract.parameter as JsonObject).value as JsonObject) };
  };

  it("builds a token transfer for a token id and amount without coins", async () => {
    await issue(rpc.chain);
    const tokens = { from: owner, to: friend, tokenId: 1_000_001, tokenValue: 7 };
    const expected = { asset_name: FIRST_TOKEN, amount: 7, owner_address: `41${owner.slice(2)}` };
    const built = contractOf(await build({ ...tokens, value: "0x0" }));
    assert.deepEqual(built, { type: "TransferAssetContract", ...expected, to_address: `41${friend.slice(2)}` });
    assert.equal(contractOf(await build({ ...tokens, value: "0x1" })).type, "TransferContract");
    assert.equal((await rpc.error("buildTransaction", { ...tokens, tokenId: 5 })).message, "No asset!");
    const called = contractOf(await build({ ...tokens, to: rpc.contract }));
    assert.deepEqual([called.token_id, called.call_token_value], [1_000_001, 7]);
  });

  it("builds a contract call with a fee limit from its gas", async () => {
    const built = await build({ from: owner, to: rpc.contract, data: "0x1234", gas: "0x64", permissionId: 2 });
    assert.deepEqual(contractOf(built), {
      type: "TriggerSmartContract",
      data: "1234",
      owner_address: `41${owner.slice(2)}`,
      contract_address: `41${rpc.contract.slice(2)}`,
    });
    assert.equal(rawOf(built).fee_limit, 100 * 210);
  });

  it("builds a deployment with ABI and name", async () => {
    const { new_contract: made } = contractOf(await build({ ...deploymentOfT(owner), gas: "0x64" }));
    const { name, abi, consume_user_resource_percent: percent } = made as JsonObject;
    assert.deepEqual([name, percent], ["T", 100]);
    assert.ok(((abi as JsonObject).entrys as readonly JsonObject[]).length > 20);
  });

  it("refuses transactions that the chain refuses", async () => {
    const { code, message } = await rpc.error("buildTransaction", { from: owner, to: owner, value: "0x1" });
    assert.equal(code, -32600);
    assert.match(String(message), /Cannot transfer/);
  });
});
