import assert from "node:assert/strict";
import { cleanLabel, freeLabel, labelFault, labelKey } from "../../src/primitives/labels.ts";

describe("account labels", () => {
  it("L11: are equal when they look the same", () => {
    const alike = [
      "Savings",
      "Savings ",
      "savings",
      " SAVINGS",
      "Sav ings",
      "Sаvings",
      "Ѕavings",
      "Ｓavings",
      "Sav\u200bings",
    ];

    for (const label of alike) assert.equal(labelFault(label, ["Savings"]) !== undefined, true, JSON.stringify(label));
    assert.deepEqual(new Set(alike.map(labelKey)), new Set(["savings"]));
    for (const label of ["Savings 2", "Saving", "Ersparnisse", "貯金"])
      assert.equal(labelFault(label, ["Savings"]), undefined);
  });

  it("L11: have no invisible characters", () => {
    for (const label of ["a\u202eb", "a\u200db", "a\u0000b", "a\u3164", "a\u{e0061}"])
      assert.equal(labelFault(label, []), "unseen", JSON.stringify(label));
    for (const label of ["", "   ", "\ufe0f"]) assert.equal(labelFault(label, []), "empty");
    assert.equal(cleanLabel("  ❤\ufe0f  Savings "), "❤ Savings");
  });

  it("L11: get a number when a program chose a label in use", () => {
    assert.equal(freeLabel("savings ", ["Savings", "Savings 2"]), "savings 3");
    assert.equal(freeLabel("Other", ["Savings"]), "Other");
  });
});
