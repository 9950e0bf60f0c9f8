import { ChainError } from "../errors/chain-error.ts";
import { type Address, toBase58 } from "../primitives/address.ts";
import { hexToBytes, transactionId } from "../primitives/bytes.ts";
import type { SignedTransaction } from "./built-transaction.ts";
import { addressOfPrivateKey, type PrivateKey, recoverAddress, signTransactionId } from "./signature.ts";
import type { VerifiedTransaction } from "./verify-against-intent.ts";

/**
 * Signs verified bytes.
 *
 * @param key - Used once, never stored.
 */
export function signTransaction({ txId, rawDataHex }: VerifiedTransaction, key: PrivateKey): SignedTransaction {
  return { txId, rawDataHex, signatures: [signTransactionId(txId, key)] };
}

/**
 * Adds a signature to the same bytes and txID, for permissions that need several keys.
 *
 * @throws {ChainError} `SIGNATURE_DUPLICATE` if this key signed before; and the errors of `checkSignedTransaction`
 */
export function addSignature(signed: SignedTransaction, key: PrivateKey): SignedTransaction {
  const address = addressOfPrivateKey(key);
  if (checkSignedTransaction(signed).includes(address)) {
    throw new ChainError("SIGNATURE_DUPLICATE", { address: toBase58(address) });
  }
  return { ...signed, signatures: [...signed.signatures, signTransactionId(signed.txId, key)] };
}

/**
 * Verifies the txID and returns the signers in the order of their signatures.
 *
 * @throws {ChainError} `TRANSACTION_ALTERED` if the bytes do not have this txID, `SIGNATURE_MALFORMED` if one cannot be
 *   recovered, `SIGNATURE_DUPLICATE` if two are of one key: the node would refuse them
 */
export function checkSignedTransaction({ txId, rawDataHex, signatures }: SignedTransaction): readonly Address[] {
  const actual = transactionId(hexToBytes(rawDataHex));
  if (actual !== txId) throw new ChainError("TRANSACTION_ALTERED", { txId, actual });
  const signers = signatures.map((it) => recoverAddress(txId, it));
  const twice = signers.find((it, index) => signers.indexOf(it) !== index);
  if (twice !== undefined) throw new ChainError("SIGNATURE_DUPLICATE", { address: toBase58(twice) });
  return signers;
}
