import assert from "node:assert/strict";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../tron/src/primitives/json.ts";

describe("TronBox endpoints", () => {
  let chain: TestChain;

  beforeEach(async () => {
    chain = await testChain({ accounts: 2 });
  });

  const get = async (target: string): Promise<Response> => {
    const path = target.split("?", 1)[0] ?? target;
    const found = await answer(new Request(`http://chain${target}`), path, chain.simulation);
    if (found.kind !== "answer") throw new Error(found.kind);
    return found.response;
  };
  const getJson = async (target: string): Promise<JsonObject> => (await (await get(target)).json()) as JsonObject;

  it("answer the health check", async () => {
    assert.equal(await (await get("/healthcheck")).text(), "OK");
  });

  it("return the keys of the accounts, and generate more accounts", async () => {
    const keys = chain.accounts.map(({ privateKey }) => privateKey);
    assert.deepEqual(await getJson("/admin/accounts-json"), { hdPath: "", mnemonic: "", privateKeys: keys, more: [] });

    const made = await (await get("/admin/temporary-accounts-generation?accounts=3&defaultBalance=5")).text();

    const { more } = await getJson("/admin/accounts-json");
    assert.ok(Array.isArray(more) && isJsonObject(more[0]));
    assert.equal((more[0].privateKeys as readonly Json[]).length, 3);
    assert.match(made, /\(0\) T\w+ \(10000 TRX\)\n\(1\) T\w+ \(10000 TRX\)\n\(2\) T\w+ \(5 TRX\)\n/);
    assert.equal(await (await get("/admin/accounts")).text(), made);
  });

  it("drop generated accounts when an earlier snapshot is restored", async () => {
    await get("/admin/temporary-accounts-generation?accounts=1");
    await chain.ask("/local/reset");
    assert.deepEqual((await getJson("/admin/accounts-json")).more, []);
  });
});
