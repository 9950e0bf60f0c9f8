import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { gatewayAt, recordedTransfer } from "../../../../test/support/fakes/gateway-fixtures.ts";
import { type Handler, json, startServer, text } from "../../../../test/support/http/http-server.ts";
import { TRANSFER } from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import { judge } from "../../src/retry/judge.ts";
import { submitTransaction } from "../../src/watch/submit-transaction.ts";
import { TransactionTracker } from "../../src/watch/transaction-tracker.ts";

/** What is tracked after the first and only submission was answered so. */
async function submittedTo(handler: Handler) {
  await using server = await startServer(handler);
  await using it = gatewayAt(server.url);
  const clock = new FakeClock();
  const log = new TransactionTracker({ store: new MemoryJournal(), gatewayFor: async () => it.gateway, clock });
  const context = { network: "test", intent: TRANSFER, expiration: 9, solidHeight: 0 };
  return await submitTransaction({ log, gateway: it.gateway, clock }, recordedTransfer(), context);
}

describe("a broadcast that whoever stands before the node turned away", () => {
  for (const [name, handler] of [
    ["403 and a page", text("<html>Forbidden</html>", 403)],
    ["401 and JSON", json({ message: "Unauthorized" }, 401)],
    ["404 and a page", text("<html>Not Found</html>", 404)],
    ["429", text("", 429, { "retry-after": "2" })],
    ["400 and what the node would print", json({ code: "SIGERROR", message: "736967" }, 400)],
    ["an Error without a class", json({ Error: "invalid key" })],
  ] as const) {
    it(`M1b: may have been executed, so nothing takes its place without a proof: ${name}`, async () => {
      const tracked = await submittedTo(handler);

      assert.equal(tracked.state.kind, "unknown");
      assert.match(tracked.state.reason, /^Not sent as far as is known: /);
      assert.equal(judge(tracked).createReplacement.allowed, false);
      assert.equal(judge(tracked).sendSameBytes.allowed, true);
    });
  }

  it("M1b: an explicit answer of the node refuses all the same", async () => {
    const tracked = await submittedTo(json({ code: "SIGERROR", txid: recordedTransfer().txId, message: "736967" }));

    assert.equal(tracked.state.kind, "rejected");
    assert.equal(judge(tracked).createReplacement.allowed, true);
  });
});
