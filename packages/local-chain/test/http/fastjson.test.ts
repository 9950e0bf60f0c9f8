import assert from "node:assert/strict";
import { parseBody } from "../../src/http/fastjson.ts";
import { JavaError } from "../../src/http/java-values.ts";

describe("parseBody", () => {
  const refusal = (text: string): string => {
    try {
      parseBody(text);
    } catch (error) {
      if (error instanceof JavaError) return error.message;
      throw error;
    }
    throw new assert.AssertionError({ message: `${text} was read` });
  };

  it("accepts every notation of fastjson", () => {
    assert.deepEqual([parseBody("  "), parseBody("null")], [undefined, undefined]);
    assert.equal(parseBody('{"a":9007199254740993}')?.a, 9007199254740993n);
    assert.equal(String(parseBody('{"a":1.50}')?.a), "1.50");
    assert.equal(String(parseBody('{"a":[1e3]}')?.a), "1E+3");
    assert.deepEqual(parseBody('{a:1,/* c */2:+3,"b":NaN} // end'), { a: 1, 2: 3, b: null });
    assert.deepEqual(parseBody("{'a':[1,,2],}"), { a: [1, 2] });
  });

  it("reports errors with fastjson's messages, beyond those that endpoints.test.ts compares", () => {
    assert.equal(refusal('{"a":"b'), "unclosed string : \u001A");
    assert.equal(refusal('{"a'), "unclosed.str");
    assert.equal(refusal("hello"), "syntax error, pos 1, line 1, column 2hello");
    assert.equal(refusal("{} xyz"), "illegal state. y");
    assert.equal(refusal("{} 7"), "not close json text, token : int");
    assert.equal(refusal('{"a":tru}'), "error parse true");
    assert.equal(refusal('{"a":[1'), "unclosed jsonArray");
  });
});
