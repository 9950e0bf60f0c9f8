import assert from "node:assert/strict";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { bytesToHex, hexToBytes, type TxId, transactionId } from "../../../tron/src/primitives/bytes.ts";
import {
  addressOfPrivateKey,
  type PrivateKey,
  recoverAddress,
  signTransactionId,
} from "../../../tron/src/transaction/signature.ts";
import {
  accountOf,
  accountOfPoint,
  compressedPublicKey,
  newDevelopmentKey,
  recoverPoint,
  signWithDevelopmentKey,
} from "../../src/curve/keys.ts";

const { ORDER } = secp256k1.Point.Fn;
const bytesOf = (value: bigint): Uint8Array => hexToBytes(value.toString(16).padStart(64, "0"));
const keyOf = (value: bigint): PrivateKey => bytesOf(value) as PrivateKey;

const keys = fc
  .oneof(fc.constantFrom(1n, 2n, 3n, 31n, 32n, 33n, 64n, ORDER - 2n, ORDER - 1n), fc.bigInt(1n, ORDER - 1n))
  .map(keyOf);
const ids = fc
  .oneof(fc.constantFrom(0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n), fc.bigInt(0n, 2n ** 256n - 1n))
  .map((it) => bytesToHex(bytesOf(it)) as string as TxId);

function recovered(id: TxId, signature: Uint8Array): string | undefined {
  try {
    return recoverAddress(id, bytesToHex(signature));
  } catch {
    return undefined;
  }
}

describe("development keys", () => {
  it("have the accounts and public keys that the library computes", () => {
    fc.assert(
      fc.property(keys, (key) => {
        assert.equal(accountOf(key), addressOfPrivateKey(key));
        assert.deepEqual(Buffer.from(compressedPublicKey(key)), Buffer.from(secp256k1.getPublicKey(key, true)));
      }),
      { numRuns: 60 },
    );
  });

  it("sign any hash as the library does", () => {
    fc.assert(
      fc.property(keys, ids, (key, id) => {
        const signature = hexToBytes(signTransactionId(id, key));
        const expected = Uint8Array.of(...signature.subarray(0, 64), (signature[64] ?? 0) - 27);
        assert.deepEqual(Buffer.from(signWithDevelopmentKey(id, key)), Buffer.from(expected));
      }),
      { numRuns: 60 },
    );
  });

  it("are new ones each time", () => {
    assert.notDeepEqual(newDevelopmentKey(), newDevelopmentKey());
    assert.equal(secp256k1.utils.isValidSecretKey(newDevelopmentKey()), true);
  });
});

describe("recovery of signers", () => {
  it("finds the signer of a signature, with low and high s", () => {
    fc.assert(
      fc.property(keys, ids, (key, id) => {
        const signature = signWithDevelopmentKey(id, key);
        const s = BigInt(`0x${bytesToHex(signature.subarray(32, 64))}`);
        const high = Uint8Array.of(...signature.subarray(0, 32), ...bytesOf(ORDER - s), (signature[64] ?? 0) ^ 1);
        for (const one of [signature, high]) {
          const point = recoverPoint(id, one);
          assert.equal(point && accountOfPoint(point), addressOfPrivateKey(key));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("agrees with the library on damaged signatures, or leaves them to it", () => {
    const id = transactionId(new Uint8Array());
    const signature = signWithDevelopmentKey(id, keyOf(7n));
    let found = 0;
    fc.assert(
      fc.property(fc.nat(63), fc.nat(255), fc.nat(3), (index, byte, recovery) => {
        const damaged = Uint8Array.of(...signature.subarray(0, 64), recovery);
        damaged[index] = byte;
        const point = recoverPoint(id, damaged);
        if (point !== undefined) found += 1;
        assert.equal(point && accountOfPoint(point), recovered(id, damaged));
      }),
      { numRuns: 100 },
    );
    assert.ok(found > 10, `only ${found} of the signatures have a signer`);
  });

  it("leaves r and s outside the range of the order to the library", () => {
    const id = transactionId(new Uint8Array());
    const signature = signWithDevelopmentKey(id, keyOf(7n));
    for (const edge of [0n, ORDER, 2n ** 256n - 1n]) {
      const r = Uint8Array.of(...bytesOf(edge), ...signature.subarray(32));
      const s = Uint8Array.of(...signature.subarray(0, 32), ...bytesOf(edge), signature[64] ?? 0);
      for (const one of [r, s]) assert.equal(recoverPoint(id, one), undefined);
    }
  });
});
