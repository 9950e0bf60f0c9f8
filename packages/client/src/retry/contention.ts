import { ChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import type { ChainPlace } from "../gateway/network.ts";
import { aliveError } from "../life/alive-error.ts";
import { isAlive } from "../life/is-alive.ts";
import type { TrackedTransaction } from "../life/tracked-transaction.ts";
import { judge } from "./judge.ts";
import { equalsInTheWay, type Since, sinceSigned } from "./living-equal.ts";
import { replacementWords } from "./retry-messages.ts";

/** A transaction that is about to be sent, as it is held against all others. */
export interface Contender extends ChainPlace {
  readonly txId: TxId;
  readonly intent: Intent;
  /** The transaction that it takes the place of. */
  readonly replaces?: TxId;
  /** Equal transactions that the sender knows of and pays beside, and those that are on another chain for certain. */
  readonly acknowledged?: readonly string[];
  /** Those that were refused and looked for just now; see `Payment`. */
  readonly lookedFor?: readonly TxId[] | undefined;
  /** Since when its bytes may be out, where they were built elsewhere: what was executed after it counts too. */
  readonly since?: Since | undefined;
}

/** Which transaction stands in the way of another one, and the refusal to give for it. */
export interface Obstacle {
  readonly txId: TxId;
  readonly error: ChainError;
}

/**
 * What forbids to send a transaction: what it replaces may still be executed or has a replacement already, or an equal
 * one that the sender does not know of may be executed. Undefined when nothing does.
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
  if (replaced === by) return refused(by, replacementWords.sameBytes);
  const rival = replacementUnderWay(replaced, by, others);
  if (rival !== undefined) return refused(rival, replacementWords.underWay(rival));
  const predecessor = others.find((it) => it.txId === replaced);
  if (predecessor === undefined) return refused(replaced, replacementWords.notTracked);
  const { replacedBy } = predecessor;
  const { createReplacement } = judge(predecessor);
  if (createReplacement.allowed || replacedBy === by) return undefined;
  return refused(replacedBy ?? replaced, createReplacement.why);
}

/** Another transaction that was signed to take the place of one, and may be executed. */
export function replacementUnderWay(
  replaced: TxId,
  by: TxId | undefined,
  all: readonly TrackedTransaction[],
): TxId | undefined {
  return all.find((it) => it.txId !== by && it.replaces === replaced && isAlive(it))?.txId;
}

function obstacleOfEquals(contender: Contender, others: readonly TrackedTransaction[]): Obstacle | undefined {
  // Who does something again minds what did it meanwhile.
  const replaced = others.find((it) => it.txId === contender.replaces);
  const since = contender.since ?? (replaced && sinceSigned(replaced));
  const [duplicate] = equalsInTheWay(others, { ...contender, since });
  if (duplicate === undefined) return undefined;
  return { txId: duplicate.txId, error: aliveError(duplicate) };
}
