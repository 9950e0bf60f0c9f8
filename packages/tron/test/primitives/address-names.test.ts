import assert from "node:assert/strict";
import { parseAddress } from "../../src/primitives/address.ts";
import { nameProblem, parseNames } from "../../src/primitives/labels.ts";

const ALICE = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const BOB = parseAddress(`41${"b0".repeat(20)}`);

describe("address names", () => {
  it("are read by base58 and hex, with repeated blanks merged", () => {
    const { names, problems } = parseNames({ [ALICE]: " Old   friend ", [BOB]: "Bob" }, "names");

    assert.deepEqual(names, [
      { address: parseAddress(ALICE), name: "Old friend" },
      { address: BOB, name: "Bob" },
    ]);
    assert.deepEqual(problems, []);
  });

  it("are empty without entries, and one invalid entry does not hide the others", () => {
    assert.deepEqual(parseNames(undefined, "names"), { names: [], problems: [] });
    const { names, problems } = parseNames({ [BOB]: "Bob", T123: "Eve", [ALICE]: 7 }, "names");

    assert.deepEqual(
      names.map(({ name }) => name),
      ["Bob"],
    );
    assert.equal(problems.length, 2);
    assert.match(problems[0]?.message ?? "", /names\["T123"\]/);
    assert.match(problems[1]?.message ?? "", /a name must be text/);
  });

  it("are refused when they are not an object, or too many", () => {
    for (const value of ["T", [], 7, true])
      assert.match(parseNames(value, "names").problems[0]?.message ?? "", /must be an object/);
    const many = Object.fromEntries(
      Array.from({ length: 2_001 }, (_, at) => [`41${at.toString(16).padStart(40, "0")}`, "x"]),
    );
    assert.match(parseNames(many, "names").problems[0]?.message ?? "", /2001 names, more than 2000/);
  });

  it("name an address once, in any form", () => {
    const { names, problems } = parseNames({ [ALICE]: "Alice", [parseAddress(ALICE)]: "Mallory" }, "names");

    assert.deepEqual(
      names.map(({ name }) => name),
      ["Alice"],
    );
    assert.match(problems[0]?.message ?? "", /occurs twice/);
  });

  const invalid = [
    [ALICE, /looks like an address/],
    ["TWAFRf…qpHp", /looks like an address/],
    [`pay ${BOB}`, /looks like an address/],
    ["see https://example.org", /looks like a link/],
    ["[Rewards](command:finality.sendCoins)", /looks like a link/],
    ["Sav\u200Bings", /invisible characters/],
    ["\u202Esgnivas", /invisible characters/],
    [" ", /needs letters/],
    ["x".repeat(41), /longer than 40/],
  ] as const;

  it("cannot look like an address or a link, or be invisible, empty or too long", () => {
    for (const [name, problem] of invalid) assert.match(nameProblem(name) ?? "", problem, name);
  });

  it("may be of any language", () => {
    for (const name of ["Rewards", "Касса", "金库", "Tips 2025", "node-3/b"])
      assert.equal(nameProblem(name), undefined);
  });
});
