import assert from "node:assert/strict";
import { contractResultName, contractResultNumber } from "../../src/transaction/contract-types.ts";

/** In the order of the protocol's numbers, written out once more on purpose. */
const NAMES =
  "DEFAULT SUCCESS REVERT BAD_JUMP_DESTINATION OUT_OF_MEMORY PRECOMPILED_CONTRACT STACK_TOO_SMALL STACK_TOO_LARGE ILLEGAL_OPERATION STACK_OVERFLOW OUT_OF_ENERGY OUT_OF_TIME JVM_STACK_OVER_FLOW UNKNOWN TRANSFER_FAILED INVALID_CODE".split(
    " ",
  );

describe("S48–S63 contract result", () => {
  for (const [number, name] of NAMES.entries()) {
    it(`${name} is ${number}`, () => {
      assert.equal(contractResultNumber(name), number);
      assert.equal(contractResultName(number), name);
    });
  }
});

describe("contract result", () => {
  it("is undefined for values outside the protocol", () => {
    assert.equal(contractResultNumber("SOMETHING_NEW"), undefined);
    assert.equal(contractResultName(16), undefined);
    assert.equal(contractResultName(-1), undefined);
  });
});
