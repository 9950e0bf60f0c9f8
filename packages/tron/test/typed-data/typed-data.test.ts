import assert from "node:assert/strict";
import { utils } from "tronweb";
import { isChainError } from "../../src/errors/chain-error.ts";
import { type Json, printJson, rawText } from "../../src/primitives.ts";
import { parseTypedData, readTypedData } from "../../src/typed-data.ts";

const OWNER = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const TYPES = {
  Mail: [
    { name: "from", type: "Person" },
    { name: "to", type: "Person[]" },
    { name: "paid", type: "trcToken" },
  ],
  Person: [
    { name: "name", type: "string" },
    { name: "wallet", type: "address" },
  ],
};
const DOMAIN = { name: "Mail", version: "1", chainId: 728126428, verifyingContract: OWNER };
const MESSAGE = { from: { name: "Ann", wallet: OWNER }, to: [{ name: "Bob", wallet: OWNER }], paid: "1000001" };
const DATA = { types: TYPES, primaryType: "Mail", domain: DOMAIN, message: MESSAGE };
const DOMAIN_TYPE = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

describe("readTypedData", () => {
  const hash = `${utils.typedData.hashTypedData(DOMAIN, TYPES, MESSAGE)}`.slice(2);

  it("returns the values, and the hash of TronWeb", () => {
    const { digest, domain, message } = readTypedData(DATA);

    assert.equal(digest, hash);
    assert.equal(domain.chainId, 728126428n);
    assert.equal(domain.name && rawText(domain.name), "Mail");
    assert.deepEqual(
      message.fields.map(({ name, value }) => [name, value.kind]),
      [
        ["from", "struct"],
        ["to", "list"],
        ["paid", "integer"],
      ],
    );
  });

  it("accepts the struct of the domain, a missing primary type, fields of the domain that are null, and unused types", () => {
    assert.equal(readTypedData({ ...DATA, types: { ...TYPES, EIP712Domain: DOMAIN_TYPE } }).digest, hash);
    assert.equal(readTypedData({ types: TYPES, domain: { ...DOMAIN, salt: null }, message: MESSAGE }).digest, hash);
    assert.equal(readTypedData({ ...DATA, types: { ...TYPES, Unused: [] } }).digest, hash);
  });

  it("keeps every digit of an integer in JSON", () => {
    const types = { T: [{ name: "n", type: "uint256" }] };
    const text = (n: Json) => printJson({ types, primaryType: "T", domain: {}, message: { n } });

    const large = 2n ** 256n - 1n;
    assert.equal(parseTypedData(text(large)).digest, parseTypedData(text(String(large))).digest);
  });

  const withMessage = (message: Json): Json => ({ ...DATA, message });
  const withField = (type: string, value: Json): Json => ({
    types: { T: [{ name: "a", type }] },
    primaryType: "T",
    domain: {},
    message: { a: value },
  });
  const refused: readonly (readonly [string, Json, string])[] = [
    ["a field without a value", withMessage({ ...MESSAGE, paid: undefined }), "message.paid"],
    ["a value that no type lists, because it is not signed", withMessage({ ...MESSAGE, tip: 1 }), "message.tip"],
    ["a value of a struct that no type lists", withMessage({ ...MESSAGE, to: [{ a: 1 }] }), "message.to[0].a"],
    ["a primary type that is not there", { ...DATA, primaryType: "Letter" }, "primaryType"],
    ["the domain as primary type", { ...DATA, primaryType: "EIP712Domain" }, "primaryType"],
    ["an unknown field of the domain", { ...DATA, domain: { ...DOMAIN, chain: 1 } }, "domain.chain"],
    [
      "a struct of the domain with other fields",
      { ...DATA, types: { ...TYPES, EIP712Domain: DOMAIN_TYPE.slice(1) } },
      "types.EIP712Domain",
    ],
    ["a type that contains itself", withField("T[]", []), "types.T"],
    ["an unknown type", withField("Thing", 1), "types.T[0]"],
    ["a short form of a type", withField("uint", 1), "types.T[0]"],
    ["a type with a wrong size", withField("uint7", 1), "types.T[0]"],
    ["an integer that is too large", withField("uint8", 256), "message.a"],
    ["a negative number of an unsigned type", withField("uint8", -1), "message.a"],
    ["an integer with separators", withField("uint256", "1,000"), "message.a"],
    ["a fraction", withField("uint256", 1.5), "message.a"],
    ["a number that lost digits", withField("uint256", 1e30), "message.a"],
    ["a text in place of true or false", withField("bool", "false"), "message.a"],
    ["bytes without 0x", withField("bytes", "00ff"), "message.a"],
    ["bytes of another length", withField("bytes4", "0x00"), "message.a"],
    ["a list of another length", withField("uint8[2]", [1]), "message.a"],
    ["a mistyped address", withField("address", `${OWNER.slice(0, -1)}q`), "message.a"],
    ["half of a character", withField("string", "\ud800"), "message.a"],
    [
      "a name that is no identifier, because two types could have one text",
      { types: { T: [{ name: "a,bool b", type: "bool" }] }, primaryType: "T", domain: {}, message: {} },
      "types.T[0]",
    ],
    [
      "two fields of one name",
      {
        types: {
          T: [
            { name: "a", type: "bool" },
            { name: "a", type: "bool" },
          ],
        },
        domain: {},
        message: { a: true },
      },
      "types.T",
    ],
    ["several possible primary types", { types: { A: [], B: [] }, domain: {}, message: {} }, "primaryType"],
  ];
  for (const [title, json, path] of refused)
    it(`refuses ${title}`, () => {
      assert.throws(
        () => readTypedData(json),
        (error) => isChainError(error) && error.code === "TYPED_DATA_MALFORMED" && error.details.path === path,
      );
    });

  it("refuses a text with two fields of one name, because wallets differ in which one they take", () => {
    const text = JSON.stringify(DATA).replace('"paid":"1000001"', '"paid":"1","paid":"1000001"');

    assert.throws(() => parseTypedData(text), { code: "TYPED_DATA_MALFORMED" });
  });

  it("refuses other texts with the error of typed data", () => {
    for (const text of ["", "{", "1", "null", "[]", "{}", '{"types":{},"domain":{},"message":{}}', "[".repeat(5_000)])
      assert.throws(() => parseTypedData(text), { code: "TYPED_DATA_MALFORMED" }, text.slice(0, 20));
  });
});
