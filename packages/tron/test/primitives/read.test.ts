import assert from "node:assert/strict";
import {
  byKind,
  flag,
  integerText,
  keyOf,
  listOf,
  mark,
  object,
  oneOf,
  type Read,
  ReadError,
  type ReadOf,
  text,
  tryRead,
  tryReadJson,
  txId,
  wholeNumber,
} from "../../src/primitives/read.ts";

const vote = object({ witness: text, count: integerText }, { note: text });
const action = byKind({ vote: object({ votes: listOf(vote) }), leave: object({}) });

/** Returns the details of the error for a value that does not fit. */
function misfit(read: Read<unknown>, value: unknown): { path: string; expected: string } {
  try {
    read(value);
  } catch (error) {
    if (error instanceof ReadError) return { path: error.path, expected: error.expected };
    throw error;
  }
  return assert.fail("it was read");
}

describe("readers", () => {
  it("return a value of the declared type", () => {
    const read: ReadOf<typeof vote> = vote({ witness: "w", count: "9223372036854775807" });

    assert.deepEqual(read, { witness: "w", count: 9_223_372_036_854_775_807n });
  });

  it("omit absent optional fields and unknown fields", () => {
    assert.deepEqual(vote({ witness: "w", count: "1", note: undefined, other: 1 }), { witness: "w", count: 1n });
    assert.deepEqual(vote({ witness: "w", count: "1", note: "n" }), { witness: "w", count: 1n, note: "n" });
  });

  it("distinguish objects by their kind, and keep it", () => {
    assert.deepEqual(action({ kind: "leave", more: 1 }), { kind: "leave" });
    assert.deepEqual(action({ kind: "vote", votes: [] }), { kind: "vote", votes: [] });
  });

  it("return undefined for an object of an unknown kind, or for an invalid message of a page", () => {
    assert.equal(tryRead(action, { kind: "sign", votes: [] }), undefined);
    assert.equal(tryRead(action, "leave"), undefined);
    assert.deepEqual(tryRead(action, { kind: "leave" }), { kind: "leave" });
  });

  const misfits = [
    ["a field of an item of a list", { kind: "vote", votes: [{}, {}] }, ".votes[0].witness", "text"],
    ["an optional field", { kind: "vote", votes: [{ witness: "", count: "1", note: null }] }, ".votes[0].note", "text"],
    ["an unknown kind", { kind: "toString" }, ".kind", "a known kind"],
    ["no kind", {}, ".kind", "a known kind"],
    ["a list where an object is expected", [], "", "an object"],
    ["null where an object is expected", null, "", "an object"],
  ] as const;

  it("report path and expected type of a misfit", () => {
    for (const [name, value, path, expected] of misfits)
      assert.deepEqual(misfit(action, value), { path, expected }, name);
  });

  const wrongValues: readonly (readonly [Read<unknown>, value: unknown, expected: string])[] = [
    [text, 1, "text"],
    [flag, "true", "true or false"],
    [mark, false, "true"],
    [wholeNumber, 1.5, "a whole number"],
    [integerText, "1.5", "a decimal integer"],
    [txId, "AB".repeat(32), "64 hex digits"],
    [oneOf("on", "off"), "toString", "on or off"],
    [keyOf({ up: 1, down: 2 }), "toString", "up or down"],
    [listOf(text), {}, "a list"],
  ];

  it("refuse a value of another type", () => {
    for (const [read, value, expected] of wrongValues) assert.deepEqual(misfit(read, value), { path: "", expected });
  });

  it("do not repeat the value, which may be a secret", () => {
    const refusal = misfit(listOf(txId), ["s3cr3t"]);

    assert.equal(JSON.stringify(refusal).includes("s3cr3t"), false);
  });
});

describe("tryRead", () => {
  it("returns undefined for misfits and invalid JSON", () => {
    assert.equal(tryRead(text, 1), undefined);
    assert.equal(tryReadJson(text, "1"), undefined);
    assert.equal(tryReadJson(text, "{"), undefined);
    assert.equal(tryReadJson(text, '"a"'), "a");
  });

  it("rethrows other errors", () => {
    const broken: Read<string> = () => {
      throw new RangeError("broken");
    };

    assert.throws(() => tryRead(object({ broken }), {}), RangeError);
  });
});
