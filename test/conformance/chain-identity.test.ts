import assert from "node:assert/strict";
import { endpoints } from "../../packages/client/src/gateway/http/endpoints.ts";
import { readAnswer } from "../../packages/client/src/gateway/wire/answer.ts";
import { isJsonObject, printJson } from "../../packages/tron/src/primitives/json.ts";
import { ChainBench } from "../support/chain/chain-bench.ts";
import { loadExchanges } from "../support/recorded/exchanges.ts";

describe("chain id", () => {
  it("H1: is read from a recorded genesis block", () => {
    const recorded = loadExchanges("lookups").filter(({ path, responseBody }) => {
      return (
        path.endsWith("/getblockbynum") &&
        isJsonObject(responseBody) &&
        String(responseBody.blockID).startsWith("0".repeat(16))
      );
    });
    assert.notEqual(recorded.length, 0);
    for (const { responseBody } of recorded) {
      const chain = readAnswer(
        { endpoint: "recorded", body: printJson(responseBody ?? {}) },
        endpoints.headGenesis.parse,
      );
      assert.equal(chain, isJsonObject(responseBody) ? responseBody.blockID : "");
    }
  });

  it("H1: is the same in both views of an embedded chain, and differs after each start", async () => {
    await using one = await ChainBench.start();
    await using other = await ChainBench.start();
    const chain = await one.gateway.chainId("head");

    assert.notEqual(chain, undefined);
    assert.equal(await one.gateway.chainId("solid"), chain);
    assert.notEqual(await other.gateway.chainId("head"), chain);
  });
});
