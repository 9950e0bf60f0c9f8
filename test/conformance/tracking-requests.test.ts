import assert from "node:assert/strict";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { TrackingLoad } from "../support/tracking/tracking-load.ts";

const COUNT = 1_000;

describe("tracking of 1,000 transactions", () => {
  let chain: LocalChain;

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 250, startTime: Date.now() });
  });

  after(() => chain.close());

  it("takes at most one request per solidified block", async function () {
    this.timeout(60_000);
    await using load = new TrackingLoad(chain.ready);

    const { requests, blocks, paths, durationMs } = await load.track(COUNT);

    const took = `${(durationMs / 1_000).toFixed(1)} s`;
    process.stdout.write(`      ${COUNT} transactions: ${requests} requests, ${blocks} solidified blocks, ${took}\n`);
    assert.equal(paths["/wallet/broadcasttransaction"], COUNT);
    assert.ok(requests <= blocks, JSON.stringify(paths));
  });
});
