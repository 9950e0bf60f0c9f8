import assert from "node:assert/strict";
import { type TestChain, testChain, toJson } from "../../../test/support/chain/test-chain.ts";
import { answer } from "../../../test/support/fakes/chain-answer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../tron/src/primitives/json.ts";

const NPE = "class java.lang.NullPointerException";

/** `endpoints.test.ts` compares more of these answers with recordings of a real node. */
describe("answers of the node to incomplete requests", () => {
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

  it("returns the first block for getblockbynum without a number, also by GET", async () => {
    const first = await post("/wallet/getblockbynum", '{"num":0}');
    assert.deepEqual(await get("/wallet/getblockbynum"), first);
    assert.deepEqual(await post("/wallet/getblockbynum"), first);
  });

  it("returns an empty object for an empty pool", async () => {
    assert.deepEqual(await get("/wallet/gettransactionlistfrompending"), {});
    const transfer = chain.transfer();
    await chain.send(transfer);
    assert.deepEqual(await get("/wallet/gettransactionlistfrompending"), { txId: [transfer.id] });
    chain.mine();
    assert.deepEqual(await post("/wallet/gettransactionlistfrompending"), {});
  });

  it("omits GET from OPTIONS of createaccount", async () => {
    const allowed = async (path: string): Promise<string | null> =>
      (await request("OPTIONS", path)).headers.get("allow");
    assert.equal(await allowed("/wallet/createaccount"), "POST, TRACE, OPTIONS");
    assert.equal(await allowed("/wallet/getaccount"), "GET, HEAD, POST, TRACE, OPTIONS");
  });

  it("answers PATCH with 501", async () => {
    assert.equal((await request("PATCH", "/wallet/getaccount", "{}")).status, 501);
  });

  it("returns the contract address for deploycontract without an owner", async () => {
    const built = await post("/wallet/deploycontract");
    assert.ok(isJsonObject(built));
    assert.match(String(built.contract_address), /^41[0-9a-f]{40}$/u);
  });

  it("reports a missing address for validateaddress", async () => {
    const message = 'Cannot invoke "String.length()" because "<local3>" is null';
    assert.deepEqual(await post("/wallet/validateaddress"), { result: false, message });
    assert.deepEqual(await get("/wallet/validateaddress"), { result: false, message });
    assert.deepEqual(await get("/wallet/validateaddress?address=41"), { result: false, message: "Length error" });
  });

  it("returns the brokerage of an account by hex and base58", async () => {
    const [account] = chain.accounts;
    assert.ok(account);
    for (const path of ["/wallet/getBrokerage", "/walletsolidity/getBrokerage"]) {
      assert.deepEqual(await get(`${path}?address=${account.hex}`), { brokerage: 20 });
      assert.deepEqual(await get(`${path}?address=${account.address}`), { brokerage: 20 });
      const notHex = "INVALID address, exception decoding Hex string: String index out of range: 3";
      assert.deepEqual(await post(path, '{"address":"410"}'), { Error: notHex });
    }
  });

  it("parses the request of a query before it looks for data", async () => {
    const errorOf = async (path: string, body?: string): Promise<string> => {
      const json = body === undefined ? await get(path) : await post(path, body);
      return String((json as JsonObject).Error);
    };
    assert.match(await errorOf("/wallet/getassetissuebyname", ""), /NullPointerException : Cannot inv/);
    assert.match(await errorOf("/wallet/getassetissuebyname?value=x"), /^class org.bouncycastle.*invalid characters/);
    assert.match(
      await errorOf("/wallet/getassetissuebyaccount", ""),
      /JsonFormat\$ParseException : 1:1: Expected "\{"/,
    );
    assert.deepEqual(await post("/wallet/getproposalbyid", '{"id":99}'), {});
  });

  it("refuses a height of more than 64 bits, and a blank token id", async () => {
    assert.deepEqual(await get("/wallet/getblock?id_or_num=9223372036854775807"), {});
    const { Error: illegal } = (await get("/wallet/getblock?id_or_num=9223372036854775808")) as JsonObject;
    assert.equal(illegal, "id must be legal block hash.");
    const noKey = { Error: "class java.lang.IllegalArgumentException : The key argument cannot be null" };
    assert.deepEqual(await get("/wallet/getassetissuebyid?value=%20"), noKey);
  });

  it("prints the result that the sender of broadcasthex claims", async () => {
    const answer = (await post("/wallet/broadcasthex", '{"transaction":"2a021801"}')) as JsonObject;
    assert.deepEqual(JSON.parse(String(answer.transaction)), { ret: [{ contractRet: "SUCCESS" }] });
    assert.equal(answer.message, "Contract validate error : No contract!");
  });

  it("reads Permission_id of a call as 32 bits, and true as 1", async () => {
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

  it("treats the body null as no body", async () => {
    for (const name of ["getaccount", "getaccountnet", "createtransaction", "broadcasttransaction", "getblock"]) {
      assert.deepEqual(await post(`/wallet/${name}`, "null"), { Error: `${NPE} : null` }, name);
    }
  });

  it("returns a separate message in getsignweight for a missing permission", async () => {
    const weigh = async (permissionId: number): Promise<JsonObject> =>
      (await chain.ask("/wallet/getsignweight", toJson(chain.transfer({ permissionId })))).result as JsonObject;
    const message = "Permission for this, does not exist!";
    assert.deepEqual(await weigh(3), { code: "PERMISSION_ERROR", message });
  });
});
