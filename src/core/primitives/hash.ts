import { hash } from "node:crypto";
import { bytesToHex, type Hex } from "./bytes.ts";

/** SHA-256 of the bytes, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash("sha256", bytes, "buffer"));
}

/** The identity of a transaction: 64 lower-case hex digits. */
export type TxId = Hex & { readonly of: "TxId" };

/** txID = SHA-256 of the serialised `raw_data`; signatures are no part of it (gateway document, Transaction). */
export function transactionId(rawData: Uint8Array): TxId {
  return bytesToHex(sha256(rawData)) as TxId;
}

const TX_ID = /^(?:0x)?([0-9a-f]{64})$/i;

/** A txID as people paste it (upper case, 0x, blanks around), or undefined. */
export function parseTxId(text: string): TxId | undefined {
  return TX_ID.exec(text.trim())?.[1]?.toLowerCase() as TxId | undefined;
}
