import assert from "node:assert/strict";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { tracked } from "../../../support/tracking/tracked.ts";

type Parts = typeof import("../../../../src/features/tracking/notices.ts");

describe("the notice of an outage", () => {
  let parts: Parts;

  before(async () => {
    parts = await loadWithEditor<Parts>("src/features/tracking/notices.ts");
  });

  beforeEach(() => editor.reset());

  /** Returns the notices of a minute in which these networks do not answer. */
  async function saidIn(unanswered: readonly string[], { hidden = false, inSight = false } = {}) {
    const clock = new FakeClock();
    const transactions = { unanswered, list: () => [tracked({ state: { kind: "pending" }, hidden })] };
    const outage = parts.outageOf({ transactions: transactions as never, sleep: clock.sleep }, () => inSight);
    outage.look();
    await clock.advance(60_000);
    outage.dispose();
    return editor.asked.map(({ title }) => title);
  }

  it("names the network when something of it is waited for", async () => {
    assert.deepEqual(await saidIn(["Shop"]), [
      "The gateway of Shop does not answer. Finality retries reads and sends nothing.",
    ]);
  });

  it("does not come for another issue, without a waiting transaction, or where the list shows it", async () => {
    assert.deepEqual(await saidIn([]), []);
    assert.deepEqual(await saidIn(["Shop"], { hidden: true }), []);
    assert.deepEqual(await saidIn(["Shop"], { inSight: true }), []);
  });
});
