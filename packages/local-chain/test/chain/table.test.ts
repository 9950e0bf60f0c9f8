import assert from "node:assert/strict";
import { Table } from "../../src/chain/ledger.ts";

describe("Table over another table", () => {
  const layers = () => {
    const below = new Table<string, number>();
    below.set("tea", 1);
    below.set("salt", 2);
    return { below, above: new Table(below) };
  };

  it("hides entries below without changing them until commit", () => {
    const { below, above } = layers();
    above.set("tea", 3);
    assert.deepEqual([above.get("tea"), below.get("tea")], [3, 1]);
    above.commit();
    assert.equal(below.get("tea"), 3);
  });

  it("hides removed entries, also in lists", () => {
    const { below, above } = layers();
    above.set("tea", undefined);
    assert.equal(above.get("tea"), undefined);
    assert.deepEqual([...above.entries()], [["salt", 2]]);
    assert.deepEqual([...below.entries()].length, 2);
  });

  it("lists the entries of the oldest layer first, with their newest values", () => {
    const { above } = layers();
    above.set("sugar", 4);
    above.set("tea", 5);
    assert.deepEqual(Object.fromEntries(above.entries()), { tea: 5, salt: 2, sugar: 4 });
    assert.deepEqual([...above.entries().keys()], ["tea", "salt", "sugar"]);
  });

  it("hides entries that a committed middle layer removed", () => {
    const { below, above } = layers();
    const top = new Table(above);
    top.set("tea", undefined);
    top.commit();
    assert.equal(above.get("tea"), undefined);
    assert.equal(below.get("tea"), 1);
    above.commit();
    assert.equal(below.get("tea"), undefined);
    assert.deepEqual([...below.own()], [["salt", 2]]);
  });

  it("is independent of its copy", () => {
    const { below, above } = layers();
    above.set("tea", 6);
    const copy = new Table(below);
    above.writeInto(copy);
    above.set("tea", 7);
    assert.equal(copy.get("tea"), 6);
  });

  it("reads through another layer after a rebase", () => {
    const { above } = layers();
    const other = new Table<string, number>();
    other.set("tea", 9);
    above.rebase(other);
    assert.deepEqual([above.get("tea"), above.get("salt")], [9, undefined]);
  });
});

describe("Table with packing", () => {
  const packing = { pack: (value: number) => `${value}`, unpack: (_key: string, packed: unknown) => Number(packed) };

  it("returns values unchanged, and stores them packed", () => {
    const table = new Table<string, number>(undefined, packing);
    table.set("tea", 1);
    table.set("salt", 2);
    table.set("tea", 3);
    assert.deepEqual([table.get("tea"), table.get("salt")], [3, 2]);
    assert.deepEqual([...table.own()], [...table.entries()]);
    assert.deepEqual(
      [...table.kept()],
      [
        ["tea", "3"],
        ["salt", "2"],
      ],
    );
  });

  it("drops removed entries", () => {
    const table = new Table<string, number>(undefined, packing);
    table.set("tea", 1);
    assert.equal(table.get("tea"), 1);
    const above = new Table(table, packing);
    above.set("tea", undefined);
    above.commit();
    assert.equal(table.get("tea"), undefined);
    assert.deepEqual([...table.own()], []);
  });

  it("is copied in packed form", () => {
    const table = new Table<string, number>(undefined, packing);
    table.set("tea", 1);
    const copy = new Table<string, number>(undefined, packing);
    table.writeInto(copy);
    table.set("tea", 2);
    assert.deepEqual([...copy.kept()], [["tea", "1"]]);
  });
});
