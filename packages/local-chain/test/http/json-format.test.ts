import assert from "node:assert/strict";
import fc from "fast-check";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { JavaError, type Members, printMembers, type Value } from "../../src/http/java-values.ts";
import { type Fields, mergeJson, plainValues } from "../../src/http/json-format.ts";
import { namesAsPrinted } from "../../src/routes/print.ts";

const fields: Fields = {
  to: "address",
  value: "bytes",
  title: "name",
  num: "int64",
  name: "text",
  detail: "bool",
  kind: { enumeration: "protocol.Kind", names: ["One", "TWO", undefined, "Four"] },
  keys: { each: { fields: { weight: "int64" } } },
};

describe("mergeJson", () => {
  const read = (text: string, visible = false) => mergeJson(text, fields, visible);
  const refusal = (text: string, visible = false): string => {
    try {
      read(text, visible);
    } catch (error) {
      if (error instanceof JavaError) return error.message;
      throw error;
    }
    throw new assert.AssertionError({ message: `${text} was read` });
  };

  it("reads the notations that the node accepts", () => {
    const hex = "41b26fd5573713d1fb09031bcce7bc59f301cbfe3e";
    const cases: readonly (readonly [text: string, expected: object, visible?: boolean])[] = [
      ['{"value":"0xABC"}', { value: "0abc" }],
      [`{"to":"${hex}"}`, { to: hex }],
      ['{"to":"TSEhFXHjUdLLJV4obHj1XLo6RFy6X4LLrc"}', { to: hex }, true],
      ['{"title":"6869"}', { title: "6869" }],
      ['{"title":"h\\"i"}', { title: "685c2269" }, true],
      ['{2:"ab"}', { value: "ab" }],
      ['{"num":010}', { num: 8n }],
      ['{"num":-0x1f}', { num: -31n }],
      ['{"num":-9223372036854775808}', { num: -(2n ** 63n) }],
      ['{"keys":{"weight":1},"keys":[{"weight":2}]}', { keys: [{ weight: 1n }, { weight: 2n }] }],
      ['{"a":{"b":[1,"x",true,null]},"num":7}', { num: 7n }],
      ['{"num":1,"num":2}', { num: 2n }],
      ['{"num":[3,4]}', { num: 4n }],
      ['{"keys":{"weight":5}}', { keys: [{ weight: 5n }] }],
      ['{"num":null,"to":null}', {}],
    ];
    for (const [text, expected, visible] of cases) assert.deepEqual(read(text, visible), expected, text);
  });

  it("reads enumerations by name, lower-case name and number", () => {
    for (const kind of ['"Four"', '"four"', "3"]) assert.equal(read(`{"kind":${kind}}`).kind, 3);
    assert.equal(refusal('{"kind":"two"}'), '1:9: Enum type "protocol.Kind" has no value named "Two".');
    assert.equal(refusal('{"kind":2}'), '1:9: Enum type "protocol.Kind" has no value with number 2.');
    assert.equal(refusal('{"kind":"GOLD"}'), '1:9: Enum type "protocol.Kind" has no value named "GOLD".');
  });

  it("reports errors with line and column", () => {
    assert.equal(refusal(""), '1:1: Expected "{".');
    assert.equal(refusal('{\n  "num": 1.5}'), `2:10: Couldn't parse integer: For input string: "1.5"`);
    assert.equal(refusal('{"num":"7"}'), `1:8: Couldn't parse integer: For input string: ""7""`);
    assert.equal(refusal('{"value":"zz"}'), "1:10: INVALID hex String");
    assert.equal(refusal('{"name":5}'), "1:9: Expected string.");
    assert.equal(refusal("{'a-':1}"), "1:2: Expected identifier. -'");
    assert.equal(refusal('{"detail":"x"}'), '1:11: Expected "true" or "false".');
    assert.equal(refusal("{2:5}"), "1:4: Expected string.");
    assert.equal(refusal('{"num":09}'), `1:8: Couldn't parse integer: For input string: "09" under radix 8`);
    assert.equal(refusal('{"keys":[null]}'), '1:10: Expected "{".');
    assert.equal(refusal('{"to":"41b0"}', true), "1:7: INVALID base58 String, Illegal character 0 at 3");
    assert.match(refusal('{"num":1} {'), /^1:11: Expecting the end of the stream/);
    const beyond = "9223372036854775808";
    assert.match(refusal(`{"num":${beyond}}`), /Number out of range for 64-bit signed integer: 92233720368547758/);
  });
});

describe("plainValues", () => {
  it("reads common requests of clients", () => {
    const members = { to: "41AB", num: 7, name: "a.b/c", kind: "Four", keys: [{ weight: 1 }], raw_data_hex: "0a\n" };
    const values = { to: "41ab", num: 7n, name: "a.b/c", kind: 3, keys: [{ weight: 1n }] };

    assert.deepEqual(plainValues(members, fields), values);
  });

  it("agrees with mergeJson when it returns a value", () => {
    const name = fc.constantFrom(...Object.keys(fields), "weight", "other", "2", "a b", "");
    const text = fc.oneof(fc.constantFrom("ab", "ABCD", "0xab", "abc", "One", "one", "TWO", "7", "null"), fc.string());
    const number = fc.oneof(fc.integer(), fc.bigInt(), fc.maxSafeInteger(), fc.constantFrom(-0, 2 ** 31, 2 ** 53));
    const { members } = fc.letrec<{ members: Members; value: Value }>((tie) => ({
      members: fc.dictionary(name, tie("value"), { maxKeys: 5 }),
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        number,
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 3 }),
        tie("members"),
      ),
    }));
    fc.assert(
      fc.property(members, (it) => {
        const plain = plainValues(it, fields);

        if (plain !== undefined) assert.deepEqual(plain, mergeJson(printMembers(it), fields, false));
      }),
      { numRuns: howOften(500, 10_000) },
    );
  });
});

/** A name with the six characters of an escape. */
const escaped = "a\\u0000b";

describe("namesAsPrinted", () => {
  it("escapes quotes only, unescapes names as clients parse them, and returns hex for invalid JSON", () => {
    assert.deepEqual(namesAsPrinted({ name: escaped }), { name: "a\u0000b" });
    assert.deepEqual(namesAsPrinted({ account_name: '\\"q\\"' }), { account_name: "5c22715c22" });
    assert.deepEqual(namesAsPrinted({ account_name: 'the "best"' }), { account_name: 'the "best"' });
  });

  it("converts names at every depth, and no other texts", () => {
    const json = { contract: [{ value: { url: escaped, data: escaped } }], type_url: escaped };
    const printed = { contract: [{ value: { url: "a\u0000b", data: escaped } }], type_url: escaped };
    assert.deepEqual(namesAsPrinted(json), printed);
  });
});
