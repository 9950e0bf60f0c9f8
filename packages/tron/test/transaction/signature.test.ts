import assert from "node:assert/strict";
import * as fc from "fast-check";
import { utils } from "tronweb";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { loadRecordedKeys } from "../../../../test/support/recorded/exchanges.ts";
import { signatureVectors } from "../../../../test/support/recorded/vectors.ts";
import { isChainError } from "../../src/errors/chain-error.ts";
import { toBase58 } from "../../src/primitives/address.ts";
import { bytesToHex, type Hex, hexToBytes, type TxId } from "../../src/primitives/bytes.ts";
import {
  addressOfPrivateKey,
  generatePrivateKey,
  parsePrivateKey,
  recoverAddress,
  signTransactionId,
} from "../../src/transaction/signature.ts";

const CURVE_ORDER = BigInt("0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");
const [vector7] = signatureVectors;
const KEY = parsePrivateKey(vector7?.privateKey ?? "");
const HASH = (vector7?.hash ?? "") as TxId;

describe("recoverAddress and signTransactionId", () => {
  it("recover the address of each vector", () => {
    for (const { vector, hash, signature, address } of signatureVectors)
      assert.equal(recoverAddress(hash as TxId, signature as Hex), address, `vector ${vector}`);
  });

  it("reproduce the signature of vector 7", () => {
    assert.equal(signTransactionId(HASH, KEY), vector7?.signature);
    assert.equal(addressOfPrivateKey(KEY), vector7?.address);
  });

  it("agree with TronWeb for any key and hash", () => {
    return fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const key = generatePrivateKey();
        const txId = bytesToHex(bytes) as TxId;
        const signature = signTransactionId(txId, key);

        const address = addressOfPrivateKey(key);
        assert.equal(utils.crypto.ECKeySign(Array.from(bytes) as never, Array.from(key)).toLowerCase(), signature);
        assert.equal(
          utils.crypto.getBase58CheckAddress(utils.crypto.getAddressFromPriKey(Array.from(key))),
          toBase58(address),
        );
        assert.equal(recoverAddress(txId, signature), address);
      }),
      { numRuns: howOften(30, 500) },
    );
  });

  it("accept a high s, as the node does", () => {
    assert.equal(recoverAddress(HASH, withHighS(signTransactionId(HASH, KEY))), vector7?.address);
  });

  it("accept every recovery byte that the node accepts", () => {
    const signature = signTransactionId(HASH, KEY);
    const recovery = Number.parseInt(signature.slice(-2), 16) - 27;
    const other = 1 - recovery;

    for (const base of [0, 4, 27, 31]) {
      assert.equal(recoverAddress(HASH, withV(signature, base + recovery)), vector7?.address);
      assert.notEqual(recoverAddress(HASH, withV(signature, base + other)), vector7?.address);
    }
  });

  it("refuse any other recovery byte, and a point beyond the field", () => {
    const signature = signTransactionId(HASH, KEY);

    for (const v of [8, 26, 35, 255, 2, 3, 29, 30]) assertMalformed(withV(signature, v));
  });

  it("ignore bytes beyond 65, as the node does", () => {
    assert.equal(recoverAddress(HASH, `${signTransactionId(HASH, KEY)}abcd` as Hex), vector7?.address);
  });

  it("refuse a malformed signature", () => {
    for (const signature of ["ab".repeat(64), "", "00".repeat(65), "ff".repeat(65), "zz"])
      assert.throws(() => recoverAddress(HASH, signature as Hex), isChainError, signature);
    assert.throws(
      () => recoverAddress(HASH, "00".repeat(65) as Hex),
      (error: unknown) => isChainError(error) && error.cause instanceof Error,
      "keeps the cause",
    );
  });
});

describe("private key", () => {
  it("has the address that the recorded chain used it for", () => {
    const keys = Object.values(loadRecordedKeys());

    for (const { pk, hex } of keys) assert.equal(addressOfPrivateKey(parsePrivateKey(pk)), hex);
    assert.ok(keys.length > 5);
  });

  it("is read with 0x, blanks and capitals", () => {
    const text = bytesToHex(KEY);

    assert.deepEqual(parsePrivateKey(` 0x${text.toUpperCase()}\n`), KEY);
  });

  it("is random", () => {
    assert.notDeepEqual(generatePrivateKey(), generatePrivateKey());
  });

  it("is refused without being printed when it is malformed or out of range", () => {
    const outOfRange = ["00".repeat(32), CURVE_ORDER.toString(16), "ff".repeat(32)];
    for (const text of [...outOfRange, "ab".repeat(31), "ab".repeat(33), "gh".repeat(32), ""])
      assert.throws(
        () => parsePrivateKey(text),
        (thrown) =>
          isChainError(thrown) &&
          thrown.code === "PRIVATE_KEY_MALFORMED" &&
          (text === "" || !JSON.stringify([thrown.message, thrown.details]).includes(text.slice(0, 16))),
        text,
      );
  });
});

function withV(signature: Hex, v: number): Hex {
  return (signature.slice(0, 128) + v.toString(16).padStart(2, "0")) as Hex;
}

function withHighS(signature: Hex): Hex {
  const s = CURVE_ORDER - BigInt(`0x${signature.slice(64, 128)}`);
  const v = hexToBytes(signature).at(-1) === 27 ? 28 : 27;
  return withV((signature.slice(0, 64) + s.toString(16).padStart(64, "0")) as Hex, v);
}

function assertMalformed(signature: Hex): void {
  assert.throws(
    () => recoverAddress(HASH, signature),
    (thrown) => isChainError(thrown) && thrown.code === "SIGNATURE_MALFORMED",
    signature.slice(-2),
  );
}
