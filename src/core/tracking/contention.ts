import { ChainError } from "../errors/chain-error.ts";
import type { TxId } from "../primitives/hash.ts";
import { livingEquals } from "../replacement/living-equal.ts";
import { mayReplace } from "../replacement/safe-replacement.ts";
import type { Intent } from "../transaction/intent.ts";
import { isAlive } from "./possible-actions.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** A transaction that is about to be sent, as it is held against all others. */
export interface Contender {
  readonly txId: TxId;
  readonly network: string;
  readonly intent: Intent;
  /** The transaction that it takes the place of. */
  readonly replaces?: TxId;
  /** Equal transactions that the sender knows of and pays beside. */
  readonly acknowledged?: readonly TxId[];
}

/** Which transaction stands in the way of another one, and the refusal to give for it. */
export interface Obstacle {
  readonly txId: TxId;
  readonly error: ChainError;
}

/**
 * What forbids to send a transaction: what it replaces may still be executed or has a replacement already, or an equal one that the
 * sender does not know of may be executed. Undefined when nothing does.
 *
 * @param all - every transaction that was written down before it, by any window
 */
export function obstacleTo(contender: Contender, all: readonly TrackedTransaction[]): Obstacle | undefined {
  const { txId, replaces } = contender;
  const others = all.filter((it) => it.txId !== txId);
  const inTheWay = replaces === undefined ? undefined : obstacleToReplacement(replaces, txId, others);
  return inTheWay ?? obstacleOfEquals(contender, others);
}

/** Why nothing may take the place of a transaction; undefined when `by` may. */
export function obstacleToReplacement(
  replaced: TxId,
  by: TxId,
  others: readonly TrackedTransaction[],
): Obstacle | undefined {
  const refused = (txId: TxId, reason: string): Obstacle => ({
    txId,
    error: new ChainError("REPLACEMENT_REFUSED", { txId: replaced, reason }),
  });
  if (replaced === by) return refused(by, "These are the same bytes.");
  const rival = replacementUnderWay(replaced, by, others);
  if (rival !== undefined) return refused(rival, `Another window has begun to replace it by ${rival}.`);
  const predecessor = others.find((it) => it.txId === replaced);
  const verdict = predecessor === undefined ? undefined : mayReplace(predecessor);
  if (verdict?.kind === "yes" || predecessor?.replacedBy === by) return undefined;
  return refused(predecessor?.replacedBy ?? replaced, verdict?.why ?? "It is not tracked here.");
}

/** Another transaction that was signed to take the place of one, and may be executed. */
export function replacementUnderWay(
  replaced: TxId,
  by: TxId | undefined,
  all: readonly TrackedTransaction[],
): TxId | undefined {
  return all.find((it) => it.txId !== by && it.replaces === replaced && isAlive(it))?.txId;
}

function obstacleOfEquals(
  { network, intent, replaces, acknowledged = [] }: Contender,
  others: readonly TrackedTransaction[],
): Obstacle | undefined {
  // Who does something again minds what did it meanwhile.
  const since = others.find((it) => it.txId === replaces)?.signed?.solidHeight;
  const twin = livingEquals(others, network, intent, since).find((it) => !acknowledged.includes(it.txId));
  if (twin === undefined) return undefined;
  const { txId, state } = twin;
  return { txId, error: new ChainError("EQUAL_TRANSACTION_ALIVE", { txId, state: state.kind }) };
}
