import assert from "node:assert/strict";
import { describeStanding, liveActions } from "../../../../src/features/explanations/live-facts.view.ts";
import { signedPart, tracked } from "../../../support/tracking/tracked.ts";

describe("what a hover says of a transaction", () => {
  it("U11: says how many signatures there are, and offers to send what was never sent", () => {
    const signed = { ...signedPart(), shared: true as const };
    const [enough, short, old] = [
      { quorum: { weight: 2n, threshold: 2n } },
      { quorum: { weight: 1n, threshold: 2n } },
      {},
    ];
    const said = [enough, short, old].map((it) => {
      const live = { tracked: tracked({ signed: { ...signed, ...it } }) };
      return [describeStanding(live), liveActions(live)[0]?.title];
    });

    assert.deepEqual(said, [
      ["complete: 2 of 2, not sent", "Send"],
      ["collects signatures, 1 of 2", "Send"],
      ["collects signatures, 1 so far", "Send"],
    ]);
    assert.equal(describeStanding({ tracked: tracked() }), "signed, not sent");
  });
});
