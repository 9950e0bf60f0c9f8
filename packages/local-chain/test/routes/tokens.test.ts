import assert from "node:assert/strict";
import { addressAt, done, FIRST_TOKEN, issue, textAsHex } from "../../../../test/support/chain/build-and-send.ts";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";

describe("token queries", () => {
  let chain: TestChain;

  beforeEach(async () => {
    chain = await testChain();
    await issue(chain, { name: textAsHex("Coin") }, 0);
    await issue(chain, { name: textAsHex("Abacus") }, 1);
    await issue(chain, { name: textAsHex("Coin") }, 2);
    await issue(chain, { name: textAsHex("1000001") }, 3);
  });

  const ids = (list: JsonObject): readonly unknown[] =>
    ((list.assetIssue ?? []) as readonly JsonObject[]).map(({ id }) => id);
  const ask = (path: string, body: JsonObject = {}): Promise<JsonObject> => chain.ask(`/wallet/${path}`, body);

  it("list all tokens, and page by name", async () => {
    assert.deepEqual(ids(await ask("getassetissuelist")), ["1000001", "1000002", "1000003", "1000004"]);
    assert.deepEqual(ids(await ask("getpaginatedassetissuelist", { offset: 0, limit: 2 })), ["1000004", "1000002"]);
    assert.deepEqual(ids(await ask("getpaginatedassetissuelist", { offset: 2, limit: 10 })), ["1000001", "1000003"]);
    for (const [offset, limit] of [
      [4, 1],
      [-1, 1],
      [0, -1],
      [0, 0],
    ] as const) {
      assert.deepEqual(await ask("getpaginatedassetissuelist", { offset, limit }), {});
    }
  });

  it("find tokens by id, name and issuer", async () => {
    assert.equal((await ask("getassetissuebyid", { value: "1000002" })).name, textAsHex("Abacus"));
    assert.deepEqual(await ask("getassetissuebyid", { value: "999" }), {});
    assert.equal((await ask("getassetissuebyname", { value: "Abacus", visible: true })).id, "1000002");
    assert.deepEqual(ids(await ask("getassetissuelistbyname", { value: textAsHex("Coin") })), ["1000001", "1000003"]);
    assert.deepEqual(await ask("getassetissuelistbyname", { value: "" }), {});
    assert.deepEqual(ids(await ask("getassetissuebyaccount", { address: addressAt(chain, 2) })), ["1000003"]);
    assert.deepEqual(await ask("getassetissuebyaccount", { address: addressAt(chain, 9) }), {});
  });

  it("refuse names that several tokens have, or that are the id of another token", async () => {
    const error =
      "class org.tron.core.exception.NonUniqueObjectException : To get more than one asset, please use getAssetIssueById syntax";
    assert.deepEqual(await ask("getassetissuebyname", { value: textAsHex("Coin") }), { Error: error });
    assert.deepEqual(await ask("getassetissuebyname", { value: FIRST_TOKEN }), { Error: error });
    assert.equal((await ask("getassetissuebyname", { value: textAsHex("1000002") })).id, "1000002");
  });

  it("return solidified tokens on the solidified side", async () => {
    assert.deepEqual(await chain.ask("/walletsolidity/getassetissuebyid", { value: "1000004" }), {});
    chain.mine(10);
    assert.equal((await chain.ask("/walletsolidity/getassetissuebyid", { value: "1000004" })).id, "1000004");
  });

  it("accept query strings", async () => {
    const address = chain.accounts[1]?.address ?? "";
    const get = async (target: string): Promise<string> => {
      const path = `/wallet/${target.split("?")[0]}`;
      const input = await answer(new Request(`http://chain/wallet/${target}`), path, chain.simulation);
      return input.kind === "answer" ? await input.response.text() : "";
    };
    assert.match(await get("getassetissuebyid?value=1000002&visible=true"), /"name": "Abacus"/);
    assert.match(await get(`getassetissuebyaccount?address=${address}&visible=true`), /"id": "1000002"/);
    assert.match(await get("getassetissuelist?visible=true"), /"name": "Abacus"/);
    assert.match(await get("getpaginatedassetissuelist?offset=1&limit=1"), /"id": "1000002"/);
  });
});

describe("tokens of an account", () => {
  it("are printed in the order of Java's maps", async () => {
    const chain = await testChain();
    for (const by of [0, 1, 2, 3, 4]) {
      await issue(chain, {}, by);
      const asset_name = textAsHex(String(1_000_001 + by));
      if (by > 0) await done(chain, "transferasset", { to_address: addressAt(chain, 0), asset_name, amount: 1 }, by);
    }
    chain.mine(10);
    const { assetV2 } = await chain.ask("/wallet/getaccount", { address: addressAt(chain, 0) });
    const keys = (assetV2 as readonly JsonObject[]).map(({ key }) => key);
    assert.deepEqual(keys, ["1000003", "1000004", "1000005", "1000001", "1000002"]);
  });

  it("of an issuer are printed without blanks, as the node prints parsed JSON", async () => {
    const chain = await testChain();
    await issue(chain);
    const text = async (index: number): Promise<string> => {
      const body = JSON.stringify({ address: addressAt(chain, index) });
      const request = new Request("http://chain/wallet/getaccount", { method: "POST", body });
      const input = await answer(request, "/wallet/getaccount", chain.simulation);
      return input.kind === "answer" ? await input.response.text() : "";
    };
    assert.match(await text(0), /"address":"41/);
    assert.match(await text(1), /"address": "41/);
  });
});
