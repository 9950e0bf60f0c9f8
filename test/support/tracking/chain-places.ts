import { type ChainId, parseChainId } from "../../../packages/client/src/gateway/network.ts";
import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type Hex } from "../../../packages/tron/src/primitives/bytes.ts";
import { rawDataFromIntent } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { TRANSFER } from "./journal-entries.ts";

/** The identity of a chain that a test makes up. */
export function chainId(digit: string): ChainId {
  const chain = parseChainId(`${"0".repeat(16)}${digit.repeat(48)}`);
  if (chain === undefined) throw new Error(`${digit} is no digit.`);
  return chain;
}

/** The bytes of a transfer with this reference block. @param expiration - chain time in ms */
export function bytesReferringTo(referenceBlock: BlockId, expiration = Date.UTC(2026, 0, 1, 0, 1)): Hex {
  const validity = { referenceBlock, expiration, timestamp: expiration - 60_000 };
  return bytesToHex(encodeRawData(rawDataFromIntent(TRANSFER, validity)));
}
