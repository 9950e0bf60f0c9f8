import assert from "node:assert/strict";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import type { Hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import { toPublic } from "../../../../src/features/tracking/finality-api.ts";
import { ALICE, adopted, BOB, noReasons, signedPart, tracked } from "../../../support/tracking/tracked.ts";

describe("toPublic", () => {
  it("returns addresses and amounts in public formats", () => {
    const { intent } = toPublic(tracked(), noReasons);

    assert.deepEqual(intent, { kind: "transfer", owner: toBase58(ALICE), to: toBase58(BOB), amount: "1500000" });
  });

  it("contains no signature or signed bytes, and survives JSON", () => {
    const signatures = ["5161" as Hex];
    const seen = toPublic(tracked({ signed: { ...signedPart(), signatures, rawDataHex: "7273" as Hex } }), noReasons);

    assert.doesNotMatch(JSON.stringify(seen), /5161|7273|signature|rawData/);
    assert.deepEqual(JSON.parse(JSON.stringify(seen)), seen);
  });

  it("returns every attempt with its answer, and no intent of a foreign transaction", () => {
    const base = { endpoint: "http://a", startedAt: 1 };
    const attempts = [
      { ...base, number: 1, answeredAt: 2, outcome: { kind: "rejected", code: "SIGERROR", message: "bad" } },
      { ...base, number: 2 },
    ] as const;

    assert.deepEqual(toPublic(tracked({ attempts }), noReasons).attempts, [
      { ...base, number: 1, answeredAt: 2, answer: { kind: "rejected", code: "SIGERROR", message: "bad" } },
      { ...base, number: 2 },
    ]);
    assert.equal("intent" in toPublic(adopted(), noReasons), false);
  });
});
