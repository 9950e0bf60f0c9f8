import assert from "node:assert/strict";
import { keccak_256 } from "@noble/hashes/sha3.js";
import fc from "fast-check";
import { hasRightCase, keccak256 } from "../../src/primitives/address.ts";

describe("keccak256", () => {
  it("F6: agrees with @noble/hashes for every input of one block", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 135 }), (bytes) => {
        assert.deepEqual(new Uint8Array(keccak256(bytes)), keccak_256(bytes));
      }),
    );
    for (const length of [0, 1, 134, 135]) {
      const bytes = new Uint8Array(length).fill(0xff);
      assert.deepEqual(new Uint8Array(keccak256(bytes)), keccak_256(bytes));
    }
    assert.throws(() => keccak256(new Uint8Array(136)), RangeError);
  });
});

describe("hasRightCase", () => {
  it("F6: accepts the addresses of EIP-55", () => {
    for (const digits of [
      "52908400098527886E0F7030069857D2E4169EE7",
      "de709f2102306220921060314715629080e2fb77",
      "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
      "fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
      "dbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
      "D1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ])
      assert.ok(hasRightCase(digits), digits);
    for (const digits of [
      "5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
      "fB6916095ca1df60bB79Ce92cE3Ea74c37c5D359",
      "D1220A0cf47c7B9Be7A2E6BA89F429762e7b9adb",
    ])
      assert.equal(hasRightCase(digits), false, digits);
  });
});
