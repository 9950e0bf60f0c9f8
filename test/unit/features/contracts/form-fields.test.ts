import assert from "node:assert/strict";
import { parseSignature } from "../../../../packages/tron/src/abi/abi-signature.ts";
import {
  type CheckContext,
  changedAt,
  checkDrafts,
  coinUnit,
  draftOfJson,
  draftOfValue,
  emptyDraft,
  type FieldDraft,
  fittedDraft,
  jsonOfDraft,
  readDraft,
  typeAt,
} from "../../../../src/features/contracts/form-fields.ts";
import { ALICE } from "../../../support/tracking/tracked.ts";

const COINS = coinUnit(undefined);
const context: CheckContext = {
  addressOf: (name) => (name === "Alice" ? ALICE : undefined),
  units: [COINS],
  likenessOf: () => undefined,
  nameOf: (address) => (address === ALICE ? "Alice" : undefined),
};

const parametersOf = (list: string) => parseSignature(`f(${list})`).parameters;
const typeOf = (list: string) => {
  const [parameter] = parametersOf(list);
  assert.ok(parameter);
  return parameter.type;
};
const check = (list: string, ...drafts: readonly FieldDraft[]) => checkDrafts(parametersOf(list), drafts, context);
/** Returns the kind and the message of a field that has one text. */
const field = (list: string, text: string, unit?: string) => {
  const [first] = check(list, unit === undefined ? { text } : { text, unit }).checks;
  return [first?.kind, first?.message];
};

describe("checkDrafts", () => {
  it("names the values that are allowed", () => {
    assert.deepEqual(field("uint8 a", "256"), ["wrong", "This is too large for uint8. Allowed: 0 to 255."]);
    assert.deepEqual(field("int8 a", "-129"), ["wrong", "This is too small for int8. Allowed: −128 to 127."]);
    assert.deepEqual(field("uint256 a", "1.5"), [
      "wrong",
      "Write a whole number, such as 1000000 or 0x2a. Allowed: 0 to 2^256 − 1.",
    ]);
    assert.deepEqual(field("bytes4 a", "0x00"), ["wrong", "Write exactly 4 bytes in hex."]);
    assert.match(field("address a", "Zoe")[1] ?? "", /^"Zoe" is neither an account name nor an address\.$/);
  });

  it("shows a value in its other form", () => {
    assert.deepEqual(field("uint256 a", "2000000"), ["good", "2,000,000"]);
    assert.deepEqual(field("address a", "Alice"), ["good", `Alice = TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp = ${ALICE}`]);
  });

  it("U16: an empty text is a value of string and bytes only", () => {
    for (const list of ["uint256 a", "address a", "bool a", "bytes32 a"])
      assert.deepEqual(field(list, " "), ["empty", ""], list);
    for (const list of ["string a", "bytes a"]) assert.deepEqual(field(list, ""), ["good", ""], list);
    assert.deepEqual(check("uint256[] a", { items: [] }).values, [[]]);
    assert.equal(check("uint256[] a", { json: " " }).values, undefined);
  });

  it("converts an amount by its unit, and never rounds", () => {
    assert.deepEqual(check("uint256 a", { text: "1,234.5", unit: "coins" }).values, [1_234_500_000n]);
    assert.deepEqual(field("uint256 a", "0.0000001", "coins"), ["wrong", "Write at most 6 decimals in coins."]);
    assert.equal(field("uint256 a", "0,5", "coins")[0], "wrong");
    for (const [list, unit] of [
      ["uint8 a", "coins"],
      ["uint256 a", "token"],
    ] as const)
      assert.equal(check(list, { text: "5", unit }).values, undefined, "a unit that is not known");
  });

  it("checks the fields of structs and rows under their own ids", () => {
    const draft = {
      items: [{ items: [{ text: "Sencha" }, { text: "two" }] }, { items: [{ text: "" }, { text: "" }] }],
    };
    const { values, checks } = check("(string tea, uint256 cups)[] lines", draft);

    assert.equal(values, undefined);
    assert.deepEqual(
      checks.filter(({ kind }) => kind !== "good").map(({ id, kind }) => `${id} ${kind}`),
      ["a.0.0.1 wrong", "a.0.1.1 empty"],
    );
  });

  it("names the wrong part of JSON", () => {
    const [first] = check("(string tea, uint256 cups)[] lines", { json: '[{"tea":"Sencha","cups":"two"}]' }).checks;

    assert.equal(first?.kind, "wrong");
    assert.match(first?.message ?? "", /^\[0\]\.cups: Write a whole number/);
  });
});

describe("drafts of the form", () => {
  it("start with the fields of a struct and the rows of a fixed list", () => {
    assert.deepEqual(emptyDraft(typeOf("(address who, uint8[2] pair, bytes[] rest) a")), {
      items: [{ text: "" }, { items: [{ text: "" }, { text: "" }] }, { items: [] }],
    });
  });

  it("are JSON when the type has more fields than a page can show", () => {
    assert.deepEqual(emptyDraft(typeOf("uint256[1000] a")), { json: "" });
    assert.deepEqual(draftOfJson(typeOf("uint256[] a"), JSON.stringify(Array(500).fill("1"))), undefined);
  });

  it("keep the value of an amount when its struct is edited as JSON", () => {
    const type = typeOf("(uint256 price, bool paid) a");
    const json = jsonOfDraft(type, { items: [{ text: "2", unit: "coins" }, { text: "true" }] }, [COINS]);

    assert.equal(json, '["2000000",true]');
    assert.deepEqual(draftOfJson(type, json), { items: [{ text: "2000000" }, { text: "true" }] });
    assert.deepEqual(check("(uint256 price, bool paid) a", { json }).values, [[2_000_000n, true]]);
  });

  it("keep a wrong amount wrong when its struct is edited as JSON", () => {
    const json = jsonOfDraft(typeOf("(uint256 price) a"), { items: [{ text: "0.0000001", unit: "coins" }] }, [COINS]);

    assert.equal(check("(uint256 price) a", { json }).values, undefined);
  });

  it("contain a nested list that is edited as JSON", () => {
    const json = jsonOfDraft(typeOf("(uint256[] prices) a"), { items: [{ json: "[1, 2]" }] }, []);

    assert.equal(json, '[["1","2"]]');
  });

  it("take the fields of an object in JSON by their names", () => {
    const type = typeOf("(string tea, uint256 cups) a");

    assert.deepEqual(draftOfJson(type, '{"cups": 2, "tea": "Sencha"}'), { items: [{ text: "Sencha" }, { text: "2" }] });
    assert.equal(draftOfJson(type, "[1"), undefined);
  });

  it("come from the values of a call", () => {
    assert.deepEqual(draftOfValue(typeOf("(address a, bytes b, uint256[] c) d"), [ALICE, "", [5n]]), {
      items: [{ text: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp" }, { text: "" }, { items: [{ text: "5" }] }],
    });
  });

  it("lose what does not fit a changed type", () => {
    const type = typeOf("(string a, uint256[2] b) c");

    assert.deepEqual(fittedDraft(type, { items: [{ items: [] }, { items: [{ text: "1" }] }, { text: "extra" }] }), {
      items: [{ text: "" }, { items: [{ text: "1" }, { text: "" }] }],
    });
    assert.deepEqual(fittedDraft(type, { text: "x" }), emptyDraft(type));
  });

  it("change at a path only", () => {
    const type = typeOf("(string a, uint256[] b) c");
    const draft = { items: [{ text: "a" }, { items: [{ text: "1" }] }] };

    assert.deepEqual(
      changedAt(draft, [1, 0], () => ({ text: "2" })),
      { items: [{ text: "a" }, { items: [{ text: "2" }] }] },
    );
    for (const path of [[1, 1], [0, 0], [2]])
      assert.equal(
        changedAt(draft, path, () => ({ text: "2" })),
        undefined,
      );
    assert.equal(typeAt(type, [1, 7])?.text, "uint256");
    assert.equal(typeAt(type, [2]), undefined);
  });

  it("are refused when the stored form is malformed", () => {
    for (const it of [null, 5, { text: 5 }, { items: [null] }, { json: [] }]) assert.throws(() => readDraft(it));
  });
});
