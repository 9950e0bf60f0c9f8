import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { COINS, NETWORK, party } from "../../../../test/support/incoming/incoming-fixture.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { IncomingLedger } from "../../src/incoming/incoming-ledger.ts";
import { IncomingReader } from "../../src/incoming/incoming-reader.ts";

/** Returns a reader with one watch, which a test can stop, and a gateway. */
function fixture() {
  const [clock, gateway, ledger] = [new FakeClock(), new FakeGateway(), new IncomingLedger()];
  gateway.mineEmpty(5);
  gateway.solidify();
  const { number, id, timestamp } = gateway.solid;
  const watch = { network: NETWORK, address: party(20), token: COINS, after: { number, id, timestamp }, at: 1 };
  ledger.fold([{ kind: "begun", watch: { ...watch, id: "1".padStart(16, "0") } }]);
  const reader = new IncomingReader({
    ...{ clock, isFree: true, ledger: () => ledger, onIssue: () => undefined },
    open: () => ledger.list().filter(({ stoppedAt }) => stoppedAt === undefined),
    recordEntries: async (entries) => void ledger.fold(entries),
  });
  const stop = (): void => {
    ledger.fold([{ kind: "stopped", id: "1".padStart(16, "0"), at: 2 }]);
    reader.changed();
  };
  const round = () => reader.round({ gateway, clock, signal: new AbortController().signal }, true);
  return { reader, gateway, stop, round };
}

describe("IncomingReader", () => {
  it("reads every block of a free gateway while a watch waits, and none after it was stopped", async () => {
    const { reader, stop, round } = fixture();
    await round();
    assert.deepEqual([reader.isWaiting, reader.readsEveryBlock], [true, true]);

    stop();

    assert.deepEqual([reader.isWaiting, reader.readsEveryBlock, reader.pause(0)], [false, false, Infinity]);
  });

  it("is unreached while a watch waits for a gateway that does not answer", async () => {
    const { reader, gateway, stop, round } = fixture();
    gateway.fail("solidBlock", new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "closed" }));
    await round();
    assert.deepEqual([reader.isUnreached, reader.readsEveryBlock], [true, false]);

    stop();

    assert.equal(reader.isUnreached, false);
  });
});
