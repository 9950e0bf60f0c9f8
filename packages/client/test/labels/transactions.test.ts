import assert from "node:assert/strict";
import { selectorOf } from "@finality/tron/abi";
import { foreignText, type Hex, sun } from "@finality/tron/primitives";
import { ALICE, BOB, nameOf, signedPart, tracked, txId } from "../../../../test/support/tracking/tracked.ts";
import {
  describeAnswer,
  describeDispute,
  describeValidity,
  shortReason,
  transactionLabel,
} from "../../src/labels/transactions.ts";
import type { TrackedTransaction } from "../../src/transaction-state/tracked-transaction.ts";

describe("transaction labels", () => {
  it("begin with the user's label, or are the txID", () => {
    assert.equal(transactionLabel(tracked({ label: "Rent" }), nameOf), "Rent · 1.5 coins → Bob");
    const { signed: _signed, ...foreign } = tracked({ txId: txId("a") });
    assert.equal(transactionLabel(foreign, nameOf), "aaaaaa…aaaa");
  });

  it("U19: use the coin of the gateway's network", () => {
    const attempts = [{ number: 1, endpoint: "https://nile.trongrid.io", startedAt: 0 }];

    assert.equal(transactionLabel(tracked({ attempts }), nameOf), "1.5 TRX → Bob");
    assert.equal(transactionLabel(tracked({ attempts: [] }), nameOf), "1.5 coins → Bob");
  });

  it("U23: name a called function by the ABI of the call, and quote the name of any other ABI", () => {
    const call = (functionSignature?: string): TrackedTransaction => {
      const data = selectorOf("reserve(uint256)") as Hex;
      const intent = {
        kind: "contract-call",
        owner: ALICE,
        contract: BOB,
        data,
        callValue: sun(0n),
        feeLimit: sun(1n),
      } as const;
      return tracked({ signed: { ...signedPart(intent), ...(functionSignature && { functionSignature }) } });
    };
    const claimed = () => ({ name: foreignText("hold\u202Eme"), isClaim: true });
    const own = () => ({ name: foreignText("hold"), isClaim: false });

    assert.equal(transactionLabel(call("reserve(uint256)"), nameOf, claimed), "Call reserve on Bob");
    assert.equal(transactionLabel(call("withdrawAll()"), nameOf), "Call Bob", "the bytes call another function");
    assert.equal(transactionLabel(call("withdrawAll()"), nameOf, claimed), "Call “hold⟨U+202E⟩me” on Bob");
    assert.equal(transactionLabel(call(), nameOf, own), "Call hold on Bob");
    assert.equal(transactionLabel(call(), nameOf), "Call Bob");
  });

  it("describeAnswer and shortReason show invisible characters, and omit the common prefix", () => {
    assert.equal(describeAnswer(undefined), "no answer known");
    assert.equal(describeAnswer({ kind: "accepted" }), "accepted");
    const message = "x\u202Ey";
    assert.equal(describeAnswer({ kind: "rejected", code: "SIGERROR", message }), "SIGERROR: x⟨U+202E⟩y");
    assert.equal(describeAnswer({ kind: "rejected", code: "SIGERROR", message: "" }), "SIGERROR");
    const unknown = { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "reset" } as const;
    assert.equal(describeAnswer(unknown), "no valid response: reset");
    assert.equal(describeAnswer({ ...unknown, turnedAway: true }), "refused before the node: reset");
    const prefixed = "Contract validate error : Validate TransferContract error, balance is not sufficient.";
    assert.equal(shortReason("CONTRACT_VALIDATE_ERROR", prefixed), "balance is not sufficient");
    assert.equal(shortReason("SIGERROR", ""), "SIGERROR");
  });

  it("describeDispute names the other URL if known", () => {
    const secondWord = { endpoint: "https://b.test", outcome: { kind: "success" } } as const;
    assert.equal(
      describeDispute({ outcomeElsewhere: secondWord }, "REVERT"),
      "Its gateway reports that it failed (REVERT), https://b.test that it was executed",
    );
    assert.match(describeDispute({}, "REVERT"), /, another URL that it was executed$/);
  });

  it("describeValidity never overstates the remaining time", () => {
    const its = tracked();
    const expiration = its.signed?.expiration ?? 0;
    assert.equal(describeValidity(its, expiration - 41_999), "valid for 41 s more");
    assert.match(describeValidity(its, expiration - 999) ?? "", /^it has expired by chain time/);
    assert.equal(describeValidity(its, undefined), undefined);
  });
});
