import assert from "node:assert/strict";
import * as fc from "fast-check";
import { counted, decimal, grouped, percent, percentOf, votesText } from "../../src/format/amounts.ts";

describe("number formats", () => {
  it("group digits by three in every locale", () => {
    assert.deepEqual([0, 999, 1_000, -1_234_567n, 2n ** 64n].map(grouped), [
      "0",
      "999",
      "1,000",
      "-1,234,567",
      "18,446,744,073,709,551,616",
    ]);
  });

  it("use the singular for one only", () => {
    assert.deepEqual(
      [0, 1, 2, 1_000, 1n, 3n].map((it) => counted(it, "block", "blocks")),
      ["0 blocks", "1 block", "2 blocks", "1,000 blocks", "1 block", "3 blocks"],
    );
    assert.deepEqual([counted(1, "try", "tries"), counted(2, "try", "tries")], ["1 try", "2 tries"]);
    assert.deepEqual([0n, 1, 2_000].map(votesText), ["0 votes", "1 vote", "2,000 votes"]);
  });

  it("round percentages to the nearest integer", () => {
    assert.equal(percent(20n), "20 %");
    assert.deepEqual([percentOf(2n, 3n), percentOf(1n, 3n), percentOf(0n, 0n)], ["67 %", "33 %", "0 %"]);
  });

  it("keep every decimal, without trailing zeros", () => {
    assert.deepEqual(
      [decimal(1_050n, 2), decimal(5n, 3), decimal(-100n, 2), decimal(7n, 0)],
      ["10.5", "0.005", "-1", "7"],
    );
    return fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n), fc.nat(77), (parts, places) => {
        const [whole = "", fraction = ""] = decimal(parts, places).replaceAll(",", "").split(".");
        assert.equal(BigInt(whole + fraction.padEnd(places, "0")), parts);
      }),
    );
  });
});
