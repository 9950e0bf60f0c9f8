import assert from "node:assert/strict";
import { failureOf } from "../../../../test/support/failures/failure-of.ts";
import { bytesToHex, hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import { FIRST_PATH, keyAt, parseKeyPath, pathsFrom } from "../../src/keys/derivation.ts";

describe("the path to a key", () => {
  it("gives the keys of the standard's vector", () => {
    const seed = hexToBytes("000102030405060708090a0b0c0d0e0f");

    const key = keyAt(seed, parseKeyPath("m/0h/1/2'/2/1000000000"));

    assert.equal(bytesToHex(key), "471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8");
  });

  it("is written in one way", () => {
    assert.equal(parseKeyPath(" m/44h/195H/00'/0/2 "), "m/44'/195'/0'/0/2");
    assert.equal(parseKeyPath(FIRST_PATH), FIRST_PATH);
  });

  it("leads to the ones after it", () => {
    assert.deepEqual(pathsFrom(parseKeyPath("m/44'/195'/0'/0/8"), 2), ["m/44'/195'/0'/0/8", "m/44'/195'/0'/0/9"]);
    assert.deepEqual(pathsFrom(parseKeyPath("m/3'"), 2), ["m/3'", "m/4'"]);
    assert.deepEqual(pathsFrom(parseKeyPath("m/2147483647"), 3), ["m/2147483647"]);
  });

  for (const [text, reason] of [
    ["44'/195'", /begin with m/],
    ["m", /1 to 10 steps/],
    [`m${"/0".repeat(11)}`, /1 to 10 steps/],
    ["m/44'//0", /its step 2 is no number/],
    ["m/-1", /step 1 is no number/],
    ["m/2147483648", /step 1 is above 2147483647/],
    ["legal winner thank", /begin with m/],
  ] as const) {
    it(`is refused as ${text}, without a word of it`, async () => {
      const { message } = await failureOf(Promise.resolve().then(() => parseKeyPath(text)));

      assert.match(message, reason);
      assert.equal(message.includes("legal"), false);
    });
  }
});
