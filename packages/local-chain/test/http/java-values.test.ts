import assert from "node:assert/strict";
import {
  Decimal,
  intValue,
  JavaError,
  longValue,
  looseHex,
  parseLong,
  printMembers,
  requiredLong,
} from "../../src/http/java-values.ts";

describe("Java values", () => {
  const refusal = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      if (error instanceof JavaError) return `${error.javaClass} : ${error.message}`;
      throw error;
    }
    throw new assert.AssertionError({ message: "nothing was refused" });
  };

  it("print a decimal as BigDecimal does", () => {
    for (const [text, printed] of [
      ["1.50", "1.50"],
      ["-0.000001", "-0.000001"],
      ["0.0000001", "1E-7"],
      ["1e3", "1E+3"],
      ["12.5e10", "1.25E+11"],
    ] as const) {
      assert.equal(String(Decimal.parse(text)), printed);
    }
  });

  it("read numbers from whole texts, decimals and the last 32 or 64 bits", () => {
    assert.equal(longValue({ a: "7" }, "a"), 7n);
    assert.equal(longValue({ a: Decimal.parse("1.2e1") }, "a"), 12n);
    assert.equal(longValue({ a: {} }, "a"), 0n);
    assert.deepEqual([intValue(99999999999), intValue(true)], [1215752191, 1]);
    assert.deepEqual([[...looseHex("0xabc")], [...looseHex("a b ")]], [[0x0a, 0xbc], [0xab]]);
  });

  it("are refused with Java's exceptions", () => {
    for (const [run, error] of [
      [() => longValue({ a: Decimal.parse("1.5") }, "a"), /^java.lang.ArithmeticException : Rounding necessary$/],
      [() => longValue({ a: 2n ** 63n }, "a"), /^java.lang.ArithmeticException : Overflow$/],
      [() => longValue({ a: [] }, "a"), /Character \[ is neither a decimal digit number/],
      [() => requiredLong({}, "id"), /key \[id\] does not exist$/],
      [() => intValue(null), /^java.lang.NullPointerException/],
      [() => parseLong("1.5"), /^java.lang.NumberFormatException : For input string: "1.5"$/],
      [() => looseHex("a b"), /String index out of range: 4$/],
      [() => looseHex("xy"), /invalid characters encountered in Hex string$/],
    ] as const)
      assert.match(refusal(run), error);
  });

  it("print an object in the order of a hash map, without nulls", () => {
    assert.equal(printMembers({ owner_address: "41", amount: 1, visible: null }), '{"amount":1,"owner_address":"41"}');
  });
});
