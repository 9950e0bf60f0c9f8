import type { ChainId } from "./chain-id.ts";

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
