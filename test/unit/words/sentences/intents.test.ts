import assert from "node:assert/strict";
import { sun } from "../../../../src/core/primitives/amount.ts";
import { shortAddress } from "../../../../src/words/forms/short.ts";
import { describeIntent } from "../../../../src/words/sentences/intents.ts";
import { ALICE, BOB, nameOf, TRANSFER } from "../../../support/tracking/tracked.ts";

describe("describeIntent", () => {
  it("says amount and direction of a transfer, by name where there is one", () => {
    assert.equal(describeIntent(TRANSFER, nameOf), "1.5 → Bob");
    assert.equal(describeIntent(TRANSFER), `1.5 → ${shortAddress(BOB)}`);
  });

  it("says resource and receiver of a delegation", () => {
    const intent = {
      kind: "delegate",
      owner: ALICE,
      receiver: BOB,
      resource: "ENERGY",
      amount: sun(5_000_000n),
    } as const;

    assert.equal(describeIntent(intent, nameOf), "Delegate 5 as energy → Bob");
  });

  it("counts votes in the right number", () => {
    const vote = (count: number): string =>
      describeIntent({
        kind: "vote",
        owner: ALICE,
        votes: Array.from({ length: count }, () => ({ witness: BOB, count: 1n })),
      });

    assert.deepEqual([vote(1), vote(2)], ["Vote for 1 witness", "Vote for 2 witnesses"]);
  });
});
