import assert from "node:assert/strict";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { tracked } from "../../../support/tracking/tracked.ts";

type TestedModule = typeof import("../../../../src/features/tracking/notices.ts");

describe("outageOf", () => {
  let parts: TestedModule;

  before(async () => {
    parts = await loadWithEditor<TestedModule>("src/features/tracking/notices.ts");
  });

  beforeEach(() => editor.reset());

  /** Returns the notifications of a minute without answers from these networks. */
  async function noticesFor(unanswered: readonly string[], { hidden = false, inSight = false } = {}) {
    const clock = new FakeClock();
    const transactions = { unanswered, list: () => [tracked({ state: { kind: "pending" }, hidden })] };
    const outage = parts.outageOf({ transactions: transactions as never, sleep: clock.sleep }, () => inSight);
    outage.look();
    await clock.advance(60_000);
    outage.dispose();
    return editor.asked.map(({ title }) => title);
  }

  it("names a network with pending transactions", async () => {
    assert.deepEqual(await noticesFor(["Shop"]), [
      "The gateway of Shop does not answer. Finality retries reads and sends nothing.",
    ]);
  });

  it("shows nothing without a visible pending transaction, or while the list shows it", async () => {
    assert.deepEqual(await noticesFor([]), []);
    assert.deepEqual(await noticesFor(["Shop"], { hidden: true }), []);
    assert.deepEqual(await noticesFor(["Shop"], { inSight: true }), []);
  });
});
