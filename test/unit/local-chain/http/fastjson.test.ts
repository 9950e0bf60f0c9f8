import assert from "node:assert/strict";
import { parseBody } from "../../../../src/local-chain/http/fastjson.ts";
import { JavaError } from "../../../../src/local-chain/http/java-error.ts";

describe("the node's first parser", () => {
  const refusal = (text: string): string => {
    try {
      parseBody(text);
    } catch (error) {
      if (error instanceof JavaError) return error.message;
      throw error;
    }
    throw new assert.AssertionError({ message: `${text} was read` });
  };

  it("gives nothing for an empty body and for null", () => {
    assert.equal(parseBody("  "), undefined);
    assert.equal(parseBody("null"), undefined);
  });

  it("keeps every digit of an integer", () => {
    assert.equal(parseBody('{"a":9007199254740993}')?.a, 9007199254740993n);
  });

  it("takes single quotes and commas that are too many", () => {
    assert.deepEqual(parseBody("{'a':[1,,2],}"), { a: [1, 2] });
  });

  it("says what is wrong in the words of fastjson", () => {
    assert.equal(refusal('{"a":"b'), "unclosed string : \u001A");
    assert.equal(refusal('{"a'), "unclosed.str");
    assert.equal(refusal("[]"), "can not cast to JSONObject.");
    assert.equal(refusal("hello"), "syntax error, pos 1, line 1, column 2hello");
    assert.equal(refusal("{} xyz"), "illegal state. y");
    assert.equal(refusal("{} 7"), "not close json text, token : int");
  });
});
