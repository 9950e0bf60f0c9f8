import assert from "node:assert/strict";
import { elementaryType } from "../../tron/src/abi/abi-type.ts";
import { encodeCall } from "../../tron/src/abi/encode-abi.ts";
import { parseAddress } from "../../tron/src/primitives/address.ts";
import { hex } from "../../tron/src/primitives/bytes.ts";
import { foreignText } from "../../tron/src/primitives/plain-text.ts";
import { approvalOf, approveData, parseTokenAmount, transferData } from "../src/tokens.ts";

const SPENDER = parseAddress("TUJu5QP3iLbJPJB4xJqv1RLz1b5Yb18BGW");
const parameters = ["address", "uint256"].map((it) => ({ name: foreignText(""), type: elementaryType(it) }));

describe("token approval", () => {
  it("is read from the calldata of each function that approves", () => {
    assert.deepEqual(approvalOf(approveData(SPENDER, 7n)), { spender: SPENDER, amount: 7n, adds: false });
    for (const name of ["increaseApproval", "increaseAllowance"]) {
      const data = encodeCall(`${name}(address,uint256)`, parameters, [SPENDER, 8n]);
      assert.deepEqual(approvalOf(data), { spender: SPENDER, amount: 8n, adds: true });
    }
  });

  it("is not read from other calls or truncated data", () => {
    assert.equal(approvalOf(transferData(SPENDER, 7n)), undefined);
    assert.equal(approvalOf(hex(approveData(SPENDER, 7n).slice(0, 60))), undefined);
    assert.equal(approvalOf(hex("")), undefined);
  });
});

describe("token amount", () => {
  const token = { decimals: 6, symbol: foreignText("USDT") };

  it("T1: is not increased by a decimal comma", () => {
    for (const text of ["0,5", "1,5", "0,001", "12,50", "1.000,50", "1,2,3", "0,001,000"])
      assert.throws(
        () => parseTokenAmount(text, token),
        {
          code: "AMOUNT_MALFORMED",
          message: /: write a plain number such as 1\.5 or 1,234\.5, with a point before the decimals\.$/,
        },
        text,
      );
    assert.equal(parseTokenAmount("1,000.5", token), 1_000_500_000n);
  });

  it("T10: has no digit groups after the decimal point", () => {
    for (const text of ["1,000.5,0", "1.5,000", "1,000.500,0"])
      assert.throws(() => parseTokenAmount(text, token), { code: "AMOUNT_MALFORMED" }, text);
  });
});
