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

  it("reads hex in upper case, with 0x, and of odd length", () => {
    assert.equal(read('{"value":"0xABC"}').value, "0abc");
  });

  it("reads an address as hex, or as base58 when visible", () => {
    const hex = "41b26fd5573713d1fb09031bcce7bc59f301cbfe3e";
    assert.equal(read(`{"to":"${hex}"}`).to, hex);
    assert.equal(read('{"to":"TSEhFXHjUdLLJV4obHj1XLo6RFy6X4LLrc"}', true).to, hex);
  });

  it("reads a name as hex, or as text when visible", () => {
    assert.equal(read('{"title":"6869"}').title, "6869");
    assert.equal(read('{"title":"h\\"i"}', true).title, "685c2269");
  });

  it("reads a digit as a field number", () => {
    assert.equal(read('{2:"ab"}').value, "ab");
    assert.equal(refusal("{2:5}"), "1:4: Expected string.");
  });

  it("reads a leading 0 as octal, and 0x as hex", () => {
    assert.equal(read('{"num":010}').num, 8n);
    assert.equal(read('{"num":-0x1f}').num, -31n);
    assert.equal(refusal('{"num":09}'), `1:8: Couldn't parse integer: For input string: "09" under radix 8`);
  });

  it("concatenates several lists of a name", () => {
    assert.deepEqual(read('{"keys":{"weight":1},"keys":[{"weight":2}]}').keys, [{ weight: 1n }, { weight: 2n }]);
    assert.equal(refusal('{"keys":[null]}'), '1:10: Expected "{".');
  });

  it("skips unknown names with any value", () => {
    assert.deepEqual(read('{"a":{"b":[1,"x",true,null]},"num":7}'), { num: 7n });
  });

  it("keeps the last of several values, and reads one value as a list", () => {
    assert.equal(read('{"num":1,"num":2}').num, 2n);
    assert.equal(read('{"num":[3,4]}').num, 4n);
    assert.deepEqual(read('{"keys":{"weight":5}}').keys, [{ weight: 5n }]);
  });

  it("leaves null unset", () => {
    assert.deepEqual(read('{"num":null,"to":null}'), {});
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
  });

  it("refuses integers beyond 64 bits by their text", () => {
    assert.match(
      refusal('{"num":9223372036854775808}'),
      /Number out of range for 64-bit signed integer: 92233720368547758/,
    );
    assert.equal(read('{"num":-9223372036854775808}').num, -(2n ** 63n));
  });

  it("names the first character that is not base58", () => {
    assert.equal(refusal('{"to":"41b0"}', true), "1:7: INVALID base58 String, Illegal character 0 at 3");
  });

  it("refuses text after the object", () => {
    assert.match(refusal('{"num":1} {'), /^1:11: Expecting the end of the stream/);
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
      { numRuns: howOften(2_000, 10_000, 500) },
    );
  });
});

/** A name with the six characters of an escape. */
const escaped = "a\\u0000b";

describe("namesAsPrinted", () => {
  it("returns a name with an escape as a client parses it", () => {
    assert.deepEqual(namesAsPrinted({ name: escaped }), { name: "a\u0000b" });
  });

  it("returns hex where the node's escaping would break the JSON", () => {
    assert.deepEqual(namesAsPrinted({ account_name: '\\"q\\"' }), { account_name: "5c22715c22" });
  });

  it("escapes quotes only", () => {
    assert.deepEqual(namesAsPrinted({ account_name: 'the "best"' }), { account_name: 'the "best"' });
  });

  it("converts names at every depth, and no other texts", () => {
    const json = { contract: [{ value: { url: escaped, data: escaped } }], type_url: escaped };
    const printed = { contract: [{ value: { url: "a\u0000b", data: escaped } }], type_url: escaped };
    assert.deepEqual(namesAsPrinted(json), printed);
  });
});
