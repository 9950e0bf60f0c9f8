import assert from "node:assert/strict";
import type { TrackingState } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import type { Intent } from "../../../../packages/tron/src/transaction/intent.ts";
import { describeOutage, noticeAbout } from "../../../../src/features/tracking/notifications.view.ts";
import { turnedAway } from "../../../support/tracking/journal-entries.ts";
import { evidence } from "../../../support/tracking/proven.ts";
import {
  adopted,
  blockReference,
  nameOf,
  noReasons,
  signedPart,
  TRANSFER,
  tracked,
} from "../../../support/tracking/tracked.ts";

const context = { nameOf, reasonOf: noReasons, sessionStart: 1_000_000_000 };
const block = blockReference(1204);

describe("noticeAbout", () => {
  it("is undefined for success and normal progress", () => {
    const states: readonly TrackingState[] = [
      { kind: "signed" },
      { kind: "pending" },
      { kind: "included", block },
      { kind: "solidified", block, outcome: { kind: "success" } },
    ];

    assert.deepEqual(
      states.map((state) => noticeAbout(tracked({ state }), context)),
      [undefined, undefined, undefined, undefined],
    );
  });

  it("reports a block that contains a transaction that was proven absent", () => {
    const state: TrackingState = { kind: "solidified", block, outcome: { kind: "success" } };
    const notice = noticeAbout(tracked({ state, absence: { ...evidence(), provenAt: 5 } }), context);

    assert.equal(notice?.severity, "error");
    assert.match(notice?.message ?? "", /proven absent, but a block contains it/);
  });

  it("warns about an unknown outcome and offers a rebroadcast", () => {
    const notice = noticeAbout(tracked({ state: { kind: "unknown", reason: "reset" } }), context);

    assert.equal(notice?.severity, "warning");
    assert.equal(
      notice?.message,
      "Outcome unknown: 1.5 coins → Bob. It may still be executed. Sending the same bytes again is harmless; a new payment is not.",
    );
    assert.deepEqual(
      notice?.actions.map((it) => it.title),
      ["Send Same Bytes Again", "Keep Watching", "Show"],
    );
  });

  it("M1b: attributes a refusal to the server in front of the node, and offers a rebroadcast", () => {
    const reason = "Not sent, as far as known: https://a.test answered 403: the API key is wrong. Run Set API Key.";
    const outcome = turnedAway("GATEWAY_UNAUTHORIZED");
    const attempt = { number: 1, endpoint: "https://a.test", startedAt: 1, answeredAt: 2, outcome };

    const notice = noticeAbout(tracked({ state: { kind: "unknown", reason }, attempts: [attempt] }), context);

    assert.equal(
      notice?.message,
      "1.5 coins → Bob. Not sent, as far as known: https://a.test answered 403: the API key is wrong. Run Set API Key. A server in front of the node refused it, not the node itself. Correct the cause, then send the same signed bytes again; a new payment could pay twice.",
    );
    assert.equal(notice?.actions[0]?.action, "resend");
  });

  it("shows the reason of a rejection, and offers a rebroadcast only when it can succeed", () => {
    const rejected = (retry: "sign-again" | "same-bytes-after-funding"): TrackingState => ({
      kind: "rejected",
      code: "CONTRACT_VALIDATE_ERROR",
      message: "balance is not sufficient",
      retry,
    });

    const funding = noticeAbout(tracked({ state: rejected("same-bytes-after-funding") }), context);
    const signature = noticeAbout(tracked({ state: rejected("sign-again") }), context);

    assert.match(
      funding?.message ?? "",
      /balance is not sufficient\. Once the sender has the coins, send the same signed bytes again/,
    );
    assert.deepEqual(
      funding?.actions.map((it) => it.action),
      ["resend", "show"],
    );
    assert.deepEqual(
      signature?.actions.map((it) => it.action),
      ["show"],
    );
  });

  it("reports a final failure, and nothing about a foreign transaction", () => {
    const outcome = { kind: "failed", result: "REVERT", message: "no" } as const;

    const notice = noticeAbout(tracked({ state: { kind: "solidified", block, outcome } }), context);

    assert.equal(notice?.message, "Final, but failed: 1.5 coins → Bob. REVERT: no.");
    assert.equal(noticeAbout(adopted({ state: { kind: "unknown", reason: "" } }), context), undefined);
  });
});

describe("notice about a failed call", () => {
  const outcome = { kind: "failed", result: "REVERT", message: "no" } as const;
  const call: Intent = {
    ...{ kind: "contract-call", owner: TRANSFER.owner, contract: TRANSFER.owner, data: hex("") },
    ...{ callValue: sun(0n), feeLimit: sun(0n) },
  };
  const failed = (intent: Intent) =>
    tracked({ signed: signedPart(intent), state: { kind: "solidified", block, outcome } });
  const actionsOf = (isLocal: boolean, intent: Intent = call) =>
    noticeAbout(failed(intent), { ...context, isLocal: () => isLocal })?.actions.map(({ action }) => action);

  it("offers a trace on the local chain alone", () => {
    assert.deepEqual(actionsOf(true), ["show", "trace", "decode", "hide"]);
    assert.deepEqual(actionsOf(false), ["show", "decode", "hide"]);
  });

  it("offers no trace of a transaction without code", () => {
    assert.deepEqual(actionsOf(true, TRANSFER), ["show", "decode", "hide"]);
  });
});

describe("describeOutage", () => {
  it("names all unreachable networks", () => {
    const end = "Finality retries reads and sends nothing.";

    assert.equal(describeOutage(["Shop"]), `The gateway of Shop does not answer. ${end}`);
    assert.equal(describeOutage(["Shop", "Nile"]), `The gateways of Shop, Nile do not answer. ${end}`);
  });
});
