import { isChainError } from "@finality/tron/errors";
import type { Gateway } from "../gateway/gateway.ts";
import { type ChainPlace, isSameChain } from "../gateway/network.ts";
import type { JournalEntry } from "../life/journal-entry.ts";
import type { TrackedTransaction } from "../life/tracked-transaction.ts";
import { type ChainSources, urlsThere } from "./chain-relation.ts";
import { lookUpInSolid } from "./look-up.ts";

/**
 * Asks others about a transaction that failed, as its gateway says, before it is done once more: a receipt is in no
 * hash of a block, so a failure is easily made up. The others are the further URLs of its network, and the network that
 * is to be paid on.
 *
 * @returns what they say, to be noted, and whether one of them should know and does not say. With no others there is
 *   nobody to ask
 */
export async function askSecondWord(
  tracked: TrackedTransaction,
  here: ChainPlace,
  sources: ChainSources,
): Promise<{ readonly facts: readonly JournalEntry[]; readonly isOpen: boolean }> {
  const own = sources.networkOf(tracked);
  const further = (await urlsThere(own, sources)).slice(1);
  const elsewhere = own === here.network ? [] : await urlsThere(here.network, sources);
  const answers = await Promise.all([...further, ...elsewhere].map((it) => ask(tracked, it, sources)));
  const facts = answers.flat();
  const shouldKnow = further.length + (isSameChain(tracked, here) ? elsewhere.length : 0);
  return { facts, isOpen: shouldKnow > 0 && facts.length === 0 };
}

/** One that does not answer says nothing. */
async function ask(
  { txId }: TrackedTransaction,
  gateway: Gateway,
  { clock, signal }: ChainSources,
): Promise<readonly JournalEntry[]> {
  const { endpoint } = gateway;
  try {
    const facts = await lookUpInSolid(txId, { gateway, clock, signal });
    return facts.flatMap((it) => (it.kind === "solidified" ? [claimedOutcome(it, endpoint)] : [it]));
  } catch (error) {
    signal.throwIfAborted();
    if (!isChainError(error)) throw error;
    return [];
  }
}

function claimedOutcome(
  { txId, at, outcome }: Extract<JournalEntry, { kind: "solidified" }>,
  endpoint: string,
): JournalEntry {
  return { kind: "outcome-told", txId, at, endpoint, outcome };
}
