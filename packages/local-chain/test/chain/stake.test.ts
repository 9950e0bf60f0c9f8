import assert from "node:assert/strict";
import { messageOf, type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";
import { type Address, parseAddress } from "../../../tron/src/primitives/address.ts";
import { hexToBytes, type TxId } from "../../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../tron/src/transaction/signature.ts";

const COIN = 1_000_000;
const DAY_MS = 86_400_000;
const REFUSED = "class org.tron.core.exception.ContractValidateException : ";

describe("stake handling", () => {
  it("S118 refuses a stake that is not positive, below one coin, or above the balance", async () => {
    const chain = await testChain();
    for (const amount of [0, -1]) {
      assert.equal(
        await refusal(chain, "freezebalancev2", { frozen_balance: amount }),
        "frozenBalance must be positive",
      );
    }
    assert.equal(
      await refusal(chain, "freezebalancev2", { frozen_balance: COIN - 1 }),
      "frozenBalance must be greater than or equal to 1 TRX",
    );
    assert.equal(
      await refusal(chain, "freezebalancev2", { frozen_balance: 10_001 * COIN }),
      "frozenBalance must be less than or equal to accountBalance",
    );
  });

  it("S75 gives bandwidth and energy in proportion to all stakes", async () => {
    const chain = await testChain();
    await done(chain, "freezebalancev2", { frozen_balance: 300 * COIN, resource: "ENERGY" });
    await done(chain, "freezebalancev2", { frozen_balance: 100 * COIN, resource: "ENERGY" }, 1);
    await done(chain, "freezebalancev2", { frozen_balance: 50 * COIN });
    const resources = await of(chain, "getaccountresource", 0);
    assert.deepEqual([resources.EnergyLimit, resources.TotalEnergyWeight], [135_000_000_000, 400]);
    assert.deepEqual([resources.NetLimit, resources.TotalNetWeight], [43_200_000_000, 50]);
    const account = await of(chain, "getaccount", 0);
    assert.deepEqual(account.frozenV2, [
      { amount: 50 * COIN },
      { type: "ENERGY", amount: 300 * COIN },
      { type: "TRON_POWER" },
    ]);
    assert.equal(account.balance, 9650 * COIN);
  });

  it("pays bytes with staked bandwidth, which recovers within a day", async () => {
    const chain = await testChain();
    await done(chain, "freezebalancev2", { frozen_balance: 50 * COIN });
    for (const amount of [1n, 2n, 3n]) await chain.send(chain.transfer({ amount }));
    chain.mine();
    const used = async () => (await of(chain, "getaccountresource", 0)).NetUsed;
    assert.equal(await used(), 3 * 265 - 1, "one slot has recovered a part");
    await chain.ask("/local/warp", { ms: DAY_MS / 2 });
    assert.equal(await used(), 397);
    await chain.ask("/local/warp", { ms: DAY_MS / 2 });
    assert.equal(await used(), undefined);
  });

  it("returns a stake after 14 days, with the amount in the receipt", async () => {
    const chain = await testChain();
    await done(chain, "freezebalancev2", { frozen_balance: 50 * COIN, resource: "ENERGY" });
    assert.equal(await refusal(chain, "unfreezebalancev2", { unfreeze_balance: 1 }), "no frozenBalance(BANDWIDTH)");
    await done(chain, "unfreezebalancev2", { unfreeze_balance: 20 * COIN, resource: "ENERGY" });
    assert.deepEqual(await query(chain, "getavailableunfreezecount"), { count: 31 });
    assert.equal(await refusal(chain, "withdrawexpireunfreeze", {}), "no unFreeze balance to withdraw ");

    await chain.ask("/local/warp", { ms: 14 * DAY_MS });
    const newest = chain.simulation.chain.head.header.timestamp;
    assert.deepEqual(await query(chain, "getcanwithdrawunfreezeamount", { timestamp: newest }), { amount: 20 * COIN });
    const info = await done(chain, "withdrawexpireunfreeze", {});
    assert.equal(info.withdraw_expire_amount, 20 * COIN);
    assert.equal((await of(chain, "getaccount", 0)).unfrozenV2, undefined);
    assert.equal((await of(chain, "getaccount", 0)).balance, 9970 * COIN);
    assert.deepEqual(await query(chain, "getavailableunfreezecount"), { count: 32 });
  });

  it("cancels unstaking, and allows 32 pending entries", async () => {
    const chain = await testChain();
    assert.equal(await refusal(chain, "cancelallunfreezev2", {}), "No unfreezeV2 list to cancel");
    await done(chain, "freezebalancev2", { frozen_balance: 50 * COIN });
    for (let part = 0; part < 32; part += 1) await done(chain, "unfreezebalancev2", { unfreeze_balance: COIN });
    assert.equal((await of(chain, "getaccountresource", 0)).TotalNetWeight, 18);
    assert.equal(
      await refusal(chain, "unfreezebalancev2", { unfreeze_balance: COIN }),
      "Invalid unfreeze operation, unfreezing times is over limit",
    );

    const info = await done(chain, "cancelallunfreezev2", {});
    assert.deepEqual(info.cancel_unfreezeV2_amount, [
      { key: "ENERGY", value: 0 },
      { key: "TRON_POWER", value: 0 },
      { key: "BANDWIDTH", value: 32 * COIN },
    ]);
    assert.equal((await of(chain, "getaccountresource", 0)).TotalNetWeight, 50);
  });

  it("S119 S150 delegates at least one coin", async () => {
    const chain = await testChain();
    await done(chain, "freezebalancev2", { frozen_balance: 5 * COIN, resource: "ENERGY" });
    const lending = { resource: "ENERGY", receiver_address: addressOf(chain, 1) };
    assert.equal(
      await refusal(chain, "delegateresource", { ...lending, balance: COIN - 1 }),
      "delegateBalance must be greater than or equal to 1 TRX",
    );
    await done(chain, "delegateresource", { ...lending, balance: COIN });
    assert.equal((await of(chain, "getaccount", 1)).balance, 10_000 * COIN);
    assert.equal((await of(chain, "getaccountresource", 1)).EnergyLimit, 36_000_000_000);
    assert.deepEqual(await query(chain, "getcandelegatedmaxsize", { type: 1 }), { max_size: 4 * COIN });
    assert.equal(
      await refusal(chain, "unfreezebalancev2", { unfreeze_balance: 5 * COIN, resource: "ENERGY" }),
      `Invalid unfreeze_balance, [${5 * COIN}] is error`,
    );
  });

  it("withholds the used part, and while building also the bytes of the delegation", async () => {
    const chain = await testChain();
    await done(chain, "freezebalancev2", { frozen_balance: 10_000 * COIN - 1, resource: "BANDWIDTH" }, 1);
    await done(chain, "freezebalancev2", { frozen_balance: 5 * COIN });
    // 275 for one coin, 2 for the lock and 4 for its longest period: 281 of 43,200,000,000 for 10,004 coins.
    const ownBytes = Math.trunc(281 * 1e6 * (10_004 / 43_200_000_000));
    assert.deepEqual(await query(chain, "getcandelegatedmaxsize", { type: 0 }), { max_size: 5 * COIN - ownBytes });
    const lending = { receiver_address: addressOf(chain, 1), balance: 5 * COIN };
    assert.equal(
      await refusal(chain, "delegateresource", lending),
      "delegateBalance must be less than or equal to available FreezeBandwidthV2 balance",
    );
    await done(chain, "delegateresource", { ...lending, balance: 5 * COIN - ownBytes });
  });

  it("undelegates, but not before a lock ends", async () => {
    const chain = await testChain();
    const lending = { resource: "ENERGY", receiver_address: addressOf(chain, 1) };
    await done(chain, "freezebalancev2", { frozen_balance: 5 * COIN, resource: "ENERGY" });
    assert.equal(
      await refusal(chain, "undelegateresource", { ...lending, balance: COIN }),
      "delegated Resource does not exist",
    );
    await done(chain, "delegateresource", { ...lending, balance: 2 * COIN, lock: true, lock_period: 100 });
    assert.match(
      await refusal(chain, "delegateresource", { ...lending, balance: COIN, lock: true, lock_period: 50 }),
      /^The lock period for ENERGY this time cannot be less than the remaining time\[297000ms\] of the last lock period for ENERGY!$/,
    );
    assert.equal(
      await refusal(chain, "delegateresource", { ...lending, balance: COIN, lock: true, lock_period: 864_001 }),
      "The lock period of delegate resource cannot be less than 0 and cannot exceed 864000!",
    );
    assert.equal(
      await refusal(chain, "undelegateresource", { ...lending, balance: COIN }),
      `insufficient delegateFrozenBalance(Energy), request=${COIN}, unlock_balance=0`,
    );

    await chain.ask("/local/warp", { ms: 300_000 });
    await done(chain, "undelegateresource", { ...lending, balance: 2 * COIN });
    const parties = { fromAddress: addressOf(chain, 0), toAddress: addressOf(chain, 1) };
    assert.deepEqual(await chain.ask("/wallet/getdelegatedresourcev2", parties), {});
    assert.deepEqual(await chain.ask("/wallet/getdelegatedresourceaccountindexv2", { value: parties.toAddress }), {
      account: parties.toAddress,
    });
    assert.equal((await of(chain, "getaccountresource", 1)).EnergyLimit, undefined);
  });

  it("undelegates from an account that no longer exists", async () => {
    const chain = await testChain();
    await done(chain, "freezebalancev2", { frozen_balance: 5 * COIN });
    const lending = { receiver_address: addressOf(chain, 1), balance: 2 * COIN };
    await done(chain, "delegateresource", lending);
    chain.mine(5);
    chain.simulation.chain.solidState.removeContract(addressIn(chain, 1));
    await done(chain, "undelegateresource", lending);
    assert.deepEqual((await of(chain, "getaccount", 0)).frozenV2, [
      { amount: 5 * COIN },
      { type: "ENERGY" },
      { type: "TRON_POWER" },
    ]);
    assert.deepEqual(await of(chain, "getaccount", 1), {});
  });

  it("does not delegate to missing accounts, malformed addresses or the owner", async () => {
    const chain = await testChain();
    await done(chain, "freezebalancev2", { frozen_balance: 5 * COIN });
    const to = (receiver: string) => refusal(chain, "delegateresource", { balance: COIN, receiver_address: receiver });
    assert.equal(await to(addressOf(chain, 0)), "receiverAddress must not be the same as ownerAddress");
    assert.equal(await to(`41${"ab".repeat(20)}`), `Account[41${"ab".repeat(20)}] not exists`);
    assert.equal(await to("41ab"), "Invalid receiverAddress");
  });

  it("answers GET like POST on both sides, with {} for missing accounts", async () => {
    const chain = await testChain();
    await done(chain, "freezebalancev2", { frozen_balance: 5 * COIN, resource: "ENERGY" });
    chain.mine(5);
    const query = `/wallet/getcandelegatedmaxsize?owner_address=${addressOf(chain, 0)}&type=1`;
    const got = await answer(new Request(`http://chain${query}`), "/wallet/getcandelegatedmaxsize", chain.simulation);
    assert.ok(got.kind === "answer");
    assert.deepEqual(JSON.parse(await got.response.text()), { max_size: 5 * COIN });
    const solid = { owner_address: addressOf(chain, 0), type: 1 };
    assert.deepEqual(await chain.ask("/walletsolidity/getcandelegatedmaxsize", solid), { max_size: 5 * COIN });
    const stranger = { owner_address: `41${"ab".repeat(20)}` };
    for (const path of ["getcandelegatedmaxsize", "getavailableunfreezecount", "getcanwithdrawunfreezeamount"]) {
      assert.deepEqual(await chain.ask(`/wallet/${path}`, stranger), {});
    }
  });

  it("parses form bodies, as most of the node's servlets for stake do", async () => {
    const chain = await testChain();
    const sent = async (name: string): Promise<string> => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const body = `owner_address=${addressOf(chain, 0)}`;
      const request = new Request(`http://chain/wallet/${name}`, { method: "POST", headers, body });
      const got = await answer(request, `/wallet/${name}`, chain.simulation);
      assert.ok(got.kind === "answer");
      return await got.response.text();
    };

    assert.match(await sent("cancelallunfreezev2"), /No unfreezeV2 list to cancel/);
    assert.match(await sent("withdrawexpireunfreeze"), /JSONException : syntax error, pos 1, line 1, column 2owner/);
  });

  it("refuses a contract at broadcast that an earlier transaction invalidated", async () => {
    const chain = await testChain();
    const [first, second] = await Promise.all(
      [1, 2].map((coin) => built(chain, "freezebalancev2", { frozen_balance: (9000 + coin) * COIN }, 0)),
    );
    assert.equal((await chain.ask("/wallet/broadcasttransaction", first)).result, true);
    const refused = await chain.ask("/wallet/broadcasttransaction", second);
    assert.equal(refused.code, "CONTRACT_VALIDATE_ERROR");
    assert.equal(
      messageOf(refused),
      "Contract validate error : frozenBalance must be less than or equal to accountBalance",
    );
  });
});

function addressOf(chain: TestChain, index: number): string {
  return chain.accounts[index]?.hex ?? "";
}

function addressIn(chain: TestChain, index: number): Address {
  return parseAddress(addressOf(chain, index));
}

function of(chain: TestChain, path: string, index: number): Promise<JsonObject> {
  return chain.ask(`/wallet/${path}`, { address: addressOf(chain, index) });
}

function query(chain: TestChain, path: string, body: JsonObject = {}): Promise<JsonObject> {
  return chain.ask(`/wallet/${path}`, { owner_address: addressOf(chain, 0), ...body });
}

/** Returns the builder's error for a contract of the first account. */
async function refusal(chain: TestChain, path: string, body: JsonObject): Promise<string> {
  const { Error: error } = await query(chain, path, body);
  assert.equal(typeof error, "string", `${path} refuses`);
  assert.ok(String(error).startsWith(REFUSED), String(error));
  return String(error).slice(REFUSED.length);
}

async function built(chain: TestChain, path: string, body: JsonObject, by: number): Promise<JsonObject> {
  const unsigned = await query(chain, path, { ...body, owner_address: addressOf(chain, by) });
  assert.equal(unsigned.Error, undefined);
  const key = hexToBytes(chain.accounts[by]?.privateKey ?? "") as PrivateKey;
  return { ...unsigned, signature: [signTransactionId(String(unsigned.txID) as TxId, key)] };
}

/** Builds, signs and broadcasts a transaction, mines a block, and returns the receipt. */
async function done(chain: TestChain, path: string, body: JsonObject, by = 0): Promise<JsonObject> {
  const signed = await built(chain, path, body, by);
  assert.deepEqual(await chain.ask("/wallet/broadcasttransaction", signed), { result: true, txid: signed.txID });
  chain.mine();
  return chain.ask("/wallet/gettransactioninfobyid", { value: signed.txID ?? null });
}
