import assert from "node:assert/strict";
import { parseSignature } from "../../src/abi/abi-signature.ts";
import { encodeCall, type InputValue } from "../../src/abi/encode-abi.ts";
import { inputFromText, typedValues } from "../../src/abi/typed-value.ts";
import { type Address, parseAddress } from "../../src/primitives/address.ts";

const BOB = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const addressOf = (name: string): Address | undefined => (name === "Bob" ? BOB : undefined);
const fit = (parameters: string, ...input: readonly InputValue[]) =>
  typedValues(parseSignature(`f(${parameters})`).parameters, input, addressOf);
const value = (parameters: string, input: InputValue) => {
  const fitted = fit(parameters, input);
  assert.ok(fitted.ok, `${parameters} does not fit`);
  return fitted.value[0];
};
const misfits = (parameters: string, ...input: readonly InputValue[]) => {
  const fitted = fit(parameters, ...input);
  return fitted.ok ? [] : fitted.misfits.map(({ path, reason }) => `${path}: ${reason}`);
};

describe("typedValues", () => {
  it("accepts numbers as numbers or texts, with separators, in decimal or hex", () => {
    assert.equal(value("uint256", 5n), 5n);
    assert.equal(value("uint256", " 1,000_000 "), 1_000_000n);
    assert.equal(value("int256", "-1,000"), -1_000n);
    assert.throws(() => value("uint256", "1,5"));
    assert.equal(value("int8", "-128"), -128n);
    assert.equal(value("uint8", "0xff"), 255n);
  });

  it("T1: does not split a number with separators in a list into two", () => {
    const [list] = parseSignature("f(uint256[])").parameters;
    assert.ok(list);
    for (const text of ["[1,000]", "[0,001]", "[1,000,000]"]) {
      const fitted = typedValues([list], [inputFromText(list.type, text)], addressOf);
      assert.equal(fitted.ok, false, text);
    }
    assert.deepEqual(value("uint256[]", inputFromText(list.type, "[1, 0, -0, 20]")), [1n, 0n, 0n, 20n]);
  });

  it("F9: distinguishes numbers that are too small from those that are too large", () => {
    for (const bits of [8n, 16n, 24n, 64n, 128n, 256n]) {
      const [least, most] = [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
      assert.deepEqual(misfits(`int${bits}`, String(least - 1n)), [`argument 1: this is too small for int${bits}`]);
      assert.deepEqual(misfits(`int${bits}`, String(most + 1n)), [`argument 1: this is too large for int${bits}`]);
      assert.deepEqual([value(`int${bits}`, String(least)), value(`int${bits}`, String(most))], [least, most]);
      assert.deepEqual(misfits(`uint${bits}`, String(2n ** bits)), [`argument 1: this is too large for uint${bits}`]);
    }
    assert.deepEqual(misfits("int24", "-8388609"), ["argument 1: this is too small for int24"]);
    assert.deepEqual(misfits("uint8", "-1"), ["argument 1: uint8 cannot be negative"]);
  });

  it("names the reason for a misfit number", () => {
    assert.deepEqual(misfits("uint8 age", "256"), ["age: this is too large for uint8"]);
    assert.deepEqual(misfits("uint256", "-1"), ["argument 1: uint256 cannot be negative"]);
    assert.deepEqual(misfits("uint256", "1.5"), ["argument 1: write a whole number, such as 1000000 or 0x2a"]);
    assert.deepEqual(misfits("uint256", true), ["argument 1: write a whole number, such as 1000000 or 0x2a"]);
  });

  it("accepts addresses in base58 and hex, and account names", () => {
    for (const input of ["TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp", BOB, `0x${BOB.slice(2)}`, "Bob"])
      assert.equal(value("address", input), BOB);
    assert.deepEqual(misfits("address to", "Zoe"), ['to: "Zoe" is neither an account name nor an address']);
    assert.match(misfits("address to", "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHq")[0] ?? "", /mistyped/);
    assert.deepEqual(misfits("address", ""), ["argument 1: write an address, or the name of an account"]);
  });

  it("F6: reports a wrong checksum of an address", () => {
    const right = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    for (const text of [right, right.toLowerCase(), `0x${right.slice(2).toUpperCase()}`])
      assert.equal(value("address", text), `41${right.slice(2).toLowerCase()}`);
    for (const wrong of [
      right.replace("Ae", "ae"),
      right.replace("5a", "6a"),
      right.replace("0x", "0x41").replace("aA", "AA"),
    ])
      assert.match(misfits("address to", wrong)[0] ?? "", /^to: .* is mistyped: its checksum does not match/, wrong);
  });

  it("accepts bytes in hex with or without 0x, of exactly the size of the type", () => {
    assert.equal(value("bytes", "0x00FF"), "00ff");
    assert.equal(value("bytes4", "a9059cbb"), "a9059cbb");
    assert.deepEqual(misfits("bytes4", "0x00"), ["argument 1: write exactly 4 bytes in hex"]);
    assert.deepEqual(misfits("bytes", "0x0"), ["argument 1: write bytes in hex, such as 0x00ff"]);
  });

  it("accepts tuples as lists or objects, and nested lists", () => {
    const expected = [["Sencha", 2n]];

    assert.deepEqual(value("(string tea, uint256 cups)[]", [["Sencha", "2"]]), expected);
    assert.deepEqual(value("(string tea, uint256 cups)[]", [{ cups: "2", tea: "Sencha" }]), expected);
  });

  it("reports all misfits with their paths", () => {
    assert.deepEqual(
      misfits("(string tea, uint256 cups)[] lines", [["Sencha", "x"], { tea: "Oolong" }, { milk: true }]),
      [
        "lines[0].cups: write a whole number, such as 1000000 or 0x2a",
        "lines[1].cups: it is missing",
        "lines[2]: there is no milk; the fields are tea, cups",
      ],
    );
    assert.deepEqual(misfits("uint256,uint256", 1n), [": 2 arguments are needed, but there is 1"]);
    assert.deepEqual(misfits("uint256[2] pair", [1n]), ["pair: 2 items are needed, but there is 1"]);
    assert.deepEqual(misfits("uint256[] all", "7"), ['all: write a list as JSON, such as ["…", "…"]']);
  });

  it("reads lists and tuples in an input box as JSON with every digit, and other types as typed", () => {
    const typeOf = (text: string) => {
      const [parameter] = parseSignature(`f(${text})`).parameters;
      assert.ok(parameter);
      return parameter.type;
    };

    assert.deepEqual(inputFromText(typeOf("uint256[]"), "[123456789012345678901234567890, -2]"), [
      "123456789012345678901234567890",
      "-2",
    ]);
    assert.deepEqual(inputFromText(typeOf("(string,bool)"), '["a 12 \\" 34", true]'), ['a 12 " 34', true]);
    assert.equal(inputFromText(typeOf("string"), "[1]"), "[1]");
    assert.equal(inputFromText(typeOf("uint256[]"), "[1"), "[1");
  });
});

describe("encodeCall", () => {
  it("returns the selector and the arguments, with addresses without 41", () => {
    const { parameters } = parseSignature("transfer(address,uint256)");

    const data = encodeCall("transfer(address,uint256)", parameters, [BOB, 5n]);

    assert.equal(data, `a9059cbb${BOB.slice(2).padStart(64, "0")}${"5".padStart(64, "0")}`);
  });
});
