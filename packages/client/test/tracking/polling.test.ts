import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway, fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { QueryFailures, QueryRound } from "../../src/tracking/polling.ts";

const endpoint = "https://gateway.test";
const [first, second, third] = [fakeTxId(1), fakeTxId(2), fakeTxId(3)] as const;
const status = (code: number) => new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: code, body: "" });
const unauthorized = new ChainError("GATEWAY_UNAUTHORIZED", { endpoint, status: 401, header: "key" });
const closed = new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason: "closed", how: "closed" });

function fixture(signal = new AbortController().signal) {
  const failures = new QueryFailures();
  const round = new QueryRound(failures, { gateway: new FakeGateway(), clock: new FakeClock(), signal });
  return { failures, round };
}

describe("QueryRound", () => {
  it("ends with a refused key or a missing answer when nothing was answered", async () => {
    for (const error of [unauthorized, closed]) {
      const { round } = fixture();
      assert.equal(await round.run(first, () => Promise.reject(error)), false);

      assert.throws(() => round.end(), error);
    }
  });

  it("ends without an error when another query was answered, or one transaction failed alone", async () => {
    const [answered, alone] = [fixture().round, fixture().round];
    await answered.run(first, () => Promise.reject(unauthorized));
    assert.equal(await answered.run(second, async () => undefined), true);
    await alone.run(first, () => Promise.reject(status(500)));

    answered.end();
    alone.end();
  });

  it("is hopeless after three transactions failed and none was answered", async () => {
    const { round, failures } = fixture();
    for (const txId of [first, second, third]) {
      assert.equal(round.isHopeless, false);
      await round.run(txId, () => Promise.reject(status(500)));
    }

    assert.equal(round.isHopeless, true);
    assert.throws(() => round.end(), { code: "GATEWAY_HTTP_STATUS" });
    assert.equal(failures.count(first), 1);
    round.noteAnswer();
    assert.equal(round.isHopeless, false);
  });

  it("records no failure of a query that was cancelled", async () => {
    const cancelled = new AbortController();
    const { round, failures } = fixture(cancelled.signal);

    const query = round.run(first, async () => {
      cancelled.abort();
      throw status(500);
    });

    await assert.rejects(query, { name: "AbortError" });
    assert.equal(failures.count(first), 0);
  });
});
