import assert from "node:assert/strict";
import { wantedFrom } from "../../../../src/features/energy-hints/public-estimate.ts";

const call = { contract: "Leaf", function: "transfer" };

describe("a call that another extension asks about", () => {
  it("keeps every digit of its amounts, whichever way they are given", () => {
    const wanted = wantedFrom({ ...call, feeLimit: "9007199254740993", callValue: 5, tokenId: 1_000_001n });

    assert.deepEqual(
      [wanted.feeLimit?.value, wanted.callValue?.value, wanted.tokenId?.value, wanted.tokenValue],
      [9007199254740993n, 5n, 1_000_001n, undefined],
    );
  });

  it("is refused by name when an amount or an argument is none", () => {
    for (const feeLimit of ["15 coins", 1.5, -1, -1n, "", Number.NaN])
      assert.throws(() => wantedFrom({ ...call, feeLimit }), {
        code: "COMMAND_ARGUMENT_MALFORMED",
        message: /^The argument feeLimit cannot be used: it is no whole number/,
      });
    assert.throws(() => wantedFrom({ ...call, arguments: [1.5] }), { code: "COMMAND_ARGUMENT_MALFORMED" });
  });
});
