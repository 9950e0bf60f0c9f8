import { ChainError } from "@finality/tron/errors";
import type { ChainId } from "./chain-place.ts";

/** What is known about the chain behind one URL. */
export interface ChainAtUrl {
  readonly url: string;
  /** What it said first. */
  readonly kept: ChainId | undefined;
  /** What it says now; undefined while it does not say. */
  readonly said: ChainId | undefined;
}

/**
 * The one chain of all URLs of a network; undefined while nobody said. What one of them said before counts while it is
 * silent.
 *
 * @param urls - the network's own URL first
 * @throws {ChainError} `CHAIN_CHANGED` a URL is another chain than before, `CHAINS_DIFFER` two of them are different
 *   chains
 */
export function commonChain(network: string, urls: readonly ChainAtUrl[]): ChainId | undefined {
  let first: { readonly url: string; readonly chain: ChainId } | undefined;
  for (const { url, kept, said } of urls) {
    if (kept !== undefined && said !== undefined && kept !== said)
      throw new ChainError("CHAIN_CHANGED", { url, before: kept, now: said });
    const chain = said ?? kept;
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
