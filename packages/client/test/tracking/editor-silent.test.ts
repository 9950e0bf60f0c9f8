import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import {
  ACCEPTED,
  answeredEntry,
  fakeBytes,
  signedEntry,
  startedEntry,
} from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import { isChainError } from "../../../tron/src/errors/chain-error.ts";
import { within } from "../../src/gateway/clock.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";

const { txId } = fakeBytes(1);

describe("TransactionTracker without an answer of the editor", () => {
  const never = new Promise<Gateway>(() => undefined);

  async function tracker(gatewayFor: () => Promise<Gateway>) {
    const journal = new MemoryJournal([signedEntry(1), startedEntry(txId), answeredEntry(txId, ACCEPTED)]);
    const clock = new FakeClock();
    const log = new TransactionTracker({ store: journal, clock, gatewayFor });
    await log.load();
    return { clock, log };
  }

  it("P2: ends polling with EDITOR_SILENT and its next step", async () => {
    const { clock, log } = await tracker(() => never);

    const watching = log.start(new AbortController().signal);

    await assert.rejects(
      clock.runUntil(watching),
      (error) => isChainError(error) && error.code === "EDITOR_SILENT" && /reload this window\.$/.test(error.message),
    );
    assert.equal(clock.sleeping, 0);
  });

  it("P2: polls again when it starts later and the editor answers", async () => {
    const gateway = new FakeGateway();
    let answer = never;
    const { clock, log } = await tracker(() => answer);
    await assert.rejects(clock.runUntil(log.start(new AbortController().signal)));

    answer = Promise.resolve(gateway);
    const stop = new AbortController();
    const watching = log.start(stop.signal);
    await clock.advance(10_000);

    assert.ok(gateway.requests.length > 0);
    stop.abort();
    await watching;
  });

  it("P2: rejects a query of the user with EDITOR_SILENT", async () => {
    const { clock, log } = await tracker(() => never);

    await assert.rejects(clock.runUntil(log.refresh(txId)), { code: "EDITOR_SILENT" });
  });
});

describe("within", () => {
  it("P2: returns a value in time and leaves no timer", async () => {
    const clock = new FakeClock();

    assert.equal(await within(clock, 1_000, Promise.resolve(7), () => new Error("late")), 7);

    assert.equal(clock.sleeping, 0);
  });

  it("P2: throws after the timeout", async () => {
    const clock = new FakeClock();
    const never = new Promise(() => undefined);

    await assert.rejects(clock.runUntil(within(clock, 1_000, never, () => new Error("late"))), /late/);
  });
});
