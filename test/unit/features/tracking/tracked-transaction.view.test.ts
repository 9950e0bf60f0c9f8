import assert from "node:assert/strict";
import type { Retry } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { shortAddress } from "../../../../packages/tron/src/format/short.ts";
import { describeTooltip } from "../../../../src/features/tracking/tooltip.view.ts";
import { contextValue, describeTransaction } from "../../../../src/features/tracking/tracked-transaction.view.ts";
import { evidence } from "../../../support/tracking/proven.ts";
import {
  adopted,
  BOB,
  blockReference,
  nameOf,
  noReasons,
  signedPart,
  tracked,
  txId,
} from "../../../support/tracking/tracked.ts";

const context = { nameOf, timeOf: (ms: number): string => `t${ms}`, reasonOf: noReasons, sessionStart: 1_000_000_000 };

describe("describeTransaction", () => {
  it("calls a transfer by its amount and the name of who gets it", () => {
    assert.equal(describeTransaction(tracked(), context).label, "1.5 coins → Bob");
  });

  it("falls back to a short address without a name, and to the txID without our own intent", () => {
    assert.equal(
      describeTransaction(tracked(), { ...context, nameOf: () => undefined }).label,
      `1.5 coins → ${shortAddress(BOB)}`,
    );
    assert.equal(describeTransaction(adopted({ txId: txId("7f") }), context).label, "7f7f7f…7f7f");
  });

  it("puts a person's own words first", () => {
    assert.equal(describeTransaction(tracked({ label: "Rent" }), context).label, "Rent · 1.5 coins → Bob");
  });

  it("tells a screen reader what it is and where it stands, without arrows and digits of a hash", () => {
    const { spoken } = describeTransaction(tracked({ state: { kind: "pending" } }), context);

    assert.equal(spoken, "1.5 coins to Bob. Accepted by the node, not final.");
  });
});

describe("contextValue", () => {
  it("offers to send the same bytes again exactly while they can still help", () => {
    const block = blockReference(1);
    const resendable = [
      tracked({ state: { kind: "signed" } }),
      tracked({ state: { kind: "unknown", reason: "" } }),
      tracked({ state: { kind: "pending" } }),
      tracked({ state: { kind: "included", block } }),
      tracked({ state: { kind: "solidified", block, outcome: { kind: "success" } } }),
      adopted({ state: { kind: "unknown", reason: "" } }),
    ].map((it) => /\+(re)?sendable/.test(contextValue(it)));

    assert.deepEqual(resendable, [true, true, true, false, false, false]);
  });

  it("follows the reason of a rejection", () => {
    const offered = (retry: Retry): boolean =>
      contextValue(tracked({ state: { kind: "rejected", code: "X", message: "", retry } })).includes("+resendable");

    assert.deepEqual(
      (
        [
          "same-bytes-after-funding",
          "same-bytes-later",
          "another-node",
          "sign-again",
          "rebuild",
          "fix-request",
        ] as const
      ).map(offered),
      [true, true, true, false, false, true],
    );
  });

  it("is the state with a flag for each thing that may be done", () => {
    const solidified = { kind: "solidified", block: blockReference(1), outcome: { kind: "success" } } as const;

    assert.equal(contextValue(tracked({ state: { kind: "pending" } })), "tx.pending+resendable+moving");
    assert.equal(contextValue(tracked({ state: solidified })), "tx.solidified+result");
    assert.equal(contextValue(adopted({ state: solidified })), "tx.solidified+result");
    const absent = {
      state: { kind: "proven-absent", from: 101, to: 121 },
      absence: { ...evidence(), provenAt: 5 },
    } as const;
    assert.equal(contextValue(tracked(absent)), "tx.proven-absent+replaceable+proven");
  });

  it("U11: is sendable, not resendable, while nothing was sent, and collecting while signatures are missing", () => {
    const shared = { ...signedPart(), shared: true as const };
    const enough = { ...shared, quorum: { weight: 2n, threshold: 2n } };

    assert.equal(contextValue(tracked()), "tx.signed+sendable+moving+exportable");
    assert.equal(contextValue(tracked({ signed: shared })), "tx.signed+sendable+signable+moving+exportable+collecting");
    assert.equal(contextValue(tracked({ signed: enough })), "tx.signed+sendable+signable+moving+exportable");
  });

  it("is to ask another node only where its network has another URL", () => {
    const pending = tracked({ state: { kind: "pending" } });
    assert.equal(contextValue(pending, ["https://second.example"]), "tx.pending+resendable+elsewhere+moving");

    const rowOf = (otherUrls: readonly string[]) =>
      describeTransaction(pending, { ...context, otherUrlsOf: () => otherUrls }).contextValue;
    assert.match(rowOf(["https://second.example"]), /\+elsewhere/);
    assert.doesNotMatch(rowOf([]), /elsewhere/);
  });
});

describe("describeTooltip", () => {
  it("H1: says through which network it is watched when its own has another name now", () => {
    const networkIn = (networkOf?: () => string) =>
      describeTooltip(tracked({ network: "Old name" }), { ...context, ...(networkOf && { networkOf }) }).network;

    assert.equal(
      networkIn(() => "New name"),
      "Old name, watched through New name",
    );
    assert.deepEqual([networkIn(() => "Old name"), networkIn()], ["Old name", "Old name"]);
  });

  it("says what to do and what not to do about an unknown outcome", () => {
    const { advice } = describeTooltip(tracked({ state: { kind: "unknown", reason: "connection reset" } }), context);

    assert.match(advice ?? "", /Sending the same bytes again is harmless; a new payment is not/);
    assert.match(advice ?? "", /connection reset/);
  });

  it("tells the life in order", () => {
    const attempts = [
      { number: 1, endpoint: "http://127.0.0.1:9/x", startedAt: 5, answeredAt: 28, outcome: { kind: "accepted" } },
    ] as const;
    const state = { kind: "solidified", block: blockReference(1204, 77), outcome: { kind: "success" } } as const;

    const { life } = describeTooltip(tracked({ state, attempts, changedAt: 99 }), context);

    assert.deepEqual(life, [
      "Signed t1000, expires t1060000 by the clock of the chain",
      "Attempt 1, t5, http://127.0.0.1:9/x, 23 ms: accepted",
      "Block 1,204, t77 by the clock of the chain",
      "Solidified, seen t99",
    ]);
  });

  it("keeps the first answer beside later ones", () => {
    const base = { endpoint: "http://a", startedAt: 1, answeredAt: 2 };
    const attempts = [
      { ...base, number: 1, outcome: { kind: "rejected", code: "SIGERROR", message: "" } },
      { ...base, number: 2, outcome: { kind: "already-known", message: "dup" } },
      { ...base, number: 3 },
    ] as const;

    const { life } = describeTooltip(tracked({ attempts }), context);

    assert.deepEqual(life.slice(1), [
      "Attempt 1, t1, http://a, 1 ms: SIGERROR",
      "Attempt 2, t1, http://a, 1 ms: known already: dup",
      "Attempt 3, t1, http://a, 1 ms: no answer is known",
    ]);
  });
});
