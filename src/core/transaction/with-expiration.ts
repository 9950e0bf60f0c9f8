import { bytesToHex, hexToBytes } from "../primitives/bytes.ts";
import { transactionId } from "../primitives/hash.ts";
import type { BuiltTransaction } from "./built-transaction.ts";
import { decodeRawData, encodeRawData } from "./raw-data-codec.ts";

/**
 * The same transaction with another expiration: builders of the node give 60 s, and the expiration is the signer's to
 * choose. Its bytes have to be verified anew.
 *
 * @param expiration - chain time, ms
 * @throws {ChainError} `TRANSACTION_MALFORMED`
 */
export function withExpiration({ rawDataHex }: BuiltTransaction, expiration: number): BuiltTransaction {
  const { raw } = decodeRawData(hexToBytes(rawDataHex));
  const bytes = encodeRawData({ ...raw, expiration: BigInt(expiration) });
  return { txId: transactionId(bytes), rawDataHex: bytesToHex(bytes) };
}
