import assert from "node:assert/strict";
import { base58 } from "@scure/base";
import fc from "fast-check";
import { decodeBase58, encodeBase58 } from "../../../../src/core/primitives/base58.ts";

describe("base58", () => {
  it("agrees with @scure/base on any bytes, zeros at the start included", () => {
    const withZeros = fc.tuple(fc.nat(4), fc.uint8Array({ maxLength: 60 })).map(([zeros, bytes]) => {
      return Uint8Array.of(...new Uint8Array(zeros), ...bytes);
    });

    fc.assert(
      fc.property(withZeros, (bytes) => {
        const text = base58.encode(bytes);
        assert.equal(encodeBase58(bytes), text);
        assert.deepEqual(decodeBase58(text), bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  it("agrees with @scure/base on what is no base58", () => {
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
