import type { Hex } from "../primitives/bytes.ts";
import { parseTxId } from "../primitives/hash.ts";
import { hashOf } from "../primitives/read.ts";

/** The identity of a chain: the id of its genesis block, 64 hex digits. Names and URLs may change, it never does. */
export type ChainId = Hex & { readonly of: "ChainId" };

/** Reads the identity of a chain where it was kept. */
export const chainId = hashOf<ChainId>();

/** The height of a block stands in the first digits of its id. */
const HEIGHT_OF_GENESIS = "0".repeat(16);

/** The id of a genesis block, or undefined for anything else. */
export function parseChainId(text: string): ChainId | undefined {
  const id = parseTxId(text);
  return id?.startsWith(HEIGHT_OF_GENESIS) === true ? (id as Hex as ChainId) : undefined;
}
