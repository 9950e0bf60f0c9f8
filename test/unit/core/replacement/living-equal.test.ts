import assert from "node:assert/strict";
import type { RecordedOutcome } from "../../../../src/core/journal/journal.ts";
import { sun } from "../../../../src/core/primitives/amount.ts";
import type { Hex } from "../../../../src/core/primitives/bytes.ts";
import { livingEquals } from "../../../../src/core/replacement/living-equal.ts";
import type { TrackingState } from "../../../../src/core/tracking/tracking-state.ts";
import type { Intent } from "../../../../src/core/transaction/intent.ts";
import { ALICE, adopted, BOB, blockReference, signedPart, TRANSFER, tracked, txId } from "../../../support/tracked.ts";

const block = blockReference(1);
const found = (state: TrackingState, intent = TRANSFER, network = "Local chain"): number =>
  livingEquals([tracked({ state })], network, intent).length;

describe("livingEquals", () => {
  it("finds an equal payment in every state that may still be executed", () => {
    const alive: readonly TrackingState[] = [
      { kind: "signed" },
      { kind: "unknown", reason: "" },
      { kind: "pending" },
      { kind: "included", block },
    ];

    assert.deepEqual(
      alive.map((state) => found(state)),
      [1, 1, 1, 1],
    );
  });

  it("does not stand in the way once the first one has an end", () => {
    const ends: readonly TrackingState[] = [
      { kind: "solidified", block, outcome: { kind: "success" } },
      { kind: "rejected", code: "SIGERROR", message: "", retry: "sign-again" },
      { kind: "proven-absent", from: 1, to: 2 },
      { kind: "replaced", by: txId("1") },
    ];

    assert.deepEqual(
      ends.map((state) => found(state)),
      [0, 0, 0, 0],
    );
  });

  it("finds a refused payment that a node later said it had seen: another node behind the same URL may hold it", () => {
    const outcomes: readonly RecordedOutcome[] = [
      { kind: "rejected", code: "SERVER_BUSY", message: "Server busy." },
      { kind: "already-known", message: "Dup transaction." },
    ];
    const attempts = outcomes.map((outcome, index) => ({
      ...{ number: index + 1, endpoint: "https://gateway.test", startedAt: index },
      ...{ answeredAt: index, outcome },
    }));
    const state: TrackingState = {
      kind: "rejected",
      code: "SERVER_BUSY",
      message: "Server busy.",
      retry: "another-node",
    };

    assert.equal(livingEquals([tracked({ state, attempts })], "Local chain", TRANSFER).length, 1);
    assert.equal(livingEquals([tracked({ state, attempts: attempts.slice(0, 1) })], "Local chain", TRANSFER).length, 0);
  });

  it("takes another network, amount, owner or recipient for another payment", () => {
    const pending: TrackingState = { kind: "pending" };

    assert.equal(found(pending, TRANSFER, "Main"), 0);
    assert.equal(found(pending, { kind: "transfer", owner: ALICE, to: BOB, amount: sun(2n) }), 0);
    assert.equal(found(pending, { kind: "transfer", owner: BOB, to: ALICE, amount: sun(1_500_000n) }), 0);
  });

  it("takes a memo or a permission for no difference: it would still pay twice", () => {
    assert.equal(found({ kind: "pending" }, { ...TRANSFER, memo: "00" as Hex, permissionId: 2 }), 1);
  });

  it("compares fields, not the order in which they were written", () => {
    const reordered = { amount: sun(1_500_000n), to: BOB, owner: ALICE, kind: "transfer" } as const;

    assert.equal(found({ kind: "pending" }, reordered), 1);
  });

  it("knows nothing about the intent of somebody else's transaction", () => {
    assert.deepEqual(livingEquals([adopted({ state: { kind: "pending" } })], "Local chain", TRANSFER), []);
  });

  it("takes a call for the same whatever it may spend, and for another one with other data or coins", () => {
    const call: Intent = {
      ...{ kind: "contract-call", owner: ALICE, contract: BOB, data: "a9059cbb" as Hex },
      ...{ callValue: sun(0n), feeLimit: sun(1n) },
    };
    const signed = { ...signedPart(call) };
    const equals = (change: Partial<Intent>): number =>
      livingEquals([tracked({ state: { kind: "pending" }, signed })], "Local chain", { ...call, ...change } as Intent)
        .length;

    assert.deepEqual([equals({}), equals({ feeLimit: sun(2n) })], [1, 1]);
    assert.deepEqual(
      [equals({ data: "ff" as Hex }), equals({ callValue: sun(1n) }), equals({ contract: ALICE })],
      [0, 0, 0],
    );
  });
});
