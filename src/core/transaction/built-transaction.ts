import type { Hex } from "../primitives/bytes.ts";
import type { TxId } from "../primitives/hash.ts";

/** An unsigned transaction as a gateway built it: nothing of it is believed before it was verified. */
export interface BuiltTransaction {
  readonly txId: TxId;
  readonly rawDataHex: Hex;
}

/** Signed bytes, ready for a broadcast. */
export interface SignedTransaction {
  readonly txId: TxId;
  readonly rawDataHex: Hex;
  readonly signatures: readonly Hex[];
}
