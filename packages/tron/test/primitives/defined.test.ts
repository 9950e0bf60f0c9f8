import assert from "node:assert/strict";
import { defined } from "../../src/primitives/defined.ts";

describe("defined", () => {
  it("omits undefined fields only", () => {
    const fields = { a: 0, b: undefined, c: null, d: "", e: false };

    assert.deepEqual(defined(fields), { a: 0, c: null, d: "", e: false });
    assert.equal("b" in defined(fields), false);
  });
});
