import assert from "node:assert/strict";
import { namesAsPrinted } from "../../src/routes/print.ts";

/** JSON of a name whose bytes have a backslash, u and four digits in them. */
const escaped = "a\\u0000b";

describe("namesAsPrinted", () => {
  it("gives a name with an escape in it as a reader of the node's JSON finds it", () => {
    assert.deepEqual(namesAsPrinted({ name: escaped }), { name: "a\u0000b" });
  });

  it("gives hex where the node's escaping would leave no JSON", () => {
    assert.deepEqual(namesAsPrinted({ account_name: '\\"q\\"' }), { account_name: "5c22715c22" });
  });

  it("escapes a quote alone", () => {
    assert.deepEqual(namesAsPrinted({ account_name: 'the "best"' }), { account_name: 'the "best"' });
  });

  it("finds names at every depth, and leaves other texts alone", () => {
    const json = { contract: [{ value: { url: escaped, data: escaped } }], type_url: escaped };
    const printed = { contract: [{ value: { url: "a\u0000b", data: escaped } }], type_url: escaped };
    assert.deepEqual(namesAsPrinted(json), printed);
  });
});
