import { type Hex, parseTxId } from "@finality/tron/primitives";
import { hashOf } from "@finality/tron/read";

/** The name of the embedded chain, which no other network may have. Each of its starts is a chain of its own. */
export const LOCAL_NETWORK_NAME = "Local chain";

/**
 * Where something happens: the name that people gave to the network, and the chain it was then, where that is known.
 */
export interface ChainPlace {
  readonly network: string;
  readonly chain?: ChainId;
}

/**
 * Whether two places may be one chain. All networks but the embedded chain may, whatever they are called: an identity
 * is what a gateway says, and one that lies can say another one. Who has to know for certain asks both (`relationOf`).
 */
export function mayBeSameChain(left: ChainPlace, right: ChainPlace): boolean {
  return isSameChain(left, right) || !(isLocal(left) || isLocal(right));
}

/**
 * Whether two places are one chain as far as that is known; where it is not, what is called the same counts as the
 * same.
 */
export function isSameChain(left: ChainPlace, right: ChainPlace): boolean {
  if (left.chain !== undefined && right.chain !== undefined) return left.chain === right.chain;
  return left.network === right.network;
}

function isLocal({ network }: ChainPlace): boolean {
  return network === LOCAL_NETWORK_NAME;
}

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
