import assert from "node:assert/strict";
import {
  addressAt,
  DAY_MS,
  done,
  FIRST_TOKEN,
  issue,
  refusalOf,
  signedBy,
  textAsHex,
  tokenBody,
} from "../../../../test/support/chain/build-and-send.ts";
import { contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import { messageOf, type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { hexToBytes, transactionId } from "../../../tron/src/primitives/bytes.ts";
import { type JsonObject, parseJson, printJson } from "../../../tron/src/primitives/json.ts";
import { encodeRawData } from "../../../tron/src/transaction/raw-data-codec.ts";
import { type PrivateKey, signTransactionId } from "../../../tron/src/transaction/signature.ts";
import { rawDataFromJson, rawDataToJson } from "../../../tron/src/transaction/transaction-json.ts";

const COIN = 1_000_000;
const NEWCOMER = `41${"12".repeat(20)}`;

describe("createassetissue", () => {
  it("charges 1,024 coins and gives the supply to the issuer under the next token id", async () => {
    const chain = await testChain();
    assert.deepEqual(issueOf(await issue(chain)), { assetIssueID: "1000001", fee: 1024 * COIN });
    assert.deepEqual(issueOf(await issue(chain, {}, 1)), { assetIssueID: "1000002", fee: 1024 * COIN });

    const { balance, assetV2, asset_issued_name, asset_issued_ID } = await account(chain, 0);
    assert.equal(balance, 8976 * COIN);
    assert.deepEqual(assetV2, [{ key: "1000001", value: 1_000_000 }]);
    assert.deepEqual([asset_issued_name, asset_issued_ID], [textAsHex("Coin"), "1000001"]);
  });

  it("refuses invalid fields with the node's order and messages", async () => {
    const chain = await testChain();
    const { start_time: start } = tokenBody(chain);
    const longest = "a".repeat(33);
    const refusals: readonly [JsonObject, string][] = [
      [{ name: "" }, "Invalid assetName"],
      [{ name: textAsHex("a b") }, "Invalid assetName"],
      [{ name: textAsHex("é") }, "Invalid assetName"],
      [{ name: textAsHex(longest) }, "Invalid assetName"],
      [{ name: textAsHex("tRx") }, "assetName can't be trx"],
      [{ precision: 7 }, "precision cannot exceed 6"],
      [{ precision: -1 }, "precision cannot exceed 6"],
      [{ abbr: textAsHex(longest) }, "Invalid abbreviation for token"],
      [{ url: "" }, "Invalid url"],
      [{ url: "61".repeat(257) }, "Invalid url"],
      [{ description: "61".repeat(201) }, "Invalid description"],
      [{ start_time: 0 }, "Start time should be not empty"],
      [{ end_time: 0 }, "End time should be not empty"],
      [{ end_time: Number(start) }, "End time should be greater than start time"],
      [{ start_time: Number(start) - 9000 }, "Start time should be greater than HeadBlockTime"],
      [{ total_supply: 0 }, "TotalSupply must greater than 0!"],
      [{ trx_num: 0 }, "TrxNum must greater than 0!"],
      [{ num: -1 }, "Num must greater than 0!"],
      [{ public_free_asset_net_usage: 1 }, "PublicFreeAssetNetUsage must be 0!"],
      [
        { frozen_supply: Array(11).fill({ frozen_amount: 1, frozen_days: 1 }) },
        "Frozen supply list length is too long",
      ],
      [{ free_asset_net_limit: 57_600_000_000 }, "Invalid FreeAssetNetLimit"],
      [{ public_free_asset_net_limit: -1 }, "Invalid PublicFreeAssetNetLimit"],
      [{ frozen_supply: [{ frozen_amount: 0, frozen_days: 1 }] }, "Frozen supply must be greater than 0!"],
      [
        { frozen_supply: Array(2).fill({ frozen_amount: 600_000, frozen_days: 1 }) },
        "Frozen supply cannot exceed total supply",
      ],
      [
        { frozen_supply: [{ frozen_amount: 1, frozen_days: 3653 }] },
        "frozenDuration must be less than 3652 days and more than 1 days",
      ],
      [{ owner_address: NEWCOMER }, "Account not exists"],
    ];
    for (const [changes, text] of refusals) {
      assert.equal(await refusalOf(chain, "createassetissue", tokenBody(chain, changes)), text);
    }
  });

  it("accepts one token per account, and only with enough coins", async () => {
    const chain = await testChain();
    await issue(chain);
    const again = await refusalOf(chain, "createassetissue", tokenBody(chain));
    assert.equal(again, "An account can only issue one asset");
    await done(chain, "createtransaction", { to_address: addressAt(chain, 0), amount: 9000 * COIN }, 1);
    assert.equal(await refusalOf(chain, "createassetissue", tokenBody(chain), 1), "No enough balance for fee!");
  });

  it("holds the frozen part of the supply until it is due", async () => {
    const chain = await testChain();
    const parts = [
      { frozen_amount: 300_000, frozen_days: 1 },
      { frozen_amount: 200_000, frozen_days: 2 },
    ];
    await issue(chain, { frozen_supply: parts });
    const { assetV2, frozen_supply } = await account(chain, 0);
    assert.deepEqual(assetV2, [{ key: "1000001", value: 500_000 }]);
    assert.deepEqual(
      (frozen_supply as readonly JsonObject[]).map(({ frozen_balance }) => frozen_balance),
      [300_000, 200_000],
    );
    assert.equal(await refusalOf(chain, "unfreezeasset", {}), "It's not time to unfreeze asset supply");

    await chain.ask("/local/warp", { ms: DAY_MS + 12_000 });
    await done(chain, "unfreezeasset", {});
    assert.deepEqual((await account(chain, 0)).assetV2, [{ key: "1000001", value: 800_000 }]);
    assert.equal(await refusalOf(chain, "unfreezeasset", {}, 1), "no frozen supply balance");
  });
});

describe("transferasset", () => {
  let chain: TestChain;
  const sent = (changes: JsonObject = {}): JsonObject => ({
    to_address: addressAt(chain, 1),
    asset_name: FIRST_TOKEN,
    amount: 10,
    ...changes,
  });

  beforeEach(async () => {
    chain = await testChain();
    await issue(chain);
  });

  it("moves tokens and charges bandwidth", async () => {
    const { fee, receipt } = await done(chain, "transferasset", sent());
    assert.deepEqual([fee, receipt], [undefined, { net_usage: 279 }]);
    assert.deepEqual((await account(chain, 0)).assetV2, [{ key: "1000001", value: 999_990 }]);
    assert.deepEqual((await account(chain, 1)).assetV2, [{ key: "1000001", value: 10 }]);
  });

  it("creates the account of a new recipient for 1.1 coins", async () => {
    const { fee, receipt } = await done(chain, "transferasset", sent({ to_address: NEWCOMER }));
    assert.deepEqual([fee, receipt], [1_100_000, { net_fee: 100_000 }]);
    const { assetV2, type } = await chain.ask("/wallet/getaccount", { address: NEWCOMER });
    assert.deepEqual([assetV2, type], [[{ key: "1000001", value: 10 }], undefined]);
  });

  it("shows a spent token with 0 until the block is solidified", async () => {
    await done(chain, "transferasset", sent({ amount: 1_000_000 }));
    assert.deepEqual((await account(chain, 0)).assetV2, [{ key: "1000001", value: 0 }]);
    chain.mine(10);
    assert.equal((await account(chain, 0)).assetV2, undefined);
  });

  it("refuses invalid transfers with the node's order and messages", async () => {
    const refusals: readonly [JsonObject, string][] = [
      [{ to_address: "41" }, "Invalid toAddress"],
      [{ amount: 0 }, "Amount must be greater than 0."],
      [{ to_address: addressAt(chain, 0) }, "Cannot transfer asset to yourself."],
      [{ owner_address: NEWCOMER }, "No owner account!"],
      [{ asset_name: textAsHex("Coin") }, "No asset!"],
      [{ owner_address: addressAt(chain, 2) }, "assetBalance must be greater than 0."],
      [{ amount: 1_000_001 }, "assetBalance is not sufficient."],
    ];
    for (const [changes, text] of refusals) {
      assert.equal(await refusalOf(chain, "transferasset", sent(changes)), text);
    }
  });

  it("refuses contracts as recipients", async () => {
    const contracts = await contractFixture();
    await issue(contracts.chain);
    const body = { to_address: await contracts.install("00"), asset_name: FIRST_TOKEN, amount: 1 };
    const text = await refusalOf(contracts.chain, "transferasset", body);
    assert.equal(text, "Cannot transfer asset to smartContract.");
  });

  it("prints the name of a missing token as Java does", async () => {
    const { raw_data: json } = await signedBy(chain, "transferasset", sent());
    const raw = rawDataFromJson(
      parseJson(printJson(json ?? null).replace(FIRST_TOKEN, textAsHex('9"\t\u00e9'))),
      false,
    );
    const id = transactionId(encodeRawData(raw));
    const key = hexToBytes(chain.accounts[0]?.privateKey ?? "") as PrivateKey;
    const answer = await chain.ask("/wallet/broadcasttransaction", {
      raw_data: rawDataToJson(raw, false),
      signature: [signTransactionId(id, key)],
    });
    assert.equal(answer.code, "CONTRACT_VALIDATE_ERROR");
    assert.match(
      messageOf(answer),
      /^Contract validate error : asset \[<ByteString@[0-9a-f]{8} size=5 contents="9\\"\\t\\303\\251">\] does not exist$/,
    );
  });
});

describe("bandwidth paid by the token issuer", () => {
  const LIMITS = { free_asset_net_limit: 600, public_free_asset_net_limit: 1000 };

  async function holders(stake: number): Promise<TestChain> {
    const chain = await testChain();
    await issue(chain, LIMITS);
    if (stake > 0) await done(chain, "freezebalancev2", { frozen_balance: stake * COIN });
    for (const index of [1, 2]) await send(chain, 0, index, 1000);
    return chain;
  }

  async function send(chain: TestChain, from: number, to: number, amount: number): Promise<JsonObject> {
    const body = { to_address: addressAt(chain, to), asset_name: FIRST_TOKEN, amount };
    return await done(chain, "transferasset", body, from);
  }

  const free = async (chain: TestChain, index: number): Promise<unknown> =>
    (await chain.ask("/wallet/getaccountnet", { address: addressAt(chain, index) })).freeNetUsed;

  it("pays for transfers of holders from the issuer's stake within both limits", async () => {
    const chain = await holders(100);
    const first = await send(chain, 1, 3, 1);
    assert.deepEqual(first.receipt, { net_usage: 279 });
    assert.equal(await free(chain, 1), undefined);
    const own = await chain.ask("/wallet/getaccountnet", { address: addressAt(chain, 1) });
    assert.deepEqual(own.assetNetUsed, [{ key: "1000001", value: 279 }]);
    assert.deepEqual(own.assetNetLimit, [{ key: "1000001", value: 600 }]);
    const token = await chain.ask("/wallet/getassetissuebyid", { value: "1000001" });
    assert.ok(Number(token.public_free_asset_net_usage) > 800, "two transfers of the issuer count as well");

    await send(chain, 1, 3, 1);
    assert.equal(await free(chain, 1), 279, "the common limit is too low for another transfer");
  });

  it("pays nothing without a stake", async () => {
    const chain = await holders(0);
    await send(chain, 1, 3, 1);
    assert.equal(await free(chain, 1), 279);
  });

  it("counts usage for holders only, because the node loses the usage of a sending issuer", async () => {
    const chain = await holders(100);
    const { free_asset_net_usageV2, latest_asset_operation_timeV2, net_usage } = await account(chain, 0);
    assert.deepEqual(free_asset_net_usageV2, [{ key: "1000001", value: 0 }]);
    assert.equal(latest_asset_operation_timeV2, undefined);
    assert.ok(Number(net_usage) > 500);
  });
});

describe("participateassetissue", () => {
  let chain: TestChain;
  const bought = (changes: JsonObject = {}): JsonObject => ({
    owner_address: addressAt(chain, 1),
    to_address: addressAt(chain, 0),
    asset_name: FIRST_TOKEN,
    amount: 101,
    ...changes,
  });

  beforeEach(async () => {
    chain = await testChain();
    await issue(chain);
  });

  it("gives tokens at the issue price, rounded down, during the sale", async () => {
    assert.equal(await refusalOf(chain, "participateassetissue", bought()), "No longer valid period!");
    chain.mine(4);
    await done(chain, "participateassetissue", bought(), 1);
    const [issuer, buyer] = [await account(chain, 0), await account(chain, 1)];
    assert.deepEqual([issuer.balance, buyer.balance], [8976 * COIN + 101, 10_000 * COIN - 101]);
    assert.deepEqual(buyer.assetV2, [{ key: "1000001", value: 30 }]);
    await chain.ask("/local/warp", { ms: DAY_MS });
    assert.equal(await refusalOf(chain, "participateassetissue", bought()), "No longer valid period!");
  });

  it("refuses invalid purchases with the node's order and messages", async () => {
    chain.mine(4);
    const refusals: readonly [JsonObject, string][] = [
      [{ amount: 0 }, "Amount must greater than 0!"],
      [{ to_address: addressAt(chain, 1) }, "Cannot participate asset Issue yourself !"],
      [{ owner_address: NEWCOMER }, "Account does not exist!"],
      [{ amount: 10_001 * COIN }, "No enough balance !"],
      [{ asset_name: textAsHex("999") }, "No asset named 999"],
      [{ to_address: addressAt(chain, 2) }, `The asset is not issued by ${addressAt(chain, 2)}`],
      [{ amount: 3 }, "Can not process the exchange!"],
      [{ amount: 9000 * COIN }, "Asset balance is not enough !"],
    ];
    for (const [changes, text] of refusals) {
      assert.equal(await refusalOf(chain, "participateassetissue", bought(changes)), text);
    }
  });
});

describe("updateasset", () => {
  it("replaces texts and limits", async () => {
    const chain = await testChain();
    await issue(chain);
    const body = { url: textAsHex("new"), description: "", new_limit: 5, new_public_limit: 6 };
    await done(chain, "updateasset", body);
    const token = await chain.ask("/wallet/getassetissuebyid", { value: "1000001", visible: true });
    assert.deepEqual(
      [token.url, token.description, token.free_asset_net_limit, token.public_free_asset_net_limit],
      ["new", undefined, 5, 6],
    );
  });

  it("refuses invalid updates with the node's order and messages", async () => {
    const chain = await testChain();
    await issue(chain);
    const change = (changes: JsonObject): JsonObject => ({ url: "61", new_limit: 0, new_public_limit: 0, ...changes });
    const refusals: readonly [JsonObject, string][] = [
      [{ owner_address: NEWCOMER }, "Account does not exist"],
      [{ owner_address: addressAt(chain, 1) }, "Account has not issued any asset"],
      [{ url: "" }, "Invalid url"],
      [{ description: "61".repeat(201) }, "Invalid description"],
      [{ new_limit: -1 }, "Invalid FreeAssetNetLimit"],
      [{ new_public_limit: 57_600_000_000 }, "Invalid PublicFreeAssetNetLimit"],
    ];
    for (const [changes, text] of refusals) assert.equal(await refusalOf(chain, "updateasset", change(changes)), text);
  });
});

function account(chain: TestChain, index: number): Promise<JsonObject> {
  return chain.ask("/wallet/getaccount", { address: addressAt(chain, index) });
}

/** Returns token id and fee of a receipt. */
function issueOf({ assetIssueID, fee }: JsonObject): JsonObject {
  return { assetIssueID: assetIssueID ?? null, fee: fee ?? null };
}
