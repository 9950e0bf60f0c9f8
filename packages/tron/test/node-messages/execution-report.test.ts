import assert from "node:assert/strict";
import { endOfExecution, executionIn, resultNameOf } from "../../src/node-messages/answers.ts";
import { contractResults } from "../../src/transaction/contract-types.ts";

describe("resultNameOf", () => {
  it("G10: returns every result by its name, in any case, and by its index", () => {
    for (const [index, name] of contractResults.entries()) {
      for (const value of [name, name.toLowerCase(), index, String(index)]) assert.equal(resultNameOf(value), name);
    }
    for (const value of [undefined, null, "", true, {}]) assert.equal(resultNameOf(value), undefined);
    assert.equal(resultNameOf(99), "99");
  });
});

describe("endOfExecution", () => {
  const end = (info: Parameters<typeof executionIn>[0], runsCode = true) => endOfExecution(executionIn(info), runsCode);

  it("G1: prefers FAILED at the top level to the receipt", () => {
    for (const receipt of [undefined, {}, { result: "SUCCESS" }, { result: "DEFAULT" }]) {
      for (const result of ["FAILED", 1, "1"]) {
        assert.deepEqual(end({ result, receipt }), { kind: "failed", result: "FAILED" });
      }
    }
    assert.deepEqual(end({ result: "FAILED", receipt: { result: 2 } }), { kind: "failed", result: "REVERT" });
  });

  it("G9: returns not-reported for a contract without a result, and for DEFAULT", () => {
    assert.deepEqual(end({ receipt: {} }), { kind: "not-reported" });
    assert.deepEqual(end({ receipt: { result: "DEFAULT" } }, false), { kind: "not-reported" });
    assert.deepEqual(end({ result: "SUCESS", receipt: {} }, false), { kind: "success" });
  });
});
