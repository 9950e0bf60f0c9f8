import assert from "node:assert/strict";
import { elementaryType } from "../../../../src/core/abi/abi-type.ts";
import { encodeCall } from "../../../../src/core/abi/encode-abi.ts";
import { parseAddress, toBase58 } from "../../../../src/core/primitives/address.ts";
import { hex } from "../../../../src/core/primitives/bytes.ts";
import { foreignText } from "../../../../src/core/primitives/plain-text.ts";
import {
  type Approval,
  approvalOf,
  approvalWarning,
  approveData,
  transferData,
} from "../../../../src/core/tokens/trc20.ts";

const SPENDER = parseAddress("TUJu5QP3iLbJPJB4xJqv1RLz1b5Yb18BGW");
const MOST = 2n ** 256n - 1n;
const parameters = ["address", "uint256"].map((it) => ({ name: foreignText(""), type: elementaryType(it) }));
const reported = (approval: Partial<Approval>, balance: bigint | undefined): string | undefined =>
  approvalWarning({ spender: SPENDER, amount: 1n, adds: false, ...approval }, balance, (amount) => `${amount} TEA`);

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

  it("of the maximum is named as one of everything, with its spender", () => {
    const sentence = reported({ amount: MOST }, MOST);
    assert.match(sentence ?? "", /every token of this kind that you have or will ever have/);
    assert.ok(sentence?.includes(toBase58(SPENDER)));
  });

  it("of more than the holder has says both amounts", () => {
    assert.match(reported({ amount: 500n }, 3n) ?? "", /to take 500 TEA, and you have 3 TEA/);
    assert.match(reported({ amount: 500n, adds: true }, 3n) ?? "", /to take 500 TEA more, and you have 3 TEA/);
  });

  it("of no more than the holder has is nothing to warn of, nor one whose holder's tokens nobody tells", () => {
    assert.equal(reported({ amount: 3n }, 3n), undefined);
    assert.equal(reported({ amount: 3n }, undefined), undefined);
  });
});
