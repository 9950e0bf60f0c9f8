import assert from "node:assert/strict";
import { jsonDepth } from "../../src/primitives/json-checks.ts";

describe("jsonDepth", () => {
  it("counts how deep brackets of both kinds are nested", () => {
    assert.equal(jsonDepth(""), 0);
    assert.equal(jsonDepth("1"), 0);
    assert.equal(jsonDepth('{"a":[{"b":[]},[]]}'), 4);
    assert.equal(jsonDepth("[".repeat(1_000_000)), 1_000_000);
  });

  it("counts no bracket in a string or a comment", () => {
    assert.equal(jsonDepth('{"a":"[[[\\"[[["}'), 1);
    assert.equal(jsonDepth("{ // [[[\n/* [[[ */ }"), 1);
  });

  it("is not led astray by strings and comments that do not end", () => {
    assert.equal(jsonDepth('{"a\n[[]]}'), 3);
    assert.equal(jsonDepth("[/* ["), 1);
    assert.equal(jsonDepth("[//"), 1);
    assert.equal(jsonDepth('["\\'), 1);
  });
});
