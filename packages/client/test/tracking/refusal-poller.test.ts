import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { gatewayAt, recordedTransfer } from "../../../../test/support/fakes/gateway-fixtures.ts";
import { type Handler, json, startServer, text } from "../../../../test/support/http/http-server.ts";
import { rawDataFor } from "../../../../test/support/random/random-chains.ts";
import {
  answeredEntry,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TRANSFER,
} from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import { type TrackingFixture, trackingFixture } from "../../../../test/support/tracking/tracking-fixture.ts";
import { hexToBytes, type TxId, transactionId } from "../../../tron/src/primitives/bytes.ts";
import { allowedActions, decideActions } from "../../src/retry/permitted-actions.ts";
import { submitTransaction } from "../../src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";

const WRONG = rejected("SIGERROR", "Validate signature error: sig error");
const BROKE = rejected("CONTRACT_VALIDATE_ERROR", "Contract validate error : balance is not sufficient.");
/** Blocks in a minute, and until the last one is solidified. */
const BLOCKS_TO_EXPIRY = 26;

/** Records a payment that the gateway has just rejected. */
async function recordRejected(
  { tracker, clock, gateway, expiration: soon }: TrackingFixture,
  number: number,
  answer = WRONG,
  expiration = soon,
): Promise<TxId> {
  const rawDataHex = rawDataFor(gateway.solid.id, expiration, number);
  const txId = transactionId(hexToBytes(rawDataHex));
  const at = clock.now();
  const signed = signedEntry(number, { txId, rawDataHex, at, solidHeight: gateway.solid.number, expiration });
  await tracker.record(signed, startedEntry(txId, 1, at), answeredEntry(txId, answer, { at }));
  return txId;
}

describe("RefusalPoller", () => {
  it("M1: finds a rejected transaction that was executed, and keeps the first answer", async () => {
    const stage = await trackingFixture();
    const txId = await recordRejected(stage, 1);
    await stage.blocks(8);

    await stage.block(txId);
    await stage.blocks(12);

    assert.deepEqual([...new Set(stage.states)], ["rejected", "included", "solidified"]);
    assert.equal(stage.state(txId), "solidified");
    assert.deepEqual(stage.tracker.get(txId)?.attempts[0]?.outcome, WRONG);
    await stage.stop();
  });

  it("M1: finds a rejected transaction in any block until its expiration", async () => {
    for (let height = 0; height < 20; height++) {
      const stage = await trackingFixture();
      const txId = await recordRejected(stage, 1);
      await stage.blocks(height);
      await stage.block(txId);

      await stage.blocks(BLOCKS_TO_EXPIRY + 10);

      assert.equal(stage.state(txId), "solidified", `in block ${height}`);
      await stage.stop();
    }
  });

  it("M1: queries the other URLs after expiry before it reports not found", async () => {
    const [dishonest, honest] = [await trackingFixture(), new FakeGateway()];
    dishonest.sources = { others: [honest], inRealTime: true };
    const txId = await recordRejected(dishonest, 1);
    honest.mine([txId]);
    honest.solidify();

    await dishonest.blocks(BLOCKS_TO_EXPIRY + 30);

    assert.equal(dishonest.state(txId), "solidified");
    await dishonest.stop();
  });

  it("M1: waits for the local time of the expiration when the gateway reports a later time", async () => {
    const stage = await trackingFixture();
    stage.sources = { others: [], inRealTime: true };
    const txId = await recordRejected(stage, 1);
    stage.gateway.mine([], stage.expiration + 1);
    stage.gateway.solidify();
    await stage.clock.advance(60_000);
    assert.equal(stage.tracker.get(txId)?.notFoundAt, undefined);
    assert.ok(stage.gateway.requests.length < 20, `${stage.gateway.requests.length} requests`);

    await stage.clock.advance(400_000);

    assert.notEqual(stage.tracker.get(txId)?.notFoundAt, undefined);
    await stage.stop();
  });

  it("M1: reads the time of the chain once while the expiration is far away", async () => {
    const stage = await trackingFixture();
    await recordRejected(stage, 1, WRONG, stage.gateway.head.timestamp + 3_600_000);

    await stage.blocks(200);

    assert.equal(stage.requests("solidBlock"), 1);
    assert.ok(stage.requests("headTransactionInfo") >= 3);
    await stage.stop();
  });

  it("M1: finds a rejected transaction in the pool", async () => {
    const stage = await trackingFixture();
    const txId = await recordRejected(stage, 1);
    stage.gateway.addPending({ txId });

    await stage.blocks(4);

    assert.equal(stage.state(txId), "pending");
    await stage.stop();
  });

  it("M1: ends with a query after the solidified expiration, at most 14 requests, and none later", async () => {
    const stage = await trackingFixture();
    const txId = await recordRejected(stage, 1);

    await stage.blocks(BLOCKS_TO_EXPIRY + 10);

    assert.equal(stage.state(txId), "rejected");
    assert.equal(stage.journal.kinds.filter((it) => it === "not-found").length, 1);
    assert.ok((stage.tracker.get(txId)?.notFoundAt ?? 0) >= (stage.tracker.get(txId)?.signed?.expiration ?? Infinity));
    assert.ok(stage.gateway.requests.length <= 14, stage.gateway.requests.join("\n"));
    const { length } = stage.gateway.requests;
    await stage.blocks(100);
    assert.equal(stage.gateway.requests.length, length);
    await stage.stop();

    const next = await trackingFixture(...stage.journal.entries);
    await next.blocks(10);
    assert.deepEqual(next.gateway.requests, []);
    await next.stop();
  });

  it("M1: sends no request when all blocks are read anyway", async () => {
    const counted: number[] = [];
    for (const refused of [0, 30]) {
      const stage = await trackingFixture();
      await stage.send(...Array.from({ length: 40 }, (_, index) => index + 100));
      for (let number = 1; number <= refused; number++) await recordRejected(stage, number);
      const last = await recordRejected(stage, 99);
      await stage.blocks(BLOCKS_TO_EXPIRY - 7);
      await stage.block(last);
      const { length } = stage.gateway.requests;
      await stage.blocks(5);
      counted.push(length);

      assert.equal(stage.state(last), "solidified");
      assert.equal(stage.requests(`headTransactionInfo ${last}`), 0);
      await stage.stop();
    }
    assert.equal(counted[0], counted[1]);
  });

  it("M1: continues in the next window, also long after the expiration", async () => {
    const { txId } = fakeBytes(1);
    const old = [signedEntry(1, { expiration: 1 }), startedEntry(txId), answeredEntry(txId, WRONG)];
    const stage = await trackingFixture(...old);
    stage.gateway.mine([txId]);
    stage.gateway.solidify();

    await stage.blocks(2);

    assert.equal(stage.state(txId), "solidified");
    await stage.stop();
  });

  it("M1: continues after a replacement, because the old transaction may still execute", async () => {
    const stage = await trackingFixture();
    const txId = await recordRejected(stage, 1);
    const by = fakeBytes(2).txId;
    await stage.tracker.record({ kind: "replaced", txId, at: stage.clock.now() + 1, by });
    assert.equal(stage.state(txId), "replaced");

    await stage.block(txId);
    await stage.blocks(BLOCKS_TO_EXPIRY);

    assert.equal(stage.state(txId), "solidified");
    assert.equal(stage.tracker.get(txId)?.replacedBy, by);
    await stage.stop();
  });

  it("M1: ignores transactions that were not sent", async () => {
    const stage = await trackingFixture();
    await recordRejected(stage, 1, rejected("NOT_SENT"));
    await recordRejected(stage, 2, rejected("TRANSACTION_MALFORMED"));

    await stage.blocks(BLOCKS_TO_EXPIRY);

    assert.deepEqual(stage.gateway.requests, []);
    await stage.stop();
  });

  it("M1: queries many old rejections in batches", async () => {
    const numbers = Array.from({ length: 23 }, (_, index) => index + 1);
    const old = numbers.flatMap((number) => {
      const { txId } = fakeBytes(number);
      return [signedEntry(number, { expiration: 1 }), startedEntry(txId), answeredEntry(txId, WRONG)];
    });
    const stage = await trackingFixture(...old);

    await stage.clock.advance(100);
    assert.ok(stage.gateway.requests.length <= 16, String(stage.gateway.requests.length));
    await stage.blocks(6);

    assert.equal(stage.journal.kinds.filter((it) => it === "not-found").length, numbers.length);
    await stage.stop();
  });

  it("M1: offers the same bytes when coins are missing, and a replacement only after a proof", async () => {
    const stage = await trackingFixture();
    const txId = await recordRejected(stage, 1, BROKE);
    const refused = stage.tracker.get(txId);
    assert.ok(refused);
    assert.deepEqual(allowedActions(refused), ["sendSameBytes", "sendToAnotherNode", "lookNow"]);

    await stage.blocks(BLOCKS_TO_EXPIRY + 10);

    const proven = stage.tracker.get(txId);
    assert.ok(proven);
    assert.equal(proven.state.kind, "proven-absent");
    assert.deepEqual(allowedActions(proven), ["createReplacement", "exportProof"]);
    await stage.stop();
  });
});

/** Submits a transaction once to a gateway with this answer. Returns its tracked state. */
async function submittedTo(handler: Handler) {
  await using server = await startServer(handler);
  await using it = gatewayAt(server.url);
  const clock = new FakeClock();
  const log = new TransactionTracker({ store: new MemoryJournal(), gatewayFor: async () => it.gateway, clock });
  const context = { network: "test", intent: TRANSFER, expiration: 9, solidHeight: 0 };
  return await submitTransaction({ log, gateway: it.gateway, clock }, recordedTransfer(), context);
}

describe("submitTransaction through a proxy that refuses the request", () => {
  for (const [name, handler] of [
    ["403 and a page", text("<html>Forbidden</html>", 403)],
    ["401 and JSON", json({ message: "Unauthorized" }, 401)],
    ["404 and a page", text("<html>Not Found</html>", 404)],
    ["429", text("", 429, { "retry-after": "2" })],
    ["400 and what the node would print", json({ code: "SIGERROR", message: "736967" }, 400)],
    ["an Error without a class", json({ Error: "invalid key" })],
  ] as const) {
    it(`M1b: allows no replacement without a proof after ${name}`, async () => {
      const tracked = await submittedTo(handler);

      assert.equal(tracked.state.kind, "unknown");
      assert.match(tracked.state.reason, /^Not sent, as far as known: /);
      assert.equal(decideActions(tracked).createReplacement.allowed, false);
      assert.equal(decideActions(tracked).sendSameBytes.allowed, true);
    });
  }

  it("M1b: allows a replacement after an explicit answer of the node", async () => {
    const tracked = await submittedTo(json({ code: "SIGERROR", txid: recordedTransfer().txId, message: "736967" }));

    assert.equal(tracked.state.kind, "rejected");
    assert.equal(decideActions(tracked).createReplacement.allowed, true);
  });
});
