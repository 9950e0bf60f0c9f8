import assert from "node:assert/strict";
import { type TestChain, testChain, toJson } from "../../../test/support/chain/test-chain.ts";
import { answer } from "../../../test/support/fakes/chain-answer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../tron/src/primitives/json.ts";

const NPE = "class java.lang.NullPointerException";

describe("the answers of a node to requests that ask for little", () => {
  let chain: TestChain;

  before(async () => {
    chain = await testChain();
    chain.mine(8);
  });

  async function request(method: string, path: string, body?: string): Promise<Response> {
    const init = body === undefined ? { method } : { method, body };
    const input = await answer(
      new Request(`http://chain${path}`, init),
      path.split("?", 1)[0] ?? path,
      chain.simulation,
    );
    assert.equal(input.kind, "answer");
    return input.kind === "answer" ? input.response : new Response();
  }

  const get = async (path: string): Promise<Json> => (await (await request("GET", path)).json()) as Json;
  const post = async (path: string, body = "{}"): Promise<Json> =>
    (await (await request("POST", path, body)).json()) as Json;

  it("getblockbynum without a number is the first block, by GET too", async () => {
    const first = await post("/wallet/getblockbynum", '{"num":0}');
    assert.deepEqual(await get("/wallet/getblockbynum"), first);
    assert.deepEqual(await post("/wallet/getblockbynum"), first);
  });

  it("an empty pool has an empty list", async () => {
    assert.deepEqual(await get("/wallet/gettransactionlistfrompending"), {});
    const transfer = chain.transfer();
    await chain.send(transfer);
    assert.deepEqual(await get("/wallet/gettransactionlistfrompending"), { txId: [transfer.id] });
    chain.mine();
    assert.deepEqual(await post("/wallet/gettransactionlistfrompending"), {});
  });

  it("gettransactionfrompending without a value is an illegal argument", async () => {
    const refused = { Error: "class java.lang.IllegalArgumentException : null" };
    assert.deepEqual(await get("/wallet/gettransactionfrompending"), refused);
    assert.deepEqual(await post("/wallet/gettransactionfrompending"), refused);
  });

  it("createaccount is refused by GET, and OPTIONS does not name it", async () => {
    assert.equal((await request("GET", "/wallet/createaccount")).status, 405);
    const allowed = async (path: string): Promise<string | null> =>
      (await request("OPTIONS", path)).headers.get("allow");
    assert.equal(await allowed("/wallet/createaccount"), "POST, TRACE, OPTIONS");
    assert.equal(await allowed("/wallet/getaccount"), "GET, HEAD, POST, TRACE, OPTIONS");
  });

  it("PATCH is not implemented", async () => {
    assert.equal((await request("PATCH", "/wallet/getaccount", "{}")).status, 501);
  });

  it("deploycontract without an owner tells where its contract would be", async () => {
    const built = await post("/wallet/deploycontract");
    assert.ok(isJsonObject(built));
    assert.match(String(built.contract_address), /^41[0-9a-f]{40}$/u);
  });

  it("validateaddress without an address has none to measure", async () => {
    const message = 'Cannot invoke "String.length()" because "<local3>" is null';
    assert.deepEqual(await post("/wallet/validateaddress"), { result: false, message });
    assert.deepEqual(await get("/wallet/validateaddress"), { result: false, message });
    assert.deepEqual(await get("/wallet/validateaddress?address=41"), { result: false, message: "Length error" });
  });

  it("getBrokerage and getReward are 0 without an address, and complain of one that is none", async () => {
    const [account] = chain.accounts;
    assert.ok(account);
    for (const path of ["/wallet/getBrokerage", "/walletsolidity/getBrokerage"]) {
      assert.deepEqual(await post(path), { brokerage: 0 });
      assert.deepEqual(await post(path, "null"), { brokerage: 0 });
      assert.deepEqual(await get(`${path}?address=${account.hex}`), { brokerage: 20 });
      assert.deepEqual(await get(`${path}?address=${account.address}`), { brokerage: 20 });
      const complaint = "INVALID address, exception decoding Hex string: String index out of range: 3";
      assert.deepEqual(await post(path, '{"address":"410"}'), { Error: complaint });
      const illegal = "INVALID address, Illegal character 0 at 0";
      assert.deepEqual(await get(`${path}?address=0`), { Error: illegal });
    }
    assert.deepEqual(await get("/wallet/getReward"), { reward: 0 });
  });

  it("look-ups read what they are asked, though there is nothing to find", async () => {
    const errorOf = async (path: string, body?: string): Promise<string> => {
      const json = body === undefined ? await get(path) : await post(path, body);
      return String((json as JsonObject).Error);
    };
    const number = "class java.lang.NumberFormatException : Cannot parse null string";
    assert.equal(await errorOf("/wallet/getpaginatedassetissuelist"), number);
    assert.equal(await errorOf("/wallet/getproposalbyid"), number);
    const missing = "class java.security.InvalidParameterException : key [id] does not exist";
    assert.equal(await errorOf("/wallet/getproposalbyid", "{}"), missing);
    assert.match(
      await errorOf("/wallet/getassetissuebyname", ""),
      /^class java.lang.NullPointerException : Cannot inv/,
    );
    assert.match(await errorOf("/wallet/getassetissuebyname?value=x"), /^class org.bouncycastle.*invalid characters/);
    assert.match(
      await errorOf("/wallet/getassetissuebyaccount", ""),
      /JsonFormat\$ParseException : 1:1: Expected "\{"/,
    );
    assert.match(await errorOf("/wallet/getexchangebyid", '{"id":99}'), /^class java.lang.NullPointerException/);
    assert.deepEqual(await post("/wallet/getproposalbyid", '{"id":99}'), {});
  });

  it("a height of more than 64 bits is no height, and a blank number is no key", async () => {
    assert.deepEqual(await get("/wallet/getblock?id_or_num=9223372036854775807"), {});
    const { Error: illegal } = (await get("/wallet/getblock?id_or_num=9223372036854775808")) as JsonObject;
    assert.equal(illegal, "id must be legal block hash.");
    const noKey = { Error: "class java.lang.IllegalArgumentException : The key argument cannot be null" };
    assert.deepEqual(await get("/wallet/getassetissuebyid?value=%20"), noKey);
  });

  it("broadcasthex prints what the sender says that the transaction did", async () => {
    const answer = (await post("/wallet/broadcasthex", '{"transaction":"2a021801"}')) as JsonObject;
    assert.deepEqual(JSON.parse(String(answer.transaction)), { ret: [{ contractRet: "SUCCESS" }] });
    assert.equal(answer.message, "Contract validate error : No contract!");
  });

  it("who signs is an integer of 32 bits in a call too, and a word that stands for one", async () => {
    const call = { owner_address: chain.accounts[0]?.hex ?? "", data: "00" };
    const ask = async (permission: Json): Promise<JsonObject> =>
      (await chain.ask("/wallet/triggerconstantcontract", { ...call, Permission_id: permission })) as JsonObject;
    const permissionOf = async (permission: Json): Promise<Json | undefined> => {
      const { raw_data: raw } = (await ask(permission)).transaction as { raw_data: { contract: JsonObject[] } };
      return raw.contract[0]?.Permission_id;
    };
    assert.equal(await permissionOf(99_999_999_999), 1_215_752_191);
    assert.equal(await permissionOf(true), 1);
    assert.equal(await permissionOf(-1), undefined);
    assert.equal(((await ask(null)).result as JsonObject).code, "OTHER_ERROR");
  });

  it("the word null is no body", async () => {
    for (const name of ["getaccount", "getaccountnet", "createtransaction", "broadcasttransaction", "getblock"]) {
      assert.deepEqual(await post(`/wallet/${name}`, "null"), { Error: `${NPE} : null` }, name);
    }
  });

  it("a body with comments or names without quotes is fastjson's, and not JsonFormat's", async () => {
    for (const body of ['{/* c */"address":"410"}', '{address:"410"}//c', '{"a":{1:2},"address":"410"}']) {
      assert.match(String(((await post("/wallet/getBrokerage", body)) as JsonObject).Error), /out of range: 3$/, body);
    }
    const { Error: refused } = (await post("/wallet/getaccount", '{"address":""}/*c*/')) as JsonObject;
    assert.match(String(refused), /JsonFormat\$ParseException : 1:15: Expecting the end of the stream/);
  });

  it("getsignweight has words of its own for a permission that does not do", async () => {
    const weigh = async (permissionId: number): Promise<JsonObject> =>
      (await chain.ask("/wallet/getsignweight", toJson(chain.transfer({ permissionId })))).result as JsonObject;
    const message = "Permission for this, does not exist!";
    assert.deepEqual(await weigh(3), { code: "PERMISSION_ERROR", message });
  });
});
