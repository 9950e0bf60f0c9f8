import assert from "node:assert/strict";
import { elementaryType } from "../../../../src/core/abi/abi-type.ts";
import { encodeCall } from "../../../../src/core/abi/encode-abi.ts";
import { parseAddress } from "../../../../src/core/primitives/address.ts";
import { hex } from "../../../../src/core/primitives/bytes.ts";
import { foreignText } from "../../../../src/core/primitives/plain-text.ts";
import { approvalOf, approveData, transferData } from "../../../../src/core/tokens/trc20.ts";

const SPENDER = parseAddress("TUJu5QP3iLbJPJB4xJqv1RLz1b5Yb18BGW");
const parameters = ["address", "uint256"].map((it) => ({ name: foreignText(""), type: elementaryType(it) }));

describe("an approval", () => {
  it("is read from the data of a call, whatever way the call was made", () => {
    assert.deepEqual(approvalOf(approveData(SPENDER, 7n)), { spender: SPENDER, amount: 7n, adds: false });
    for (const name of ["increaseApproval", "increaseAllowance"]) {
      const data = encodeCall(`${name}(address,uint256)`, parameters, [SPENDER, 8n]);
      assert.deepEqual(approvalOf(data), { spender: SPENDER, amount: 8n, adds: true });
    }
  });

  it("is not seen in other calls, nor in data that are cut", () => {
    assert.equal(approvalOf(transferData(SPENDER, 7n)), undefined);
    assert.equal(approvalOf(hex(approveData(SPENDER, 7n).slice(0, 60))), undefined);
    assert.equal(approvalOf(hex("")), undefined);
  });
});
