import { bytesToHex, type Hex, hexToBytes } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** Returns the Keccak-256 hash of the code of a contract, as explorers and `extcodehash` show it. */
export function codeHashOf(runtimeCode: Hex): Hex {
  return bytesToHex(keccak_256(hexToBytes(runtimeCode)));
}
