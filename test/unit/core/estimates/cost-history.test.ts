import assert from "node:assert/strict";
import {
  changeText,
  compareCosts,
  parseCostSnapshot,
  printCostSnapshot,
} from "../../../../src/core/estimates/cost-history.ts";

describe("the history of costs", () => {
  const before = new Map([
    ["Leaf.transfer(Carol, 1)", 28_057n],
    ["Leaf.approve(Carol, 5)", 22_000n],
    ["Leaf.gone()", 1n],
  ]);

  it("is read as it was written, one call a line, sorted", () => {
    const text = printCostSnapshot(before);

    assert.deepEqual(parseCostSnapshot(text), new Map([...before].sort()));
    assert.equal(text.split("\n")[2], '    "Leaf.approve(Carol, 5)": 22000,');
  });

  it("tells what became dearer or cheaper, the largest change first", () => {
    const after = new Map([
      ["Leaf.transfer(Carol, 1)", 29_261n],
      ["Leaf.approve(Carol, 5)", 2_000n],
      ["Leaf.fresh()", 7n],
    ]);

    const changes = compareCosts(before, after);

    assert.deepEqual(
      changes.map(({ name, before: was, after: is }) => `${name} ${changeText(is - was)}`),
      ["Leaf.approve(Carol, 5) −20,000", "Leaf.transfer(Carol, 1) +1,204"],
    );
  });

  it("takes no other file for a snapshot", () => {
    for (const text of ["", "{", "[]", "{}", '{"energy": 5}']) assert.equal(parseCostSnapshot(text), undefined, text);
    assert.deepEqual(parseCostSnapshot('{"energy": {"a": 5, "b": "x", "c": 1.5}}'), new Map([["a", 5n]]));
  });
});
