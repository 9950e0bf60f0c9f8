import assert from "node:assert/strict";
import { base58, createBase58check } from "@scure/base";
import fc from "fast-check";
import { addressVectors } from "../../../../test/support/recorded/vectors.ts";
import { anyAddress } from "../../../../test/support/tracking/intents.ts";
import { type ErrorCode, isChainError } from "../../src/errors/chain-error.ts";
import {
  addressFromBytes,
  addressToBytes,
  bytesToBase58Check,
  decodeBase58,
  parseAddress,
  toBase58,
} from "../../src/primitives/address.ts";
import { hexToBytes, sha256 } from "../../src/primitives/bytes.ts";

const BASE58 = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const HEX = "41dd791d6b49e190062d650e6a23c575510d35f2f9";

describe("parseAddress", () => {
  it("converts the vectors between base58 and hex", () => {
    for (const { hex, base58 } of addressVectors.base58) {
      assert.equal(parseAddress(base58), hex);
      assert.equal(toBase58(parseAddress(hex)), base58);
    }
  });

  it("reads base58 and hex with blanks, capitals and 0x", () => {
    for (const text of [BASE58, ` ${BASE58}\n`, HEX, HEX.toUpperCase(), `0x${HEX}`, `0X${HEX}`])
      assert.equal(parseAddress(text), HEX, text);
  });

  it("reads its own output again", () => {
    return fc.assert(
      fc.property(anyAddress, (address) => {
        assert.equal(parseAddress(toBase58(address)), address);
        assert.equal(addressFromBytes(addressToBytes(address)), address);
        assert.match(toBase58(address), /^T[1-9A-HJ-NP-Za-km-z]{33}$/);
      }),
    );
  });

  const invalid: readonly (readonly [string, ErrorCode])[] = [
    ["", "ADDRESS_MALFORMED"],
    ["bob", "ADDRESS_MALFORMED"],
    ["T", "ADDRESS_MALFORMED"],
    [`${BASE58}0`, "ADDRESS_MALFORMED"],
    [BASE58.slice(0, -1), "ADDRESS_CHECKSUM_MISMATCH"],
    [BASE58.slice(0, -2), "ADDRESS_MALFORMED"],
    [`${BASE58}1`, "ADDRESS_MALFORMED"],
    ["TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHq", "ADDRESS_CHECKSUM_MISMATCH"],
    ["TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpPh", "ADDRESS_CHECKSUM_MISMATCH"],
    ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "ADDRESS_PREFIX_UNKNOWN"],
    [`a0${HEX.slice(2)}`, "ADDRESS_PREFIX_UNKNOWN"],
    [HEX.slice(2), "ADDRESS_MALFORMED"],
    [`0x${HEX.slice(2)}`, "ADDRESS_MALFORMED"],
    [`${HEX}00`, "ADDRESS_MALFORMED"],
    [HEX.replace("d", "g"), "ADDRESS_MALFORMED"],
  ];

  it("refuses other texts with a code", () => {
    for (const [text, code] of invalid)
      assert.throws(
        () => parseAddress(text),
        (thrown) => isChainError(thrown) && thrown.code === code && "text" in thrown.details,
        text,
      );
  });

  it("refuses every single mistyped character", () => {
    for (let index = 0; index < BASE58.length; index++) {
      const other = BASE58[index] === "2" ? "3" : "2";
      const mistyped = BASE58.slice(0, index) + other + BASE58.slice(index + 1);
      assert.throws(() => parseAddress(mistyped), isChainError, mistyped);
    }
  });

  it("shortens a long text in its error message", () => {
    assert.throws(
      () => parseAddress("x".repeat(5_000)),
      (thrown) => isChainError(thrown) && thrown.message.length < 250,
    );
  });

  it("refuses bytes of another length", () => {
    for (const length of [0, 20, 22]) {
      assert.throws(
        () => addressFromBytes(new Uint8Array(length).fill(0x41)),
        (thrown) => isChainError(thrown) && thrown.code === "ADDRESS_MALFORMED",
      );
    }
  });

  it("prints malformed addresses in base58check, as the node does", () => {
    assert.equal(bytesToBase58Check(hexToBytes("")), "3QJmnh");
  });
});

const base58check = createBase58check(sha256);

describe("base58", () => {
  it("agrees with @scure/base on any bytes, including leading zeros", () => {
    const withZeros = fc.tuple(fc.nat(4), fc.uint8Array({ maxLength: 60 })).map(([zeros, bytes]) => {
      return Uint8Array.of(...new Uint8Array(zeros), ...bytes);
    });

    fc.assert(
      fc.property(withZeros, (bytes) => {
        assert.equal(bytesToBase58Check(bytes), base58check.encode(bytes));
        assert.deepEqual(decodeBase58(base58.encode(bytes)), bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  it("agrees with @scure/base on invalid texts", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        let theirs: Uint8Array | undefined;
        try {
          theirs = base58.decode(text);
        } catch {
          theirs = undefined;
        }
        assert.deepEqual(decodeBase58(text), theirs && Uint8Array.from(theirs));
      }),
      { numRuns: 2_000 },
    );
  });
});
