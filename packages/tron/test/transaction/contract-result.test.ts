import assert from "node:assert/strict";
import { contractResultName, contractResultNumber } from "../../src/transaction/contract-types.ts";

/** Names in the order of the protocol's numbers. */
const NAMES =
  "DEFAULT SUCCESS REVERT BAD_JUMP_DESTINATION OUT_OF_MEMORY PRECOMPILED_CONTRACT STACK_TOO_SMALL STACK_TOO_LARGE ILLEGAL_OPERATION STACK_OVERFLOW OUT_OF_ENERGY OUT_OF_TIME JVM_STACK_OVER_FLOW UNKNOWN TRANSFER_FAILED INVALID_CODE".split(
    " ",
  );

describe("S48–S63 contract result", () => {
  it("has the protocol's number for each name, and is undefined for other values", () => {
    for (const [number, name] of NAMES.entries()) {
      assert.equal(contractResultNumber(name), number);
      assert.equal(contractResultName(number), name);
    }
    assert.equal(contractResultNumber("SOMETHING_NEW"), undefined);
    assert.deepEqual([contractResultName(NAMES.length), contractResultName(-1)], [undefined, undefined]);
  });
});
