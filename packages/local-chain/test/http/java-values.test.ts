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

  it("read a long from whole texts and decimals", () => {
    assert.equal(longValue({ a: "7" }, "a"), 7n);
    assert.equal(longValue({ a: Decimal.parse("1.2e1") }, "a"), 12n);
    assert.equal(longValue({ a: {} }, "a"), 0n);
    assert.equal(
      refusal(() => longValue({ a: Decimal.parse("1.5") }, "a")),
      "java.lang.ArithmeticException : Rounding necessary",
    );
    assert.equal(
      refusal(() => longValue({ a: 2n ** 63n }, "a")),
      "java.lang.ArithmeticException : Overflow",
    );
    assert.match(
      refusal(() => longValue({ a: [] }, "a")),
      /Character \[ is neither a decimal digit number/,
    );
    assert.match(
      refusal(() => requiredLong({}, "id")),
      /key \[id\] does not exist$/,
    );
  });

  it("read an int from the last 32 bits, and refuse null", () => {
    assert.equal(intValue(99999999999), 1215752191);
    assert.equal(intValue(true), 1);
    assert.match(
      refusal(() => intValue(null)),
      /^java.lang.NullPointerException/,
    );
    assert.equal(
      refusal(() => parseLong("1.5")),
      'java.lang.NumberFormatException : For input string: "1.5"',
    );
  });

  it("read hex with spaces, and report an early end", () => {
    assert.deepEqual([...looseHex("0xabc")], [0x0a, 0xbc]);
    assert.deepEqual([...looseHex("a b ")], [0xab]);
    assert.match(
      refusal(() => looseHex("a b")),
      /String index out of range: 4$/,
    );
    assert.match(
      refusal(() => looseHex("xy")),
      /invalid characters encountered in Hex string$/,
    );
  });

  it("print an object in the order of a hash map, without nulls", () => {
    assert.equal(printMembers({ owner_address: "41", amount: 1, visible: null }), '{"amount":1,"owner_address":"41"}');
  });
});
