import assert from "node:assert/strict";
import type {
  Attempt,
  TrackedTransaction,
} from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { describeLife } from "../../../../src/features/tracking/life-line.view.ts";
import { evidence } from "../../../support/tracking/proven.ts";
import { adopted, blockReference, noReasons, tracked, txId } from "../../../support/tracking/tracked.ts";

const context = { timeOf: (ms: number): string => `t${ms}`, reasonOf: noReasons };
const base = { endpoint: "http://127.0.0.1:9/chain", startedAt: 5, answeredAt: 28 };
const rows = (attempts: readonly Attempt[]): readonly string[] =>
  describeLife(tracked({ attempts }), context).map(({ label, description }) => `${label} | ${description}`);

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

    const life = describeLife(tracked({ state, changedAt: 99 }), context).slice(1);

    assert.deepEqual(
      life.map((it) => [it.label, it.description]),
      [
        ["Block 1,204", "t77"],
        ["Solidified", "seen t99"],
      ],
    );
  });

  it("tells the proof of absence, how far it is, and why it stopped", () => {
    const absence = { ...evidence(), provenAt: 5 };
    const proof = (changes: Partial<TrackedTransaction>) => {
      const fact = describeLife(tracked(changes), context).find(({ id }) => id === "proof");
      return fact && `${fact.label} | ${fact.description}`;
    };

    assert.equal(proof({}), undefined);
    assert.equal(
      proof({ proving: { kind: "scanning", read: 14, total: 21 } }),
      "Proof of absence | scanning 14 of 21 solidified blocks",
    );
    assert.equal(
      proof({ proving: { kind: "scanning", read: 0, total: 0 } }),
      "Proof of absence | scanning solidified blocks",
    );
    assert.equal(
      proof({ proving: { kind: "stopped", reason: { kind: "hole", height: 7 } } }),
      "Proof of absence | Block 7 could not be read; the proof is incomplete. Nothing was replaced.",
    );
    assert.equal(
      proof({ state: { kind: "proven-absent", from: 101, to: 121 }, absence }),
      "Proven absent | blocks 101–121 do not hold it",
    );
  });

  it("leads from a transaction to its replacement and back", () => {
    const links = (changes: Partial<TrackedTransaction>) =>
      describeLife(tracked(changes), context).flatMap(({ label, txId: to }) => (to === undefined ? [] : [[label, to]]));

    assert.deepEqual(links({ state: { kind: "replaced", by: txId("1") }, replacedBy: txId("1") }), [
      ["Replaced by", txId("1")],
    ]);
    assert.deepEqual(links({ replaces: txId("2") }), [["Replaces", txId("2")]]);
  });

  it("sounds an alarm when a block holds what was proven absent", () => {
    const state = { kind: "solidified", block: blockReference(7), outcome: { kind: "success" } } as const;
    const life = describeLife(tracked({ state, absence: { ...evidence(), provenAt: 5 } }), context);

    assert.ok(life.some(({ label }) => label === "Alarm"));
    assert.ok(!describeLife(tracked({ state }), context).some(({ label }) => label === "Alarm"));
  });

  it("gives every fact an identity of its own, also when two windows used the same number", () => {
    const life = describeLife(
      tracked({
        attempts: [
          { ...base, number: 1 },
          { ...base, number: 1, startedAt: 6 },
        ],
      }),
      context,
    );

    assert.equal(new Set(life.map((it) => it.id)).size, life.length);
  });

  it("says of somebody else's transaction that it is only followed", () => {
    assert.equal(describeLife(adopted(), context)[0]?.label, "Followed");
  });
});
