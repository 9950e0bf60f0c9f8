import { isChainError } from "@finality/tron/errors";
import type { Hex, TxId } from "@finality/tron/primitives";
import type { JournalEntry } from "../life/journal-entry.ts";
import type { TrackedTransaction } from "../life/tracked-transaction.ts";
import type { Contender } from "../retry/contention.ts";
import { equalsInTheWay, failedEquals, isUnknownTo, refusedEquals, type Since } from "../retry/living-equal.ts";
import { type ChainRelation, type ChainSources, relationOf } from "./chain-relation.ts";
import { lookUpOrElsewhere } from "./look-up.ts";
import { askSecondWord } from "./second-word.ts";

/** Where a transaction can be looked for: the tracker. */
export interface LookLog {
  get(txId: TxId): TrackedTransaction | undefined;
  list(): readonly TrackedTransaction[];
  /** @throws {ChainError} what the gateway says */
  lookNow(txId: TxId, signal?: AbortSignal): Promise<TrackedTransaction | undefined>;
  note(...facts: readonly JournalEntry[]): Promise<void>;
}

/** What is to be done, as far as it is known: without txID and bytes it is not built yet. */
export interface Intended extends Omit<Contender, "txId" | "replaces"> {
  readonly txId?: TxId;
  readonly rawDataHex?: Hex;
  readonly since?: Since | undefined;
}

/** An equal transaction that counts on this chain. */
export interface Duplicate {
  readonly tracked: TrackedTransaction;
  readonly relation: Exclude<ChainRelation, "apart">;
}

/** The equal transactions that the sender does not know of. */
export interface Duplicates {
  /** They may be executed, or were meanwhile, on what is or may be the same chain. */
  readonly inTheWay: readonly Duplicate[];
  /** They are on another chain: for certain when the bytes that are to be signed were there to ask with. */
  readonly apart: readonly TxId[];
}

/**
 * Looks for what would happen twice if something was done: what may still be executed, what a gateway refused and has
 * after all, and what failed as one gateway alone says. Costs no request unless there is an equal one that was refused
 * or failed, or that is on a network of another chain.
 */
export async function duplicatesOf(log: LookLog, intended: Intended, sources: ChainSources): Promise<Duplicates> {
  const refused = await lookForRefused(log, intended, sources);
  const failed = await openFailures(log, intended, sources);
  const living = equalsInTheWay(log.list(), intended);
  const inTheWay: Duplicate[] = [];
  const apart: TxId[] = [];
  const others = [...refused, ...failed].filter(({ txId }) => living.every((it) => it.txId !== txId));
  for (const tracked of [...living, ...others]) {
    const relation = await relationOf(tracked, intended, sources);
    if (relation === "apart") apart.push(tracked.txId);
    else inTheWay.push({ tracked, relation });
  }
  return { inTheWay, apart };
}

/** Those that failed, where others should know and do not say so. What they say is noted, so that nobody asks again. */
async function openFailures(
  log: LookLog,
  intended: Intended,
  sources: ChainSources,
): Promise<readonly TrackedTransaction[]> {
  const failed = failedEquals(log.list(), intended, intended.intent).filter(isUnknownTo(intended));
  const asked = await Promise.all(failed.map((it) => askSecondWord(it, intended, sources)));
  await log.note(...asked.flatMap(({ facts }) => facts));
  return failed.filter((_, index) => asked[index]?.isOpen === true);
}

/**
 * Looks once more for every equal transaction that a gateway refused: that nothing was executed is its word alone, and
 * its bytes may be valid still. To be done before anything of the same effect is signed, and before it leaves.
 *
 * @returns those that are there after all, and those that cannot be looked for now and are `rejected` still. Empty when
 *   nothing was found
 */
export async function lookForRefused(
  log: LookLog,
  intended: Intended,
  sources: ChainSources,
): Promise<readonly TrackedTransaction[]> {
  const refused = refusedEquals(log.list(), intended, intended.intent).filter(isUnknownTo(intended));
  const looked = await Promise.all(refused.map(({ txId }) => look(log, txId, { network: intended.network, sources })));
  return looked.filter((it) => it !== undefined);
}

async function look(
  log: LookLog,
  txId: TxId,
  { network, sources }: { readonly network: string; readonly sources: ChainSources },
): Promise<TrackedTransaction | undefined> {
  const { signal } = sources;
  try {
    const tracked = await log.lookNow(txId, signal);
    if (tracked?.state.kind !== "rejected" && tracked?.state.kind !== "replaced") return tracked;
    return (await isOn(network, tracked, sources)) ? tracked : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!isChainError(error)) throw error;
    return log.get(txId);
  }
}

/**
 * Whether the network that is to be paid on shows it, where it was refused on another one: that one alone may have
 * lied.
 */
async function isOn(network: string, tracked: TrackedTransaction, sources: ChainSources): Promise<boolean> {
  if (sources.networkOf(tracked) === network) return false;
  const [gateway, ...others] = await sources.urlsOf(network);
  if (gateway === undefined) return false;
  return (await lookUpOrElsewhere(tracked, { ...sources, gateway }, async () => others)).length > 0;
}
