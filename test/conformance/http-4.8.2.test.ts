import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testChain } from "../support/chain/test-chain.ts";
import { answer } from "../support/fakes/chain-answer.ts";

/** Method, path, body and JSON of the answer. */
type Exchange = readonly [method: string, path: string, body: string, json: unknown];

const exchanges = readFileSync(join(import.meta.dirname, "../fixtures/exchanges/http-4.8.2.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Exchange);
/** Enough blocks for heights of three digits. */
const BLOCKS = 120;

describe("HTTP answers of java-tron 4.8.2", () => {
  it("equal those of a real node for malformed and empty requests", async () => {
    const chain = await testChain({ nodeVersion: "4.8.2" });
    chain.mine(BLOCKS);
    assert.ok(exchanges.length > 700);
    for (const [method, path, body, json] of exchanges) {
      const sent = { method, headers: { "content-type": "application/json" }, body: Buffer.from(body) };
      const request = new Request(`http://chain${path}`, method === "GET" ? { method } : sent);
      const found = await answer(request, String(path.split("?", 1)[0]), chain.simulation);
      assert.ok(found.kind === "answer");
      const text = withoutNames(await found.response.text());
      assert.deepEqual(JSON.parse(text), JSON.parse(withoutNames(JSON.stringify(json))), `${method} ${path} ${body}`);
    }
  });
});

/** Replaces the names of variables in Java's messages, which depend on how a node was compiled. */
function withoutNames(text: string): string {
  return text.replace(/<(?:local|parameter)\d+>/g, "<v>");
}
