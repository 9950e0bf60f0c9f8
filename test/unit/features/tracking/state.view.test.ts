import assert from "node:assert/strict";
import {
  isSending,
  type TrackingState,
} from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import type { Hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import { describeState } from "../../../../src/features/tracking/state.view.ts";
import { turnedAway } from "../../../support/tracking/journal-entries.ts";
import { adopted, blockReference, noReasons, signedPart, tracked, txId } from "../../../support/tracking/tracked.ts";

const LATER = { sessionStart: 1_000_000_000, reasonOf: noReasons };
const block = blockReference(1204);
const rows: readonly (readonly [string, TrackingState, string, string, string | undefined])[] = [
  ["signed", { kind: "signed" }, "signed · not sent", "lock", undefined],
  [
    "unknown",
    { kind: "unknown", reason: "reset" },
    "do not pay again · outcome unknown",
    "question",
    "list.warningForeground",
  ],
  ["pending", { kind: "pending" }, "accepted · not final", "clockface", "charts.yellow"],
  ["included", { kind: "included", block }, "block 1,204 · may still change", "package", "charts.blue"],
  [
    "rejected",
    { kind: "rejected", code: "SIGERROR", message: "validate signature error", retry: "sign-again" },
    "rejected · validate signature error",
    "circle-slash",
    "list.errorForeground",
  ],
  ["proven absent", { kind: "proven-absent", from: 1, to: 2 }, "safe to replace · proven absent", "history", undefined],
  ["replaced", { kind: "replaced", by: txId("ab") }, "replaced by ababab…abab", "arrow-swap", undefined],
];

describe("describeState", () => {
  for (const [name, state, description, icon, color] of rows) {
    it(`shows ${name} by an icon of its own and in plain words`, () => {
      const look = describeState(tracked({ state }), LATER);

      assert.equal(look.description, description);
      assert.equal(look.icon, icon);
      assert.equal(look.color, color);
    });
  }

  it("U11: says whether the signatures of a file are enough, as far as the journal says", () => {
    const signed = { ...signedPart(), shared: true as const, signatures: ["00", "01"] as Hex[] };
    const looks = [{ weight: 2n, threshold: 2n }, { weight: 2n, threshold: 3n }, undefined].map((quorum) =>
      describeState(tracked({ signed: { ...signed, ...(quorum && { quorum }) } }), LATER),
    );

    assert.deepEqual(
      looks.map(({ description, spoken }) => [description, spoken]),
      [
        ["complete: 2 of 2 · not sent", "Complete: 2 of 2, not sent"],
        ["collects signatures · 2 of 3", "Collects signatures, 2 of 3"],
        ["collects signatures · 2 so far", "Collects signatures, 2 so far"],
      ],
    );
  });

  it("M1b: says of what was turned away before the node how far that is known, and not to pay again", () => {
    const attempt = { number: 1, endpoint: "https://a.test", startedAt: 1, answeredAt: 2 };
    const attempts = [{ ...attempt, outcome: turnedAway("GATEWAY_RATE_LIMITED") }];

    const look = describeState(tracked({ state: { kind: "unknown", reason: "" }, attempts }), LATER);

    assert.equal(look.description, "do not pay again · not sent as far as is known");
    assert.equal(look.spoken, "Not sent as far as is known. Do not create a new payment");
  });

  it("gives every state another icon, so that colour is never the only difference", () => {
    const failed: TrackingState = {
      kind: "solidified",
      block,
      outcome: { kind: "failed", result: "REVERT", message: "" },
    };
    const final: TrackingState = { kind: "solidified", block, outcome: { kind: "success" } };
    const states = [...rows.map(([, state]) => state), failed, final];

    const icons = states.map((state) => describeState(tracked({ state }), LATER).icon);

    assert.equal(new Set(icons).size, states.length);
  });

  it("says of an export that gave way to another one that it was not sent, and asks for no signature", () => {
    const { signed } = tracked({});
    assert.ok(signed);
    const lost = tracked({ state: { kind: "signed" }, signed: { ...signed, shared: true }, replacedBy: txId("ab") });

    assert.equal(describeState(lost, LATER).spoken, "Not sent, ababab…abab took its place");
    assert.match(describeState({ ...lost, replacedBy: undefined } as never, LATER).spoken, /Collects signatures/);
  });

  it("says of a final success in which block it is and how long it took from signing", () => {
    const state: TrackingState = { kind: "solidified", block, outcome: { kind: "success" } };

    const look = describeState(tracked({ state, createdAt: 1_000, changedAt: 20_400 }), LATER);

    assert.equal(look.description, "final · block 1,204 · 19 s");
    assert.equal(look.spoken, "Final, successful, in block 1,204");
  });

  it("H1: says of a failure that another URL denies that it may have been executed, and not to pay again", () => {
    const outcome = { kind: "failed", result: "OUT_OF_ENERGY", message: "" } as const;
    const secondWord = { endpoint: "https://other.test", outcome: { kind: "success" } } as const;
    const disputed = tracked({ state: { kind: "solidified", block, outcome }, secondWord });

    const look = describeState(disputed, LATER);

    assert.equal(look.description, "do not pay again · failed or executed");
    assert.match(look.spoken, /failed \(OUT_OF_ENERGY\), https:\/\/other.test that it was executed. Do not create/);
    assert.equal(describeState({ ...disputed, secondWord: { ...secondWord, outcome } }, LATER).icon, "error");
  });

  it("says of a final failure why it failed", () => {
    const outcome = { kind: "failed", result: "REVERT", message: "maxProfit limit violation" } as const;

    const look = describeState(tracked({ state: { kind: "solidified", block, outcome } }), LATER);

    assert.equal(look.description, "failed · REVERT: maxProfit limit violation");
    assert.equal(look.icon, "error");
  });

  it("warns of a failure that is only in the head, without calling it final", () => {
    const outcome = { kind: "failed", result: "OUT_OF_ENERGY", message: "" } as const;

    const look = describeState(tracked({ state: { kind: "included", block, outcome } }), LATER);

    assert.equal(look.description, "block 1,204 · OUT_OF_ENERGY · may still change");
  });

  it("says what is wrong, not what was checked", () => {
    const rejected = (code: string, message: string): string =>
      describeState(tracked({ state: { kind: "rejected", code, message, retry: "rebuild" } }), LATER).description;

    const message = "Contract validate error : Validate TransferContract error, balance is not sufficient.";
    assert.equal(rejected("CONTRACT_VALIDATE_ERROR", message), "rejected · balance is not sufficient");
    assert.equal(rejected("SIGERROR", ""), "rejected · SIGERROR");
  });

  it("does not warn of paying twice when the transaction is somebody else's", () => {
    const look = describeState(adopted({ state: { kind: "unknown", reason: "" } }), LATER);

    assert.equal(look.description, "not seen yet · looking");
  });

  it("tells by its number that several attempts ended without an answer", () => {
    const attempt = { number: 1, endpoint: "http://a", startedAt: 1 };
    const state: TrackingState = { kind: "unknown", reason: "reset" };

    const look = describeState(tracked({ state, attempts: [attempt, { ...attempt, number: 2 }] }), LATER);

    assert.equal(look.description, "do not pay again · outcome unknown · attempt 2");
  });
});

describe("isSending", () => {
  const unknown: TrackingState = { kind: "unknown", reason: "no answer was noted" };
  const open = { number: 1, endpoint: "http://a", startedAt: 5_000 };

  it("takes an attempt of this window without an answer for one that is under way", () => {
    const sending = tracked({ state: unknown, attempts: [open] });

    assert.equal(isSending(sending, 5_000), true);
    assert.equal(describeState(sending, { ...LATER, sessionStart: 5_000 }).description, "sending");
    assert.equal(
      describeState(tracked({ state: unknown, attempts: [open, { ...open, number: 2 }] }), {
        ...LATER,
        sessionStart: 0,
      }).description,
      "sending · attempt 2",
    );
  });

  it("takes an attempt that an earlier window left behind for an unknown outcome", () => {
    assert.equal(isSending(tracked({ state: unknown, attempts: [open] }), 5_001), false);
  });

  it("is over with the answer", () => {
    const answered = {
      ...open,
      answeredAt: 5_100,
      outcome: { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "reset" },
    } as const;

    assert.equal(isSending(tracked({ state: unknown, attempts: [answered] }), 0), false);
  });
});
