import assert from "node:assert/strict";
import { jsonDepth } from "../../src/primitives/json-checks.ts";

describe("jsonDepth", () => {
  it("counts nested brackets of both kinds", () => {
    assert.equal(jsonDepth(""), 0);
    assert.equal(jsonDepth("1"), 0);
    assert.equal(jsonDepth('{"a":[{"b":[]},[]]}'), 4);
    assert.equal(jsonDepth("[".repeat(1_000_000)), 1_000_000);
  });

  it("ignores brackets in strings and comments", () => {
    assert.equal(jsonDepth('{"a":"[[[\\"[[["}'), 1);
    assert.equal(jsonDepth("{ // [[[\n/* [[[ */ }"), 1);
  });

  it("counts correctly after unterminated strings and comments", () => {
    assert.equal(jsonDepth('{"a\n[[]]}'), 3);
    assert.equal(jsonDepth("[/* ["), 1);
    assert.equal(jsonDepth("[//"), 1);
    assert.equal(jsonDepth('["\\'), 1);
  });
});
