import assert from "node:assert/strict";
import { elementaryType } from "../../tron/src/abi/abi-type.ts";
import { encodeCall } from "../../tron/src/abi/encode-abi.ts";
import { parseAddress } from "../../tron/src/primitives/address.ts";
import { hex } from "../../tron/src/primitives/bytes.ts";
import { foreignText, rawText } from "../../tron/src/primitives/plain-text.ts";
import type { ContractGateway } from "../src/gateway/gateway.ts";
import {
  approvalOf,
  approveData,
  parseTokenAmount,
  readDecimals,
  readToken,
  requireAgreedDecimals,
  returnedFalse,
  transferData,
} from "../src/tokens.ts";

const SPENDER = parseAddress("TUJu5QP3iLbJPJB4xJqv1RLz1b5Yb18BGW");
const parameters = ["address", "uint256"].map((it) => ({ name: foreignText(""), type: elementaryType(it) }));

const word = (value: bigint) => value.toString(16).padStart(64, "0");

/** Returns a gateway whose token returns these values; it reverts calls of functions without one. */
function gatewayOf(values: { readonly [name: string]: string }): ContractGateway {
  const bySelector = new Map(Object.entries(values).map(([name, value]) => [encodeCall(`${name}()`, [], []), value]));
  return {
    constantCall: async ({ data }) => {
      const returned = bySelector.get(data);
      const run = { energyUsed: 1n, energyPenalty: 0n, events: [] };
      return { ...run, reverted: returned === undefined, returned: hex(returned ?? "") };
    },
    estimateEnergy: async () => 1n,
    deployedContract: async () => undefined,
    isSolid: async () => true,
  };
}

describe("token description", () => {
  const name = Buffer.from("MKR").toString("hex").padEnd(64, "0");

  it("has the name, symbol and decimals that the token reports", async () => {
    const gateway = gatewayOf({ name, symbol: name, decimals: word(18n) });

    const token = await readToken(gateway, SPENDER);

    assert.deepEqual([rawText(token.name), rawText(token.symbol), token.decimals], ["MKR", "MKR", 18]);
    assert.equal(await readDecimals(gateway, SPENDER), 18);
  });

  it("has no decimals and an empty text when the token does not report them", async () => {
    const nameless = await readToken(gatewayOf({ decimals: word(6n) }), SPENDER);

    assert.deepEqual([rawText(nameless.name), rawText(nameless.symbol), nameless.decimals], ["", "", 6]);
    assert.equal((await readToken(gatewayOf({ name }), SPENDER)).decimals, 0);
    assert.equal(await readDecimals(gatewayOf({ name }), SPENDER), undefined);
  });

  it("has at most 36 decimals", async () => {
    assert.equal(await readDecimals(gatewayOf({ decimals: word(36n) }), SPENDER), 36);
    for (const read of [readToken, readDecimals])
      await assert.rejects(read(gatewayOf({ name, decimals: word(37n) }), SPENDER), {
        code: "CONTRACT_UNKNOWN",
        message: /37 decimals/,
      });
  });
});

describe("requireAgreedDecimals", () => {
  const reported = { url: "https://a.test", decimals: 6 };
  const other = (decimals: number) => ({ url: "https://b.test", decimals });

  it("returns the decimals when every URL and the value of the first use agree", () => {
    assert.equal(requireAgreedDecimals(SPENDER, reported, []), 6);
    assert.equal(requireAgreedDecimals(SPENDER, reported, [other(6)], 6), 6);
  });

  it("refuses decimals that another URL or the first use does not confirm", () => {
    const differ = { code: "TOKEN_DECIMALS_DIFFER" };

    assert.throws(() => requireAgreedDecimals(SPENDER, reported, [other(6), other(18)]), differ);
    assert.throws(() => requireAgreedDecimals(SPENDER, reported, [other(6)], 18), differ);
    assert.throws(() => requireAgreedDecimals(SPENDER, reported, [], 0), differ);
  });
});

describe("returnedFalse", () => {
  it("is true only for a transfer or an approval that returned false", () => {
    for (const data of [transferData(SPENDER, 7n), approveData(SPENDER, 7n)]) {
      assert.deepEqual(
        [word(0n), word(1n), ""].map((returned) => returnedFalse(data, returned)),
        [true, false, false],
      );
    }
    assert.equal(returnedFalse(encodeCall("decimals()", [], []), word(0n)), false);
  });
});

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
