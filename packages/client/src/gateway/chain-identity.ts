import { ChainError } from "@finality/tron/errors";
import { type ChainId, parseChainId } from "./network.ts";

/** Identity of the chain behind one URL. */
export interface ChainAtUrl {
  readonly url: string;
  /** Identity stored at first use. */
  readonly recorded: ChainId | undefined;
  /** Identity reported now; undefined if there is no answer. */
  readonly reported: ChainId | undefined;
}

/**
 * Returns the common chain of all URLs of a network; undefined if none is known. A stored identity counts while a URL
 * does not answer.
 *
 * @param urls - The network's own URL first.
 * @throws {ChainError} `CHAIN_CHANGED` if a URL serves another chain than before, `CHAINS_DIFFER` if two of them serve
 *   different chains
 */
export function commonChain(network: string, urls: readonly ChainAtUrl[]): ChainId | undefined {
  let first: { readonly url: string; readonly chain: ChainId } | undefined;
  for (const { url, recorded, reported } of urls) {
    if (recorded !== undefined && reported !== undefined && recorded !== reported)
      throw new ChainError("CHAIN_CHANGED", { url, before: recorded, now: reported });
    const chain = reported ?? recorded;
    if (chain === undefined) continue;
    if (first !== undefined && first.chain !== chain)
      throw new ChainError("CHAINS_DIFFER", {
        network,
        url: first.url,
        chain: first.chain,
        otherUrl: url,
        other: chain,
      });
    first ??= { url, chain };
  }
  return first?.chain;
}

/** Genesis block of TRON Mainnet. */
const MAINNET: ChainId | undefined = parseChainId("00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc");

/** Network with the user's mark for real money. */
interface MarkedNetwork {
  readonly production: boolean;
}

/**
 * Returns true for Mainnet and for the chain of a network that is marked as real money. A mark on one network never
 * lowers that of another.
 *
 * @param chainsOf - Chains behind the URLs of a network, as far as known.
 */
export function isChainOfRealMoney<N extends MarkedNetwork>(
  chains: readonly ChainId[],
  networks: readonly N[],
  chainsOf: (network: N) => readonly ChainId[],
): boolean {
  const marked = networks.filter(({ production }) => production).flatMap(chainsOf);
  return chains.some((it) => it === MAINNET || marked.includes(it));
}

/**
 * Returns the symbol of a network's coin by the URL of its gateway, where the coin is known: TRX on the networks of
 * TronGrid. Amounts of every other network are in coins.
 */
export function coinSymbolOf(url = ""): string | undefined {
  const host = URL.parse(url)?.hostname ?? "";
  return /(?:^|\.)trongrid\.io\.?$/.test(host) ? "TRX" : undefined;
}
