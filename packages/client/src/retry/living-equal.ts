import { BLOCK_INTERVAL_MS, type TxId } from "@finality/tron/primitives";
import type { Intent, PermissionIntent } from "@finality/tron/transaction";
import { type ChainPlace, isSameChain, mayBeSameChain } from "../gateway/network.ts";
import { isDisputed, isFailedByOneWord } from "../life/disputed.ts";
import { isAlive } from "../life/is-alive.ts";
import { isOnlyRefused } from "../life/only-refused.ts";
import type { TrackedTransaction } from "../life/tracked-transaction.ts";
import { REFERENCE_BLOCKS } from "../proof/inclusion-interval.ts";

/**
 * When something was signed: the solidified height before, and the local time, Unix ms, for chains that have other
 * heights.
 */
export interface Since {
  readonly height: number;
  readonly at: number;
}

/** Undefined for what was not signed here. */
export function sinceSigned({ signed, createdAt }: TrackedTransaction): Since | undefined {
  if (signed?.shared === true) return sinceReference(signed.solidHeight, createdAt);
  return signed && { height: signed.solidHeight, at: createdAt };
}

/** Bytes can be executed so long after their reference block; ms. */
const REFERENCE_LIFE_MS = REFERENCE_BLOCKS * BLOCK_INTERVAL_MS;

/**
 * Returns since when bytes may be out that were built elsewhere: since their reference block.
 *
 * @param height - of that block, or a lower one
 * @param seenAt - when they were seen here first; local clock, Unix ms
 */
export function sinceReference(height: number, seenAt: number): Since {
  return { height, at: seenAt - REFERENCE_LIFE_MS };
}

/**
 * The transactions that would make `intent` happen twice: on what may be the same chain, whatever its network is
 * called, same kind, same parties and amounts, and not at an end yet. A memo, a permission or a fee limit does not make
 * a payment another payment.
 *
 * @param since - what was executed after it counts too. For whoever repeats something that was signed then
 */
export function livingEquals(
  all: readonly TrackedTransaction[],
  place: ChainPlace,
  intent: Intent,
  since?: Since,
): readonly TrackedTransaction[] {
  return equals(all, place, intent).filter(
    (it) => isAlive(it) || isDisputed(it) || (since !== undefined && wasExecutedAfter(it, place, since)),
  );
}

/** What is about to be done. */
export interface Payment extends ChainPlace {
  /** Absent while it is not built. */
  readonly txId?: TxId | undefined;
  readonly intent: Intent;
  /** Equal transactions that the sender knows of, and those that are on another chain for certain. */
  readonly acknowledged?: readonly string[];
  /** For whoever does something again: when it was signed first. */
  readonly since?: Since | undefined;
  /**
   * Equal transactions that were refused and looked for just now. What is refused between that look and the line in the
   * journal, in another window, is in the way as well. Absent where nobody looked.
   */
  readonly lookedFor?: readonly TxId[] | undefined;
}

/** The equals that the sender of a payment does not know of, itself left out: each of them is in its way. */
export function equalsInTheWay(all: readonly TrackedTransaction[], payment: Payment): readonly TrackedTransaction[] {
  const { intent, since, lookedFor } = payment;
  const living = livingEquals(all, payment, intent, since);
  const refused = lookedFor === undefined ? [] : refusedEquals(all, payment, intent);
  const unlooked = refused.filter((it) => !lookedFor?.includes(it.txId) && !living.includes(it));
  return [...living, ...unlooked].filter(isUnknownTo(payment));
}

/** Whether a transaction is neither the payment itself nor one that its sender knows of. */
export function isUnknownTo({
  txId: own,
  acknowledged = [],
}: Pick<Payment, "txId" | "acknowledged">): (it: TrackedTransaction) => boolean {
  return ({ txId }) => txId !== own && !acknowledged.includes(txId);
}

/**
 * Those that would do so if a gateway that refused them was wrong: they have to be looked for before `intent` is done
 * again.
 */
export function refusedEquals(
  all: readonly TrackedTransaction[],
  place: ChainPlace,
  intent: Intent,
): readonly TrackedTransaction[] {
  return equals(all, place, intent).filter(isOnlyRefused);
}

/** Those that failed, as one gateway alone says: others are asked before `intent` is done again. */
export function failedEquals(
  all: readonly TrackedTransaction[],
  place: ChainPlace,
  intent: Intent,
): readonly TrackedTransaction[] {
  return equals(all, place, intent).filter(isFailedByOneWord);
}

/** What does the same, whatever became of it. */
function equals(all: readonly TrackedTransaction[], place: ChainPlace, intent: Intent): readonly TrackedTransaction[] {
  const wanted = intentKey(intent);
  return all.filter(
    (it) => it.signed !== undefined && mayBeSameChain(it, place) && intentKey(it.signed.intent) === wanted,
  );
}

/**
 * By the chain's own heights where they are its own: a payment that was final before another one was signed is another
 * payment.
 */
function wasExecutedAfter(tracked: TrackedTransaction, place: ChainPlace, { height, at }: Since): boolean {
  const { state, changedAt } = tracked;
  if (state.kind !== "solidified" || state.outcome.kind !== "success") return false;
  return isSameChain(tracked, place) ? state.block.number > height : changedAt >= at;
}

/** Each payment is compared with all that are alive: what they are compared by is worked out once. */
const keys = new WeakMap<Intent, string>();

/**
 * The same text for two intents that would do the same thing twice. What they may spend on it makes no difference, nor
 * do a memo and a permission, nor how it is written: what is left out is the same as the value that the bytes have
 * then.
 */
export function intentKey(intent: Intent): string {
  const known = keys.get(intent) ?? printed(spelledOut(intent));
  keys.set(intent, known);
  return known;
}

function printed({ memo: _memo, permissionId: _permissionId, ...intent }: Intent): string {
  const { feeLimit: _feeLimit, ...what } = { feeLimit: undefined, ...intent };
  return JSON.stringify(what, (_key, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    if (typeof value === "string") return value.toWellFormed();
    return isRecord(value) ? sorted(value) : value;
  });
}

/** Blocks for which a delegation is locked whose bytes give none: three days. */
const DEFAULT_LOCK_PERIOD = 86_400n;

/** With the values that the bytes have where an intent leaves them out, and without what the chain ignores. */
function spelledOut(intent: Intent): Intent {
  switch (intent.kind) {
    case "contract-call":
      return { ...intent, tokenId: intent.tokenId ?? 0n, tokenValue: intent.tokenValue ?? 0n };
    case "delegate": {
      const { ignoredLockPeriod: _ignored, lockPeriod, ...what } = intent;
      if (lockPeriod === undefined) return what;
      return { ...what, lockPeriod: lockPeriod === 0n ? DEFAULT_LOCK_PERIOD : lockPeriod };
    }
    case "vote": {
      const { ignoredSupport: _ignored, ...what } = intent;
      return { ...what, votes: intent.votes.toSorted((a, b) => (a.witness < b.witness ? -1 : 1)) };
    }
    case "permission-update": {
      const { ownerPermission, witnessPermission: witness, activePermissions } = intent;
      return {
        ...intent,
        ownerPermission: withMask(ownerPermission),
        ...(witness === undefined ? {} : { witnessPermission: withMask(witness) }),
        activePermissions: activePermissions.map(withMask),
      };
    }
    default:
      return intent;
  }
}

function withMask(permission: PermissionIntent): PermissionIntent {
  return { ...permission, operations: permission.operations ?? NO_MASK };
}

const NO_MASK = "" as NonNullable<PermissionIntent["operations"]>;

function sorted(record: object): object {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
