import assert from "node:assert/strict";
import * as fc from "fast-check";
import { utils } from "tronweb";
import { type ErrorCode, isChainError } from "../../../../src/core/errors/chain-error.ts";
import { toBase58 } from "../../../../src/core/primitives/address.ts";
import { bytesToHex, type Hex, hexToBytes, type TxId, transactionId } from "../../../../src/core/primitives/bytes.ts";
import { rawDataFromIntent } from "../../../../src/core/transaction/built-transaction.ts";
import { encodeRawData } from "../../../../src/core/transaction/raw-data-codec.ts";
import {
  addressOfPrivateKey,
  addSignature,
  checkSignedTransaction,
  generatePrivateKey,
  parsePrivateKey,
  recoverAddress,
  signTransaction,
  signTransactionId,
} from "../../../../src/core/transaction/signature.ts";
import {
  type VerifiedTransaction,
  verifyAgainstIntent,
} from "../../../../src/core/transaction/verify-against-intent.ts";
import { loadRecordedKeys } from "../../../support/recorded/exchanges.ts";
import { signatureVectors } from "../../../support/recorded/vectors.ts";
import { anyIntent, anyValidity, HEAD_TIMESTAMP, TRANSFER, VALIDITY } from "../../../support/tracking/intents.ts";

const CURVE_ORDER = BigInt("0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");
const [vector7] = signatureVectors;
const KEY = parsePrivateKey(vector7?.privateKey ?? "");
const HASH = (vector7?.hash ?? "") as TxId;

describe("signature", () => {
  for (const { vector, hash, signature, address } of signatureVectors) {
    it(`vector ${vector}: is found to be of ${address}`, () => {
      assert.equal(recoverAddress(hash as TxId, signature as Hex), address);
    });
  }

  it("vector 7: is made exactly so by its key", () => {
    assert.equal(signTransactionId(HASH, KEY), vector7?.signature);
    assert.equal(addressOfPrivateKey(KEY), vector7?.address);
  });

  it("is made and recovered as TronWeb does, for any key and hash", () => {
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
      { numRuns: 100 },
    );
  });

  it("may have a high s, which the node accepts", () => {
    assert.equal(recoverAddress(HASH, withHighS(signTransactionId(HASH, KEY))), vector7?.address);
  });

  it("may have any recovery byte that the node accepts", () => {
    const signature = signTransactionId(HASH, KEY);
    const recovery = Number.parseInt(signature.slice(-2), 16) - 27;
    const other = 1 - recovery;

    for (const base of [0, 4, 27, 31]) {
      assert.equal(recoverAddress(HASH, withV(signature, base + recovery)), vector7?.address);
      assert.notEqual(recoverAddress(HASH, withV(signature, base + other)), vector7?.address);
    }
  });

  it("is malformed with any other recovery byte, or when it means a point beyond the field", () => {
    const signature = signTransactionId(HASH, KEY);

    for (const v of [8, 26, 35, 255, 2, 3, 29, 30]) assertMalformed(withV(signature, v));
  });

  it("with bytes beyond 65 counts as its first 65, as on the node", () => {
    assert.equal(recoverAddress(HASH, `${signTransactionId(HASH, KEY)}abcd` as Hex), vector7?.address);
  });

  for (const [name, signature] of [
    ["too short", "ab".repeat(64)],
    ["empty", ""],
    ["all zero", "00".repeat(65)],
    ["all ones", "ff".repeat(65)],
    ["not hex", "zz"],
  ] as const) {
    it(`that is ${name} is refused with a code`, () => {
      assert.throws(() => recoverAddress(HASH, signature as Hex), isChainError);
    });
  }
});

describe("private key", () => {
  it("belongs to the address that the recorded chain used it for", () => {
    const keys = Object.values(loadRecordedKeys());

    for (const { pk, hex } of keys) assert.equal(addressOfPrivateKey(parsePrivateKey(pk)), hex);
    assert.ok(keys.length > 5);
  });

  it("is read with 0x, blanks and capitals", () => {
    const text = bytesToHex(KEY);

    assert.deepEqual(parsePrivateKey(` 0x${text.toUpperCase()}\n`), KEY);
  });

  it("is another one each time", () => {
    assert.notDeepEqual(generatePrivateKey(), generatePrivateKey());
  });

  for (const [name, text] of [
    ["zero", "00".repeat(32)],
    ["the order of the curve", CURVE_ORDER.toString(16)],
    ["above the order", "ff".repeat(32)],
    ["too short", "ab".repeat(31)],
    ["too long", "ab".repeat(33)],
    ["not hex", "gh".repeat(32)],
    ["empty", ""],
  ] as const) {
    it(`that is ${name} is refused, and never shown`, () => {
      assert.throws(
        () => parsePrivateKey(text),
        (thrown) =>
          isChainError(thrown) &&
          thrown.code === "PRIVATE_KEY_MALFORMED" &&
          (text === "" || !JSON.stringify([thrown.message, thrown.details]).includes(text.slice(0, 16))),
      );
    });
  }
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

const [ALICE, BOB] = [generatePrivateKey(), generatePrivateKey()];

describe("signTransaction", () => {
  it("signs the txID and changes neither the bytes nor the txID", () => {
    const transaction = verified();

    const signed = signTransaction(transaction, ALICE);

    assert.equal(signed.rawDataHex, transaction.rawDataHex);
    assert.equal(signed.txId, transaction.txId);
    assert.deepEqual(checkSignedTransaction(signed), [addressOfPrivateKey(ALICE)]);
  });

  it("S126 gives the same txID whoever signs and how often, so signatures can be collected again", () => {
    return fc.assert(
      fc.property(anyIntent(), anyValidity, (intent, validity) => {
        const bytes = encodeRawData(rawDataFromIntent(intent, validity));
        const built = { txId: transactionId(bytes), rawDataHex: bytesToHex(bytes) };
        const result = verifyAgainstIntent(built, intent, { headTimestamp: HEAD_TIMESTAMP });
        assert.equal(result.kind, "same");

        const first = signTransaction(result as VerifiedTransaction, ALICE);
        const again = signTransaction(result as VerifiedTransaction, BOB);

        assert.equal(first.txId, again.txId);
        assert.notDeepEqual(first.signatures, again.signatures);
      }),
      { numRuns: 30 },
    );
  });
});

describe("addSignature", () => {
  it("S18 puts signatures of several keys on one raw_data and keeps the txID", () => {
    const signed = addSignature(signTransaction(verified(), ALICE), BOB);

    assert.equal(signed.txId, verified().txId);
    assert.deepEqual(checkSignedTransaction(signed), [addressOfPrivateKey(ALICE), addressOfPrivateKey(BOB)]);
  });

  it("refuses a second signature of one key", () => {
    const signed = signTransaction(verified(), ALICE);

    assertRefused(() => addSignature(signed, ALICE), "SIGNATURE_DUPLICATE");
  });

  it("signs nothing that was altered", () => {
    assertRefused(() => addSignature(altered(), BOB), "TRANSACTION_ALTERED");
  });
});

describe("checkSignedTransaction", () => {
  it("S20 refuses bytes that were changed after signing, before anything is sent", () => {
    assertRefused(() => checkSignedTransaction(altered()), "TRANSACTION_ALTERED");
  });

  it("S115 tells altered bytes from a signature of another key", () => {
    const foreign = signTransaction(verified({ ...VALIDITY, timestamp: 1 }), ALICE);
    const mixed = { ...signTransaction(verified(), ALICE), signatures: foreign.signatures };

    assert.notDeepEqual(checkSignedTransaction(mixed), [addressOfPrivateKey(ALICE)]);
  });

  it("refuses one key twice, even under another encoding of its signature", () => {
    const signed = signTransaction(verified(), ALICE);
    const [signature = ""] = signed.signatures;
    const v = Number.parseInt(signature.slice(-2), 16) - 27;
    const duplicate = `${signature.slice(0, -2)}0${v}` as Hex;

    assertRefused(
      () => checkSignedTransaction({ ...signed, signatures: [signature as Hex, duplicate] }),
      "SIGNATURE_DUPLICATE",
    );
  });

  it("refuses a signature that is none", () => {
    const signed = { ...signTransaction(verified(), ALICE), signatures: ["00".repeat(65) as Hex] };

    assertRefused(() => checkSignedTransaction(signed), "SIGNATURE_MALFORMED");
  });

  it("never names a key", () => {
    const signed = signTransaction(verified(), ALICE);

    assert.throws(
      () => addSignature(signed, ALICE),
      (thrown) => !JSON.stringify([String(thrown), isChainError(thrown) && thrown.details]).includes(bytesToHex(ALICE)),
    );
    assert.ok(!JSON.stringify(signed).includes(bytesToHex(ALICE)));
  });
});

function verified(validity = VALIDITY): VerifiedTransaction {
  const bytes = encodeRawData(rawDataFromIntent(TRANSFER, validity));
  const built = { txId: transactionId(bytes), rawDataHex: bytesToHex(bytes) };
  const result = verifyAgainstIntent(built, TRANSFER, { headTimestamp: HEAD_TIMESTAMP });
  assert.equal(result.kind, "same");
  return result as VerifiedTransaction;
}

/** The expiration moved after signing; the txID still is the old one. */
function altered(): ReturnType<typeof signTransaction> {
  const signed = signTransaction(verified(), ALICE);
  const later = verified({ ...VALIDITY, expiration: VALIDITY.expiration + 1 });
  return { ...signed, rawDataHex: later.rawDataHex, txId: signed.txId as TxId };
}

function assertRefused(action: () => unknown, code: ErrorCode): void {
  assert.throws(action, (thrown) => isChainError(thrown) && thrown.code === code);
}
