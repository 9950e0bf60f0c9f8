import assert from "node:assert/strict";
import type { TxId } from "../../../../src/core/primitives/bytes.ts";
import { hexToBytes } from "../../../../src/core/primitives/bytes.ts";
import type { JsonObject } from "../../../../src/core/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../../src/core/transaction/signature.ts";
import { testChain } from "../../../support/chain/test-chain.ts";

const COIN = 1_000_000;

describe("what JSON-RPC takes for the value and the receiver of other transactions", () => {
  it("is what comes back of a stake, and whom a stake is lent to", async () => {
    const chain = await testChain({ parameters: { getUnfreezeDelayDays: 1 } });
    const [owner, friend] = chain.accounts;
    assert.ok(owner && friend);
    const sent = async (path: string, body: JsonObject): Promise<JsonObject> => {
      const built = await chain.ask(`/wallet/${path}`, { owner_address: owner.hex, ...body });
      const id = String(built.txID) as TxId;
      const signature = [signTransactionId(id, hexToBytes(owner.privateKey) as PrivateKey)];
      assert.equal((await chain.ask("/wallet/broadcasttransaction", { ...built, signature })).result, true);
      chain.mine();
      const request = { jsonrpc: "2.0", id: 1, method: "eth_getTransactionByHash", params: [id] };
      return (await chain.ask("/jsonrpc", request)).result as JsonObject;
    };
    const both = ({ to, value }: JsonObject) => [to, value];
    const lent = `0x${friend.hex.slice(2)}`;
    const energy = { resource: "ENERGY" };
    assert.deepEqual(both(await sent("freezebalancev2", { ...energy, frozen_balance: 9 * COIN })), [null, "0x0"]);
    assert.deepEqual(both(await sent("delegateresource", { ...energy, balance: COIN, receiver_address: friend.hex })), [
      lent,
      "0x0",
    ]);
    await sent("unfreezebalancev2", { ...energy, unfreeze_balance: COIN });
    assert.deepEqual(both(await sent("cancelallunfreezev2", {})), [null, `0x${COIN.toString(16)}`]);
    await sent("unfreezebalancev2", { ...energy, unfreeze_balance: 2 * COIN });
    chain.simulation.chain.warp(86_400_000);
    chain.mine();
    assert.deepEqual(both(await sent("withdrawexpireunfreeze", {})), [null, `0x${(2 * COIN).toString(16)}`]);
  });
});
