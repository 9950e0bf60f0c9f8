import assert from "node:assert/strict";
import {
  compareCosts,
  parseCostSnapshot,
  parseFunctionTotals,
  printCostSnapshot,
  renewableSnapshot,
} from "../../src/call-sites/cost-history.ts";

describe("cost history", () => {
  const before = new Map([
    ["Leaf.transfer(Carol, 1)", 28_057n],
    ["Leaf.approve(Carol, 5)", 22_000n],
    ["Leaf.gone()", 1n],
  ]);

  it("reads what it wrote, one sorted call per line", () => {
    const text = printCostSnapshot(before);

    assert.deepEqual(parseCostSnapshot(text), new Map([...before].sort()));
    assert.equal(text.split("\n")[2], '    "Leaf.approve(Carol, 5)": 22000,');
  });

  it("has the energy of functions in a part of its own, which a snapshot without them does not have", () => {
    const functions = new Map([["Leaf._move", 20_312n]]);
    const text = printCostSnapshot(before, functions);

    assert.deepEqual(parseCostSnapshot(text), parseCostSnapshot(printCostSnapshot(before)));
    assert.deepEqual(parseFunctionTotals(text), functions);
    assert.deepEqual(parseFunctionTotals(printCostSnapshot(before)), new Map());
    assert.deepEqual(parseFunctionTotals("<<<<<<<"), new Map());
  });

  it("returns the changed costs, the largest change first", () => {
    const after = new Map([
      ["Leaf.transfer(Carol, 1)", 29_261n],
      ["Leaf.approve(Carol, 5)", 2_000n],
      ["Leaf.fresh()", 7n],
    ]);

    const changes = compareCosts(before, after);

    assert.deepEqual(
      changes.map(({ name, before: was, after: is }) => `${name} ${is - was}`),
      ["Leaf.approve(Carol, 5) -20000", "Leaf.transfer(Carol, 1) 1204"],
    );
  });

  it("refuses any other file", () => {
    for (const text of ["", "{", "[]", "{}", '{"energy": 5}']) assert.equal(parseCostSnapshot(text), undefined, text);
    assert.deepEqual(parseCostSnapshot('{"energy": {"a": 5, "b": "x", "c": 1.5}}'), new Map([["a", 5n]]));
  });

  it("is rewritten only when nothing in the file is lost, and returns the reason otherwise", () => {
    const conflict = '{\n  "energy": {\n<<<<<<< HEAD\n    "a": 5\n=======\n    "a": 6\n>>>>>>> other\n  }\n}\n';
    const refused: readonly (readonly [string, RegExp])[] = [
      [
        conflict,
        /^Nothing was saved: finality\.energy\.json .*check it for merge conflict markers.* Repair or delete it, then/,
      ],
      ["[]", /^Nothing was saved: .*it is not JSON with numbers in "energy"/],
      ['{"energy": {"a": 5, "b": "x"}}', /^Nothing was saved: .*the value of "b" is not a whole number/],
      ['{"energy": {"c": 1.5}}', /^Nothing was saved: .*the value of "c" is not a whole number/],
    ];

    for (const [text, message] of refused)
      assert.throws(() => renewableSnapshot(text), { code: "COST_SNAPSHOT_UNREADABLE", message });
    assert.deepEqual(renewableSnapshot(" \n"), new Map());
    assert.deepEqual(renewableSnapshot('{"energy": {"a": 5}}'), new Map([["a", 5n]]));
  });
});
