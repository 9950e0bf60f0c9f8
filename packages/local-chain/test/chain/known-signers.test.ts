import assert from "node:assert/strict";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import type { Address } from "../../../tron/src/primitives/address.ts";
import { bytesToHex, hexToBytes, type TxId, transactionId } from "../../../tron/src/primitives/bytes.ts";
import {
  addressOfPrivateKey,
  generatePrivateKey,
  recoverAddress,
  signTransactionId,
} from "../../../tron/src/transaction/signature.ts";
import { KnownSigners } from "../../src/chain/known-signers.ts";

const ORDER = secp256k1.Point.Fn.ORDER;
const key = generatePrivateKey();
const signer = addressOfPrivateKey(key);
const idOf = (text: string): TxId => transactionId(new TextEncoder().encode(text));

/** Returns r, s, and the recovery byte from 0 to 3. */
function normalised(id: TxId, signingKey = key): Uint8Array {
  const bytes = hexToBytes(signTransactionId(id, signingKey));
  return Uint8Array.of(...bytes.subarray(0, 64), (bytes[64] ?? 0) - 27);
}

function recovered(id: TxId, signature: Uint8Array): Address | undefined {
  try {
    return recoverAddress(id, bytesToHex(signature));
  } catch {
    return undefined;
  }
}

function acquainted(): KnownSigners {
  const signers = new KnownSigners();
  for (let count = 0; count < 16; count += 1) {
    const id = idOf(`seen ${count}`);
    signers.note(signer, id, normalised(id));
  }
  return signers;
}

describe("KnownSigners", () => {
  it("does not recognise infrequent signers", () => {
    const signers = new KnownSigners();
    const id = idOf("first");
    signers.note(signer, id, normalised(id));

    assert.equal(signers.recognises(signer, id, normalised(id)), false);
  });

  it("agrees with recovery for low and high s", () => {
    const signers = acquainted();
    for (let count = 0; count < 20; count += 1) {
      const id = idOf(`new ${count}`);
      const signature = normalised(id);
      assert.equal(signers.recognises(signer, id, signature), true);

      const high = mirrored(signature);
      assert.equal(recovered(id, high), signer, "s may be high when the parity changes with it");
      assert.equal(signers.recognises(signer, id, high), true);
    }
  });

  it("refuses signatures of another key, another transaction, or another recovery byte", () => {
    const signers = acquainted();
    const id = idOf("mine");
    const signature = normalised(id);

    assert.equal(signers.recognises(signer, id, normalised(id, generatePrivateKey())), false);
    assert.equal(signers.recognises(signer, idOf("other"), signature), false);
    for (const other of [1, 2, 3].map((bits) => (signature[64] ?? 0) ^ bits)) {
      assert.equal(signers.recognises(signer, id, Uint8Array.of(...signature.subarray(0, 64), other)), false);
    }
  });

  it("agrees with recovery on every damaged signature", () => {
    const signers = acquainted();
    const id = idOf("damaged");
    const signature = normalised(id);
    fc.assert(
      fc.property(fc.nat(63), fc.nat(255), fc.nat(3), (index, byte, recovery) => {
        const damaged = Uint8Array.of(...signature.subarray(0, 64), recovery);
        damaged[index] = byte;
        assert.equal(signers.recognises(signer, id, damaged), recovered(id, damaged) === signer);
      }),
      { numRuns: 60 },
    );
  }).timeout(20_000);

  it("refuses r and s outside the range of the order", () => {
    const signers = acquainted();
    const id = idOf("edges");
    const signature = normalised(id);
    const edges = [0n, ORDER, 2n ** 256n - 1n].map((it) => hexToBytes(it.toString(16).padStart(64, "0")));
    for (const edge of edges) {
      assert.equal(signers.recognises(signer, id, Uint8Array.of(...edge, ...signature.subarray(32))), false);
      const s = Uint8Array.of(...signature.subarray(0, 32), ...edge, signature[64] ?? 0);
      assert.equal(signers.recognises(signer, id, s), false);
    }
  });
});

/** Returns the equivalent signature with n − s and the other parity. */
function mirrored(signature: Uint8Array): Uint8Array {
  const s = BigInt(`0x${bytesToHex(signature.subarray(32, 64))}`);
  const other = hexToBytes((ORDER - s).toString(16).padStart(64, "0"));
  return Uint8Array.of(...signature.subarray(0, 32), ...other, (signature[64] ?? 0) ^ 1);
}
