import assert from "node:assert/strict";
import type { Attempt } from "../../../../src/core/tracking/tracked-transaction.ts";
import { describeLife } from "../../../../src/features/tracking/life-line.view.ts";
import { adopted, blockReference, tracked } from "../../../support/tracked.ts";

const timeOf = (ms: number): string => `t${ms}`;
const base = { endpoint: "http://127.0.0.1:9/chain", startedAt: 5, answeredAt: 28 };
const rows = (attempts: readonly Attempt[]): readonly string[] =>
  describeLife(tracked({ attempts }), timeOf).map(({ label, description }) => `${label} | ${description}`);

describe("describeLife", () => {
  it("begins with what happened, and says when, where and how long after it", () => {
    assert.deepEqual(rows([{ ...base, number: 1, outcome: { kind: "accepted" } }]), [
      "Signed | t1000 · expires t1060000",
      "Accepted | t5 · 127.0.0.1:9 · 23 ms",
    ]);
  });

  it("puts the reason first where something went wrong", () => {
    const refused = { kind: "rejected", code: "SIGERROR", message: "Validate signature error: too many" } as const;
    const lost = { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "connection reset" } as const;
    const [, ...attempts] = rows([
      { ...base, number: 1, outcome: refused },
      { ...base, number: 2, outcome: lost },
      { number: 3, endpoint: "http://127.0.0.1:9", startedAt: 7 },
    ]);

    assert.deepEqual(attempts, [
      "Rejected | Validate signature error: too many · t5 · 127.0.0.1:9 · 23 ms",
      "Sent, no usable answer | connection reset · t5 · 127.0.0.1:9 · 23 ms",
      "Sent, no answer known | t7 · 127.0.0.1:9",
    ]);
  });

  it("ends with the block and with what became final", () => {
    const state = { kind: "solidified", block: blockReference(1204, 77), outcome: { kind: "success" } } as const;

    const life = describeLife(tracked({ state, changedAt: 99 }), timeOf).slice(1);

    assert.deepEqual(
      life.map((it) => [it.label, it.description]),
      [
        ["Block 1,204", "t77"],
        ["Solidified", "seen t99"],
      ],
    );
  });

  it("gives every fact an identity of its own, also when two windows used the same number", () => {
    const life = describeLife(
      tracked({
        attempts: [
          { ...base, number: 1 },
          { ...base, number: 1, startedAt: 6 },
        ],
      }),
      timeOf,
    );

    assert.equal(new Set(life.map((it) => it.id)).size, life.length);
  });

  it("says of somebody else's transaction that it is only followed", () => {
    assert.equal(describeLife(adopted(), timeOf)[0]?.label, "Followed");
  });
});
