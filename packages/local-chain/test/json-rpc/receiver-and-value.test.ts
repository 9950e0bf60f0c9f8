import assert from "node:assert/strict";
import { addressAt, done } from "../../../../test/support/chain/build-and-send.ts";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { DAY_MS, FIRST_TOKEN, issue, tokenBody } from "../../../../test/support/chain/tokens.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";

const COIN = 1_000_000;

describe("what JSON-RPC takes for the value and the receiver of a transaction", () => {
  let chain: TestChain;
  const short = (index: number): string => `0x${addressAt(chain, index).slice(2)}`;
  const quantity = (value: number): string => `0x${value.toString(16)}`;

  async function shown(path: string, body: JsonObject, by = 0): Promise<readonly unknown[]> {
    const { id } = await done(chain, path, body, by);
    const request = { jsonrpc: "2.0", id: 1, method: "eth_getTransactionByHash", params: [id ?? null] };
    const { to, value } = (await chain.ask("/jsonrpc", request)).result as JsonObject;
    return [to, value];
  }

  it("is what comes back of a stake, and whom a stake is lent to", async () => {
    chain = await testChain({ parameters: { getUnfreezeDelayDays: 1 } });
    const energy = { resource: "ENERGY" };
    assert.deepEqual(await shown("freezebalancev2", { ...energy, frozen_balance: 9 * COIN }), [null, "0x0"]);
    const loan = { ...energy, balance: COIN, receiver_address: addressAt(chain, 1) };
    assert.deepEqual(await shown("delegateresource", loan), [short(1), "0x0"]);
    await shown("unfreezebalancev2", { ...energy, unfreeze_balance: COIN });
    assert.deepEqual(await shown("cancelallunfreezev2", {}), [null, quantity(COIN)]);
    await shown("unfreezebalancev2", { ...energy, unfreeze_balance: 2 * COIN });
    chain.simulation.chain.warp(DAY_MS);
    chain.mine();
    assert.deepEqual(await shown("withdrawexpireunfreeze", {}), [null, quantity(2 * COIN)]);
  });

  it("is what a token costs on the public networks, and how many tokens are sent", async () => {
    chain = await testChain({ parameters: { getAssetIssueFee: 5 } });
    const frozen_supply = [{ frozen_amount: 9, frozen_days: 1 }];
    assert.deepEqual(await shown("createassetissue", tokenBody(chain, { frozen_supply })), [
      null,
      quantity(1024 * COIN),
    ]);
    const sent = { to_address: addressAt(chain, 1), asset_name: FIRST_TOKEN, amount: 7 };
    assert.deepEqual(await shown("transferasset", sent), [short(1), "0x7"]);
    chain.mine(3);
    const bought = { to_address: addressAt(chain, 0), asset_name: FIRST_TOKEN, amount: 70 };
    assert.deepEqual(await shown("participateassetissue", bought, 1), [short(0), "0x0"], "the node forgets the price");
    chain.simulation.chain.warp(2 * DAY_MS);
    chain.mine();
    assert.deepEqual(await shown("unfreezeasset", {}), [null, "0x9"]);
  });

  it("is how many votes are given, and to whom first", async () => {
    chain = await testChain();
    await shown("freezebalancev2", { frozen_balance: 10 * COIN, resource: "TRON_POWER" });
    const { witnesses } = await chain.ask("/wallet/listwitnesses");
    const [first, second] = (witnesses as readonly JsonObject[]).map(({ address }) => String(address));
    const votes = [
      { vote_address: first ?? "", vote_count: 3 },
      { vote_address: second ?? "", vote_count: 4 },
    ];
    assert.deepEqual(await shown("votewitnessaccount", { votes }), [`0x${first?.slice(2)}`, "0x7"]);
  });

  it("is what goes into an exchange and out of it", async () => {
    chain = await testChain({ parameters: { getExchangeCreateFee: 5 } });
    await issue(chain);
    const pair = { second_token_id: "5f", second_token_balance: 100 * COIN };
    const made = { first_token_id: FIRST_TOKEN, first_token_balance: 1000, ...pair };
    assert.deepEqual(await shown("exchangecreate", made), [null, quantity(1024 * COIN)]);
    const quant = { exchange_id: 1, token_id: FIRST_TOKEN, quant: 10 };
    assert.deepEqual(await shown("exchangeinject", quant), [null, "0xa"]);
    assert.deepEqual(await shown("exchangewithdraw", quant), [null, "0xa"]);
    assert.deepEqual(await shown("exchangetransaction", { ...quant, expected: 1 }), [null, "0xa"]);
  });
});
