import assert from "node:assert/strict";
import { explain } from "../../../../src/core/explain/explain.ts";
import { fixNow } from "../../../../src/core/explain/fix-now.ts";
import { judge } from "../../../../src/core/retry/judge.ts";
import { blockReference, tracked } from "../../../support/tracking/tracked.ts";

const block = blockReference(7);
const final = tracked({ state: { kind: "solidified", block, outcome: { kind: "success" } } });
const failed = tracked({
  state: { kind: "solidified", block, outcome: { kind: "failed", result: "REVERT", message: "" } },
});
const refusal = explain("Contract validate error : balance is not sufficient");

describe("what is left to do about an answer", () => {
  it("is what the answer asks for, while nothing is known of its transaction", () => {
    assert.equal(fixNow(refusal, undefined), refusal.fix);
  });

  it("M1: is how the cause is mended, and then what the one judgement says, while the transaction is open", () => {
    const refused = { kind: "rejected", code: "CONTRACT_VALIDATE_ERROR", message: "", retry: "fix-request" } as const;

    for (const state of [refused, { kind: "signed" }, { kind: "unknown", reason: "" }] as const) {
      const it = tracked({ state });
      const mending = "Top up the account and check the fee budget. Do not rebuild.";
      assert.equal(fixNow(refusal, it), `${mending} ${judge(it).advice}`);
    }
  });

  it("is nothing when the transaction is final, whatever was said of it before", () => {
    assert.match(refusal.fix, /same signed bytes/);
    assert.equal(fixNow(refusal, final), "Nothing has to be done.");
  });

  it("is a new transaction when it is final and failed", () => {
    assert.match(fixNow(refusal, failed), /sign a new transaction/);
  });

  it("is the mending of an execution, which stays what it is", () => {
    const outOfEnergy = explain("OUT_OF_ENERGY");

    assert.equal(fixNow(outOfEnergy, failed), outOfEnergy.fix);
  });
});
