import assert from "node:assert/strict";
import { isJsonObject } from "../../packages/tron/src/primitives/json.ts";
import { loadExchanges } from "../support/recorded/exchanges.ts";
import { replayResources } from "../support/recorded/resource-recordings.ts";

describe("embedded chain, with recorded resources", () => {
  it("returns balance, usage, windows and times of a staking account as recorded", async () => {
    const exchanges = loadExchanges("resources");
    const answers = await replayResources(exchanges);
    for (const name of ["account-delegated-owner", "account-unfreezing"]) {
      const { responseBody } = exchanges.find((it) => it.case === name) ?? {};
      assert.ok(isJsonObject(responseBody));
      const shown = answers.find((it) => it.name === name)?.account;
      const { create_time, owner_permission, active_permission, ...recorded } = responseBody;
      const { create_time: _1, owner_permission: _2, active_permission: _3, ...here } = shown ?? {};
      assert.deepEqual(here, recorded);
    }
  });
});
