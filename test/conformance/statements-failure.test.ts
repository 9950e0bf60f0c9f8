import assert from "node:assert/strict";
import { createHttpGateway } from "../../packages/client/src/gateway/http/http-gateway.ts";
import { ChainBench, payment } from "../support/chain/chain-bench.ts";
import { failingCall, failingContracts } from "../support/chain/contract-fixture.ts";
import { FakeClock } from "../support/fakes/fake-clock.ts";
import { profileAt } from "../support/fakes/gateway-fixtures.ts";
import { closedUrl } from "../support/http/http-server.ts";

const FAILURES = ["REVERT", "OUT_OF_ENERGY", "OUT_OF_TIME"] as const;

describe("failed execution", () => {
  let bench: ChainBench;

  beforeEach(async () => {
    bench = await ChainBench.start({ actuators: failingContracts });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  for (const result of FAILURES) {
    it(`S43 S131 stays included after ${result}, and the same bytes are not sent again`, async () => {
      const alice = bench.person(0);
      const intent = failingCall(alice, result);
      const transaction = bench.signed(intent, [alice]);
      const { txId } = transaction;
      const sent = await bench.submit(transaction, intent, bench.head.timestamp + 60_000);
      assert.deepEqual(sent.state, { kind: "pending" });

      for (const [blocks, expected] of [
        [1, "included"],
        [5, "solidified"],
      ] as const) {
        await bench.mine(blocks);
        const state = (await bench.tracker.refresh(txId))?.state;
        const outcome = { kind: "failed", result, message: "it failed" };
        assert.equal(state?.kind, expected);
        assert.partialDeepStrictEqual("outcome" in state ? state.outcome : {}, outcome);
        const broadcasts = bench.requests("/wallet/broadcasttransaction");
        const again = await bench.again(txId);
        assert.match(again.kind === "refused" ? again.reason : "", /cannot be executed a second time/);
        assert.equal(bench.requests("/wallet/broadcasttransaction"), broadcasts);
        assert.deepEqual(await bench.outcome(transaction), { kind: "already-known", message: "Dup transaction." });
      }

      await bench.mine(10);
      assert.equal(await bench.timesIncluded(txId), 1);
    });
  }

  it("S5 is distinguished from failures of transport and validation", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const intent = failingCall(alice, "REVERT");
    const executed = bench.signed(intent, [alice]);
    const unsigned = bench.signed(payment(alice, bob.address), []);
    const nowhere = createHttpGateway(profileAt(await closedUrl()), { clock: new FakeClock() });

    const transport = (await nowhere.broadcast(executed)).outcome;
    await nowhere.close();
    const validation = await bench.outcome(unsigned);
    const accepted = await bench.outcome(executed);
    await bench.mine();
    await bench.tracker.adopt(executed.txId, { network: "Test" });
    const execution = (await bench.tracker.refresh(executed.txId))?.state;

    assert.equal(transport.kind === "unknown" && transport.cause.code, "GATEWAY_UNREACHABLE");
    assert.equal(validation.kind === "rejected" && validation.code, "SIGERROR");
    assert.deepEqual(accepted, { kind: "accepted" });
    assert.equal(execution?.kind, "included");
    assert.deepEqual(execution.outcome, { kind: "failed", result: "REVERT", message: "it failed", data: "" });
  });
});
