import assert from "node:assert/strict";
import { bareSecret, parseBoundSecret, printBoundSecret } from "../../../../src/host/secrets/bound-secret.ts";

describe("a credential as it is stored", () => {
  it("H7: carries the origins that it was entered for", () => {
    const bound = { value: 'a "key" of anybody', origins: ["https://a.test", "https://b.test:1"] };
    const stored = printBoundSecret(bound);

    assert.deepEqual(parseBoundSecret(stored), bound);
    assert.equal(bareSecret(stored), bound.value);
  });

  it("H7: of an older version has none, and a damaged one goes nowhere", () => {
    assert.equal(parseBoundSecret("an-old-key"), "an-old-key");
    assert.equal(parseBoundSecret('{"secret":"a key in JSON"}'), '{"secret":"a key in JSON"}');
    for (const damaged of ["finality:bound:", "finality:bound:{", 'finality:bound:{"secret":1,"origins":[]}'])
      assert.deepEqual(parseBoundSecret(damaged), { value: "", origins: [] });
  });
});
