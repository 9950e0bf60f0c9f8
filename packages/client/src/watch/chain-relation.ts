import { isChainError } from "@finality/tron/errors";
import type { Hex } from "@finality/tron/primitives";
import type { Clock } from "../gateway/clock.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { type ChainPlace, isSameChain } from "../gateway/network.ts";
import type { TrackedTransaction } from "../life/tracked-transaction.ts";
import { type ReferenceAnswer, searchReference } from "../proof/reference-search.ts";

/** Whom to ask about the chains of networks. */
export interface ChainSources {
  /** Every URL of a network by itself, its own first. @throws {ChainError} when it is gone, or cannot be used now */
  readonly urlsOf: (network: string) => Promise<readonly Gateway[]>;
  /** The name under which the network of a transaction is asked for now. */
  readonly networkOf: (place: ChainPlace) => string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** `untold`: nobody could say, so it counts as the same chain. */
export type ChainRelation = "same" | "apart" | "untold";

const RELATION: { readonly [answer in ReferenceAnswer]: ChainRelation } = {
  there: "same",
  "not-there": "apart",
  untold: "untold",
};

/**
 * Whether a transaction of a network that says to be another chain is on another one. A gateway that lies can name any
 * genesis block, but no two chains hold the same reference block: that of the transaction is looked for on the network
 * here, that of the bytes that are to be signed on the network of the transaction. Where one of the two is honest, it
 * finds the block of the other.
 *
 * @param here - where something is to be done, with its bytes as soon as they are built
 */
export async function relationOf(
  other: TrackedTransaction,
  here: ChainPlace & { readonly rawDataHex?: Hex | undefined },
  sources: ChainSources,
): Promise<ChainRelation> {
  if (other.signed === undefined || isSameChain(other, here)) return "same";
  const answer = await askNetwork(here.network, other.signed.rawDataHex, sources);
  if (answer !== "not-there" || here.rawDataHex === undefined) return RELATION[answer];
  return RELATION[await askNetwork(sources.networkOf(other), here.rawDataHex, sources)];
}

/** The URLs of a network; none when it is gone, or cannot be used now. */
export async function urlsThere(
  network: string,
  { urlsOf, signal }: Pick<ChainSources, "urlsOf" | "signal">,
): Promise<readonly Gateway[]> {
  return await urlsOf(network).catch((error: unknown) => {
    signal.throwIfAborted();
    if (isChainError(error)) return [];
    throw error;
  });
}

/** Every URL of the network has to say that the block is not there. */
async function askNetwork(network: string, rawDataHex: Hex, sources: ChainSources): Promise<ReferenceAnswer> {
  const urls = await urlsThere(network, sources);
  const asked = { now: sources.clock.now(), signal: sources.signal };
  const answers = await Promise.all(urls.map((it) => searchReference(it, rawDataHex, asked)));
  if (answers.includes("there")) return "there";
  return answers.length === 0 || answers.includes("untold") ? "untold" : "not-there";
}
