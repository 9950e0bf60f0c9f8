import assert from "node:assert/strict";
import {
  describeAnswer,
  describeDispute,
  describeValidity,
  shortReason,
  transactionLabel,
} from "../../../src/labels/transactions.ts";
import { nameOf, tracked, txId } from "../../support/tracking/tracked.ts";

describe("the words of a transaction", () => {
  it("begin with the name that a person gave it, and are its txID where nothing else is known", () => {
    assert.equal(transactionLabel(tracked({ label: "Rent" }), nameOf), "Rent · 1.5 coins → Bob");
    const { signed: _signed, ...foreign } = tracked({ txId: txId("a") });
    assert.equal(transactionLabel(foreign, nameOf), "aaaaaa…aaaa");
  });

  it("U19: say the symbol of the network's coin by the gateway that it was sent to", () => {
    const attempts = [{ number: 1, endpoint: "https://nile.trongrid.io", startedAt: 0 }];

    assert.equal(transactionLabel(tracked({ attempts }), nameOf), "1.5 TRX → Bob");
    assert.equal(transactionLabel(tracked({ attempts: [] }), nameOf), "1.5 coins → Bob");
  });

  it("show the answer of a gateway with its invisible characters", () => {
    assert.equal(describeAnswer(undefined), "no answer known");
    assert.equal(describeAnswer({ kind: "accepted" }), "accepted");
    const message = "x\u202Ey";
    assert.equal(describeAnswer({ kind: "rejected", code: "SIGERROR", message }), "SIGERROR: x⟨U+202E⟩y");
    assert.equal(describeAnswer({ kind: "rejected", code: "SIGERROR", message: "" }), "SIGERROR");
    const unknown = { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "reset" } as const;
    assert.equal(describeAnswer(unknown), "no valid response: reset");
    assert.equal(describeAnswer({ ...unknown, turnedAway: true }), "refused before the node: reset");
  });

  it("give the reason without what every message begins with", () => {
    const message = "Contract validate error : Validate TransferContract error, balance is not sufficient.";
    assert.equal(shortReason("CONTRACT_VALIDATE_ERROR", message), "balance is not sufficient");
    assert.equal(shortReason("SIGERROR", ""), "SIGERROR");
  });

  it("name the URL that contradicts, if it is known", () => {
    const secondWord = { endpoint: "https://b.test", outcome: { kind: "success" } } as const;
    assert.equal(
      describeDispute({ outcomeElsewhere: secondWord }, "REVERT"),
      "Its gateway reports that it failed (REVERT), https://b.test that it was executed",
    );
    assert.match(describeDispute({}, "REVERT"), /, another URL that it was executed$/);
  });

  it("say how long its bytes are valid, never for longer than they are", () => {
    const its = tracked();
    const expiration = its.signed?.expiration ?? 0;
    assert.equal(describeValidity(its, expiration - 41_999), "valid for 41 s more");
    assert.match(describeValidity(its, expiration - 999) ?? "", /^it has expired by chain time/);
    assert.equal(describeValidity(its, undefined), undefined);
  });
});
