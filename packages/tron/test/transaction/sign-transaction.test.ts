import assert from "node:assert/strict";
import * as fc from "fast-check";
import {
  anyIntent,
  anyValidity,
  HEAD_TIMESTAMP,
  TRANSFER,
  VALIDITY,
} from "../../../../test/support/tracking/intents.ts";
import { type ErrorCode, isChainError } from "../../src/errors/chain-error.ts";
import { toBase58 } from "../../src/primitives/address.ts";
import { bytesToHex, type Hex, type TxId, transactionId } from "../../src/primitives/bytes.ts";
import { rawDataFromIntent } from "../../src/transaction/built-transaction.ts";
import { encodeRawData } from "../../src/transaction/raw-data-codec.ts";
import { addSignature, checkSignedTransaction, signTransaction } from "../../src/transaction/sign-transaction.ts";
import { addressOfPrivateKey, generatePrivateKey } from "../../src/transaction/signature.ts";
import { type VerifiedTransaction, verifyAgainstIntent } from "../../src/transaction/verify-against-intent.ts";

const [ALICE, BOB] = [generatePrivateKey(), generatePrivateKey()];

describe("signTransaction", () => {
  it("signs the txID without changing bytes or txID", () => {
    const transaction = verified();

    const signed = signTransaction(transaction, ALICE);

    assert.equal(signed.rawDataHex, transaction.rawDataHex);
    assert.equal(signed.txId, transaction.txId);
    assert.deepEqual(checkSignedTransaction(signed), [addressOfPrivateKey(ALICE)]);
  });

  it("S126 keeps the txID for every signer, so that signatures can be collected again", () => {
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
  it("S18 adds signatures of several keys and keeps the txID", () => {
    const signed = addSignature(signTransaction(verified(), ALICE), BOB);

    assert.equal(signed.txId, verified().txId);
    assert.deepEqual(checkSignedTransaction(signed), [addressOfPrivateKey(ALICE), addressOfPrivateKey(BOB)]);
  });

  it("refuses a second signature of one key", () => {
    const signed = signTransaction(verified(), ALICE);

    assertRefused(() => addSignature(signed, ALICE), "SIGNATURE_DUPLICATE");
    const address = toBase58(addressOfPrivateKey(ALICE));
    assert.throws(() => addSignature(signed, ALICE), { details: { address } });
  });

  it("refuses an altered transaction", () => {
    assertRefused(() => addSignature(altered(), BOB), "TRANSACTION_ALTERED");
  });
});

describe("checkSignedTransaction", () => {
  it("S20 refuses bytes that were changed after signing", () => {
    assertRefused(() => checkSignedTransaction(altered()), "TRANSACTION_ALTERED");
  });

  it("S115 distinguishes altered bytes from a signature of another key", () => {
    const foreign = signTransaction(verified({ ...VALIDITY, timestamp: 1 }), ALICE);
    const mixed = { ...signTransaction(verified(), ALICE), signatures: foreign.signatures };

    assert.notDeepEqual(checkSignedTransaction(mixed), [addressOfPrivateKey(ALICE)]);
  });

  it("refuses one key twice, even in another encoding of its signature", () => {
    const signed = signTransaction(verified(), ALICE);
    const [signature = ""] = signed.signatures;
    const v = Number.parseInt(signature.slice(-2), 16) - 27;
    const duplicate = `${signature.slice(0, -2)}0${v}` as Hex;

    assertRefused(
      () => checkSignedTransaction({ ...signed, signatures: [signature as Hex, duplicate] }),
      "SIGNATURE_DUPLICATE",
    );
  });

  it("refuses a malformed signature", () => {
    const signed = { ...signTransaction(verified(), ALICE), signatures: ["00".repeat(65) as Hex] };

    assertRefused(() => checkSignedTransaction(signed), "SIGNATURE_MALFORMED");
  });

  it("reveals no key in errors and results", () => {
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

/** Returns a signed transaction with a changed expiration and the old txID. */
function altered(): ReturnType<typeof signTransaction> {
  const signed = signTransaction(verified(), ALICE);
  const later = verified({ ...VALIDITY, expiration: VALIDITY.expiration + 1 });
  return { ...signed, rawDataHex: later.rawDataHex, txId: signed.txId as TxId };
}

function assertRefused(action: () => unknown, code: ErrorCode): void {
  assert.throws(action, (thrown) => isChainError(thrown) && thrown.code === code);
}
