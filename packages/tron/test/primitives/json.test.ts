import assert from "node:assert/strict";
import * as fc from "fast-check";
import { isChainError } from "../../src/errors/chain-error.ts";
import {
  integerFromJson,
  isJsonObject,
  jsonInteger,
  parseJson,
  printJson,
  quoteJson,
} from "../../src/primitives/json.ts";

describe("parseJson", () => {
  it("keeps every digit of an integer beyond 2^53", () => {
    assert.deepEqual(parseJson('{"amount":9007199254740993}'), { amount: 9_007_199_254_740_993n });
    assert.deepEqual(parseJson('{"amount":-9223372036854775808}'), { amount: -(2n ** 63n) });
    assert.deepEqual(parseJson("[9223372036854775807]"), [2n ** 63n - 1n]);
    assert.equal(parseJson("9223372036854775807"), 2n ** 63n - 1n);
    assert.equal(parseJson(" -9223372036854775808"), -(2n ** 63n));
  });

  it("returns numbers within the exact range", () => {
    assert.deepEqual(parseJson('{"a":9007199254740991,"b":1.5,"c":1e3,"d":1000000000000000.5}'), {
      a: 9_007_199_254_740_991,
      b: 1.5,
      c: 1_000,
      d: 1_000_000_000_000_000.5,
    });
  });

  it("ignores a number inside a text", () => {
    assert.deepEqual(parseJson('{"text":"x:9007199254740993"}'), { text: "x:9007199254740993" });
  });

  it("refuses invalid JSON", () => {
    assert.throws(() => parseJson("{'a':1}"), SyntaxError);
    assert.throws(() => parseJson('{"a":9007199254740993'), SyntaxError);
  });

  it("restores what printJson printed, including any int64", () => {
    const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(jsonInteger);
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, int64, fc.string(), fc.boolean(), fc.constant(null), tie("list"), tie("object")),
      list: fc.array(tie("any"), { maxLength: 5 }),
      object: fc.dictionary(
        fc.string().filter((it) => it !== "__proto__"),
        tie("any"),
        { maxKeys: 5, noNullPrototype: true },
      ),
    })).any;
    return fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (it, indent) => {
        assert.deepEqual(parseJson(printJson(it as never, indent)), it);
      }),
    );
  });
});

describe("printJson", () => {
  it("prints large integers without quotes", () => {
    assert.equal(printJson({ amount: 2n ** 63n - 1n, list: [1n, 2] }), '{"amount":9223372036854775807,"list":[1,2]}');
  });
});

describe("integerFromJson", () => {
  it("accepts every int64", () => {
    for (const value of [0, -1, 2 ** 53 - 1, 2n ** 63n - 1n, -(2n ** 63n)])
      assert.equal(integerFromJson(value, "amount"), BigInt(value));
  });

  it("refuses other values with their path", () => {
    const path = "raw_data.fee_limit";
    for (const value of [2n ** 63n, -(2n ** 63n) - 1n, 1.5, 2 ** 53, "1", null, undefined, true, [], {}, Number.NaN])
      assert.throws(
        () => integerFromJson(value, path),
        (thrown) =>
          isChainError(thrown) && thrown.code === "TRANSACTION_JSON_MALFORMED" && thrown.details.path === path,
        String(value),
      );
  });
});

describe("quoteJson", () => {
  it("prints any value, even with its own toString and toJSON members", () => {
    assert.equal(quoteJson({ toString: false, toJSON: 1n }), '{"toString":false,"toJSON":1}');
    assert.equal(quoteJson("a"), '"a"');
    assert.equal(quoteJson(undefined), "nothing");
  });
});

describe("isJsonObject", () => {
  it("returns true for objects only", () => {
    assert.deepEqual([{}, [], null, "x", 1, undefined].map(isJsonObject), [true, false, false, false, false, false]);
  });
});
