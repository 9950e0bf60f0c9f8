import { type ChainId, parseChainId } from "./chain-place.ts";

/** Genesis block of TRON Mainnet. */
const MAINNET: ChainId | undefined = parseChainId("00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc");

/** A network, and whether its record says that its coins are worth money. */
interface MarkedNetwork {
  readonly production: boolean;
}

/**
 * Returns whether any of these chains is of real money: Mainnet, or the chain of a network that is marked so. What a
 * record says of one network never makes the money of another one worthless.
 *
 * @param chainsOf - the chains that the URLs of a network are, as far as they are known
 */
export function isChainOfRealMoney<N extends MarkedNetwork>(
  chains: readonly ChainId[],
  networks: readonly N[],
  chainsOf: (network: N) => readonly ChainId[],
): boolean {
  const marked = networks.filter(({ production }) => production).flatMap(chainsOf);
  return chains.some((it) => it === MAINNET || marked.includes(it));
}
