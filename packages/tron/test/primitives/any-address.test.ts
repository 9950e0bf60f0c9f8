import assert from "node:assert/strict";
import fc from "fast-check";
import { getAddress } from "viem";
import { anyAddress } from "../../../../test/support/tracking/intents.ts";
import { anyAddressIn, parseAddress, parseAnyAddress } from "../../src/primitives/address.ts";

describe("parseAnyAddress", () => {
  it("F6: refuses hex of mixed case with a wrong EIP-55 checksum", () => {
    fc.assert(
      fc.property(anyAddress, fc.nat(39), (address, at) => {
        const digits = getAddress(`0x${address.slice(2)}`).slice(2);
        for (const written of [digits, digits.toLowerCase(), digits.toUpperCase()]) {
          for (const prefix of ["41", "0x41", "0X41"]) assert.equal(parseAddress(`${prefix}${written}`), address);
          for (const prefix of ["", "0x"]) assert.equal(parseAnyAddress(`${prefix}${written}`), address);
        }
        const digit = digits.charAt(at);
        const other = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
        const wrong = digits.slice(0, at) + other + digits.slice(at + 1);
        if (other === digit || wrong === wrong.toLowerCase() || wrong === wrong.toUpperCase()) return;
        for (const text of [`41${wrong}`, `0x41${wrong}`])
          assert.throws(() => parseAddress(text), { code: "ADDRESS_CHECKSUM_MISMATCH" }, text);
        for (const text of [wrong, `0x${wrong}`, `0x41${wrong}`])
          assert.throws(() => parseAnyAddress(text), { code: "ADDRESS_CHECKSUM_MISMATCH" }, text);
      }),
    );
  });

  it("F6: refuses a mistyped digit of mixed case", () => {
    const right = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    assert.equal(parseAnyAddress(right), `41${right.slice(2).toLowerCase()}`);
    for (let index = 2; index < right.length; index++) {
      const other = right[index] === "1" ? "2" : "1";
      const mistyped = right.slice(0, index) + other + right.slice(index + 1);
      assert.throws(() => parseAnyAddress(mistyped), {
        code: "ADDRESS_CHECKSUM_MISMATCH",
        details: { text: mistyped },
      });
    }
  });

  it("reads each form of an address, and nothing else", () => {
    const address = "41dd791d6b49e190062d650e6a23c575510d35f2f9";
    for (const text of [
      address,
      `0x${address}`,
      address.slice(2),
      ` 0x${address.slice(2)} `,
      "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp",
    ])
      assert.equal(anyAddressIn(text), address);
    for (const text of ["", "Bob", "0x", address.slice(3), `${address}00`]) assert.equal(anyAddressIn(text), undefined);
  });
});
