import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";
import type { Json } from "../../../tron/src/primitives/json.ts";

/** `test/conformance/json-rpc.test.ts` compares more answers with recordings of a real node. */
describe("JSON-RPC server", () => {
  let chain: TestChain;

  before(async () => {
    chain = await testChain();
  });

  async function reply(body: string, method = "POST"): Promise<Response> {
    const init = method === "POST" ? { method, body } : { method };
    const answered = await answer(new Request("http://chain/jsonrpc", init), "/jsonrpc", chain.simulation);
    assert.equal(answered.kind, "answer");
    return answered.kind === "answer" ? answered.response : new Response();
  }

  const replyTo = async (body: Json): Promise<Json> => (await (await reply(JSON.stringify(body))).json()) as Json;
  const height = { jsonrpc: "2.0", method: "eth_blockNumber", params: [] };
  const broken = { jsonrpc: "2.0", id: "null", error: { code: -32700, message: "JSON parse error" } };
  const errorFor = async (request: object): Promise<Json | undefined> => {
    const { error } = (await replyTo({ jsonrpc: "2.0", id: 1, ...request })) as { readonly error?: Json };
    return error;
  };

  it("returns status 200 and its content type", async () => {
    const { status, headers } = await reply(JSON.stringify({ ...height, id: 1 }));
    assert.deepEqual([status, headers.get("content-type")], [200, "application/json-rpc"]);
  });

  it("answers a request without an id in a batch with null", async () => {
    assert.deepEqual(await replyTo([height]), [null]);
  });

  it("reports invalid JSON for a mistyped parameter", async () => {
    const mistyped = { jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [{}, "latest"] };
    assert.deepEqual(await replyTo(mistyped), broken);
  });

  it("N3: reports invalid JSON for an empty body, and ignores text after the first value", async () => {
    for (const body of ["", " ", "\n", "[", '{"id":1', "x"]) assert.deepEqual(await (await reply(body)).json(), broken);
    const request = JSON.stringify({ ...height, id: '}]"\\' });
    for (const behind of ["x", "{}", "]", '"', ",1"]) {
      const expected = { jsonrpc: "2.0", id: '}]"\\', result: "0x5" };
      assert.deepEqual(await (await reply(`${request} ${behind}`)).json(), expected);
      assert.deepEqual(await (await reply(`[${request}]${behind}`)).json(), [expected]);
    }
  });

  it("N3: does not answer parameters of another type, also in a batch", async () => {
    const invalid = { code: -32602, message: "method parameters invalid" };
    assert.deepEqual(await errorFor({ method: "eth_getBalance", params: {} }), invalid);
    for (const params of ["x", 5, true]) {
      const request = { ...height, id: 1, params };
      assert.equal(await (await reply(JSON.stringify(request))).text(), "");
      assert.equal(await (await reply(JSON.stringify([{ ...height, id: 1 }, request]))).text(), "");
      assert.deepEqual(await errorFor({ method: "eth_nope", params }), { code: -32601, message: "method not found" });
    }
  });

  it("N3: keeps 64 bits of an id, truncates a longer one to 32, and does not answer an id of another type", async () => {
    const answerTo = async (id: string): Promise<string> =>
      await (await reply(`{"jsonrpc":"2.0","id":${id},"method":"eth_blockNumber"}`)).text();
    for (const [id, printed] of [
      ["9007199254740993", "9007199254740993"],
      ["9223372036854775807", "9223372036854775807"],
      ["-9223372036854775808", "-9223372036854775808"],
      ["9223372036854775808", "0"],
      ["12345678901234567890", "-350287150"],
      ["1.5", "1.5"],
    ]) {
      assert.match(await answerTo(id ?? ""), new RegExp(`"id":${printed},`, "u"));
    }
    for (const id of ["{}", "[]", "true"]) assert.equal(await answerTo(id), "");
  });

  it("N3: parses the parameters of unsupported methods", async () => {
    for (const method of ["eth_sendTransaction", "eth_signTransaction"]) {
      for (const params of [["0x"], [{ foo: 1 }], [[]]]) {
        assert.deepEqual(await replyTo({ jsonrpc: "2.0", id: 1, method, params }), broken);
      }
    }
    assert.deepEqual(await replyTo({ jsonrpc: "2.0", id: 1, method: "eth_sign", params: ["0x", {}] }), broken);
  });

  it("names unsupported methods", async () => {
    const absent: { readonly [name: string]: readonly Json[] } = {
      eth_sendRawTransaction: ["0x"],
      eth_sendTransaction: [{}],
      eth_getTransactionCount: ["0x", "latest"],
      eth_sign: ["0x", "0x"],
      eth_signTransaction: [{}],
      eth_getCompilers: [],
      eth_compileSolidity: [""],
      eth_compileLLL: [""],
      eth_compileSerpent: [""],
      eth_submitWork: ["", "", ""],
      eth_submitHashrate: ["", ""],
      parity_nextNonce: ["0x"],
    };
    for (const [method, params] of Object.entries(absent)) {
      const message = `the method ${method} does not exist/is not available`;
      assert.deepEqual(await errorFor({ method, params }), { code: -32601, message, data: "{}" });
    }
    const refused = documentedMethods().find(([purpose]) => purpose === "refused, as on the node");
    assert.deepEqual(refused?.slice(1), Object.keys(absent));
  });

  it("has the documented methods", async () => {
    const methods = documentedMethods().flatMap(([, ...names]) => names);
    assert.ok(methods.length > 50);
    for (const method of methods) {
      const { message } = { message: "", ...((await errorFor({ method, params: { x: 1 } })) as object | undefined) };
      assert.equal(message, "method parameters invalid", method);
    }
  });

  it("accepts POST only", async () => {
    const got = await reply("", "GET");
    assert.equal(got.status, 405);
    assert.match(await got.text(), /HTTP method GET is not supported by this URL/);
    assert.equal((await reply("", "OPTIONS")).headers.get("allow"), "POST, TRACE, OPTIONS");
  });

  it("applies the access checks, counts and faults of the other paths", async () => {
    const own = await testChain({ apiKey: "sesame" });
    const ask = (headers: Record<string, string>) =>
      answer(
        new Request("http://chain/jsonrpc", { method: "POST", headers, body: JSON.stringify({ ...height, id: 1 }) }),
        "/jsonrpc",
        own.simulation,
      );
    const refused = await ask({});
    assert.equal(refused.kind === "answer" && refused.response.status, 401);
    const { apiKey } = own.simulation.access;
    const key = { [apiKey?.header ?? ""]: "sesame" };
    const allowed = await ask(key);
    assert.equal(allowed.kind === "answer" && allowed.response.status, 200);
    assert.deepEqual(own.simulation.requests.report(), { total: 2, paths: { "/jsonrpc": 2 } });
    own.simulation.faults.replace([{ name: "stale-head", blocks: 2, path: "/jsonrpc" }], "");
    const stale = await ask(key);
    const staleReply = stale.kind === "answer" ? await stale.response.json() : undefined;
    assert.deepEqual(staleReply, { jsonrpc: "2.0", id: 1, result: "0x3" });
  });
});

/** Returns purpose and names of each row of the document's table of methods. */
function documentedMethods(): readonly (readonly [purpose: string, ...names: readonly string[]])[] {
  const [, section = ""] = /^## JSON-RPC$(.*?)^- /ms.exec(readFileSync("docs/local-chain.md", "utf8")) ?? [];
  const rows = [...section.matchAll(/^\| (.+) \| (.+) \|$/gm)].slice(2);
  return rows.map(([, purpose = "", names = ""]) => [purpose, ...names.split(", ")]);
}
