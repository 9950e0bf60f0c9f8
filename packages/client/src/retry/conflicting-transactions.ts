import { ChainError, isChainError } from "@finality/tron/errors";
import { BLOCK_INTERVAL_MS, type Hex, type TxId } from "@finality/tron/primitives";
import type { Intent, PermissionIntent } from "@finality/tron/transaction";
import type { Clock } from "../gateway/clock.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { isSameChain, mayBeSameChain, type NetworkRef } from "../gateway/network.ts";
import { REFERENCE_BLOCKS, type ReferenceAnswer, searchReference } from "../proof/inclusion-interval.ts";
import type { JournalEntry } from "../transaction-state/journal-entry.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import {
  conflictError,
  isDisputed,
  isUnconfirmedFailure,
  isUnsettled,
  isUnverifiedRejection,
} from "../transaction-state/transaction-conditions.ts";
import { querySolidified, queryWithFallbacks } from "../transaction-state/transaction-query.ts";
import { replacementTexts } from "./retry-messages.ts";
import { replacementPermission } from "./retry-policy.ts";

/**
 * Point in time of a signature: the solidified height before it, and the local time (Unix ms) for chains with other
 * heights.
 */
export interface Since {
  readonly height: number;
  readonly at: number;
}

/** Returns when a transaction was signed; undefined if it was not signed here. */
export function sinceSigned({ signed, createdAt }: TrackedTransaction): Since | undefined {
  if (signed?.shared === true) return sinceReference(signed.solidHeight, createdAt);
  return signed && { height: signed.solidHeight, at: createdAt };
}

/** Maximum time between a reference block and execution; ms. */
const REFERENCE_LIFETIME_MS = REFERENCE_BLOCKS * BLOCK_INTERVAL_MS;

/**
 * Returns the earliest time at which bytes from elsewhere may have been sent: the time of their reference block.
 *
 * @param height - Height of that block, or a lower one.
 * @param seenAt - Time when they were first seen here; local clock, Unix ms
 */
export function sinceReference(height: number, seenAt: number): Since {
  return { height, at: seenAt - REFERENCE_LIFETIME_MS };
}

/**
 * Returns the unsettled transactions that would make `intent` execute twice: same kind, parties and amounts, on a
 * network that may be the same chain under any name. A different memo, permission or fee limit does not make it a
 * different payment.
 *
 * @param since - Executions after this time count too, for callers that repeat a transaction that was signed then.
 */
export function unsettledEquals(
  all: readonly TrackedTransaction[],
  network: NetworkRef,
  intent: Intent,
  since?: Since,
): readonly TrackedTransaction[] {
  return equals(all, network, intent).filter(
    (it) => isUnsettled(it) || isDisputed(it) || (since !== undefined && wasExecutedAfter(it, network, since)),
  );
}

/** Payment that is about to be made. */
export interface IntendedPayment extends NetworkRef {
  /** Undefined if it is not built yet. */
  readonly txId?: TxId | undefined;
  readonly intent: Intent;
  /** Equal transactions, and equal ones that are verified to be on another chain. */
  readonly acknowledged?: readonly string[];
  /** First signing of the transaction that is repeated. */
  readonly since?: Since | undefined;
  /**
   * Equal transactions that were rejected and have just been rechecked. A rejection in another window between the
   * recheck and the journal entry also conflicts. Undefined if no recheck was made.
   */
  readonly rechecked?: readonly TxId[] | undefined;
}

/** Returns the equal transactions that conflict with a payment: all that its sender has not acknowledged. */
export function conflictsOf(
  all: readonly TrackedTransaction[],
  payment: IntendedPayment,
): readonly TrackedTransaction[] {
  const { intent, since, rechecked } = payment;
  const unsettled = unsettledEquals(all, payment, intent, since);
  const refused = rechecked === undefined ? [] : rejectedEquals(all, payment, intent);
  const unchecked = refused.filter((it) => !rechecked?.includes(it.txId) && !unsettled.includes(it));
  return [...unsettled, ...unchecked].filter(isUnknownTo(payment));
}

/** Returns a predicate that is true if a transaction is neither the payment itself nor acknowledged by its sender. */
function isUnknownTo({ txId: own, acknowledged = [] }: IntendedPayment): (it: TrackedTransaction) => boolean {
  return ({ txId }) => txId !== own && !acknowledged.includes(txId);
}

/**
 * Returns the equal transactions that a gateway refused, perhaps wrongly: they have to be queried before `intent` is
 * sent again.
 */
export function rejectedEquals(
  all: readonly TrackedTransaction[],
  network: NetworkRef,
  intent: Intent,
): readonly TrackedTransaction[] {
  return equals(all, network, intent).filter(isUnverifiedRejection);
}

/** Returns the failures that only one gateway reports: others are queried before `intent` is sent again. */
function failedEquals(
  all: readonly TrackedTransaction[],
  network: NetworkRef,
  intent: Intent,
): readonly TrackedTransaction[] {
  return equals(all, network, intent).filter(isUnconfirmedFailure);
}

/** Returns all transactions with an equal intent, in any transaction state. */
function equals(
  all: readonly TrackedTransaction[],
  network: NetworkRef,
  intent: Intent,
): readonly TrackedTransaction[] {
  const key = intentKey(intent);
  return all.filter(
    (it) => it.signed !== undefined && mayBeSameChain(it, network) && intentKey(it.signed.intent) === key,
  );
}

/**
 * Uses the chain's own heights if available: a payment that was final before another one was signed is a different
 * payment.
 */
function wasExecutedAfter(tracked: TrackedTransaction, network: NetworkRef, { height, at }: Since): boolean {
  const { state, changedAt } = tracked;
  if (state.kind !== "solidified" || state.outcome.kind !== "success") return false;
  return isSameChain(tracked, network) ? state.block.number > height : changedAt >= at;
}

/** Each payment is compared with all unsettled ones, so its comparison key is computed once. */
const keys = new WeakMap<Intent, string>();

/**
 * Returns the same text for two intents that would do the same thing twice. Fee limit, memo and permission are ignored,
 * and so is the notation: an omitted field equals the value that the bytes have in that case.
 */
export function intentKey(intent: Intent): string {
  const known = keys.get(intent) ?? printed(withDefaults(intent));
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

/** Default lock period of a delegation without one in its bytes: three days, in blocks. */
const DEFAULT_LOCK_PERIOD = 86_400n;

/** Adds the values that the bytes have for omitted fields, and removes what the chain ignores. */
function withDefaults(intent: Intent): Intent {
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

/** Transaction that is about to be sent, for the comparison with all others. */
export interface SubmissionCandidate extends NetworkRef {
  readonly txId: TxId;
  readonly intent: Intent;
  /** Transaction that it replaces. */
  readonly replaces?: TxId;
  /** Equal transactions that the sender accepts, and those that are certainly on another chain. */
  readonly acknowledged?: readonly string[];
  /** Refused transactions that were just rechecked; see `Payment`. */
  readonly rechecked?: readonly TxId[] | undefined;
  /** Earliest time at which its bytes may have been sent, if they were built elsewhere: later executions count too. */
  readonly since?: Since | undefined;
}

/** Transaction that prevents another one, and the error for it. */
export interface Conflict {
  readonly txId: TxId;
  readonly error: ChainError;
}

/**
 * Returns the conflict that forbids submitting a transaction; undefined if there is none. The replaced transaction may
 * still be executed or already has a replacement, or an equal transaction unknown to the sender may be executed.
 *
 * @param all - Every transaction that any window recorded before it.
 */
export function conflictWith(contender: SubmissionCandidate, all: readonly TrackedTransaction[]): Conflict | undefined {
  const { txId, replaces } = contender;
  const others = all.filter((it) => it.txId !== txId);
  const inTheWay = replaces === undefined ? undefined : replacementConflict(replaces, txId, others);
  return inTheWay ?? equalConflict(contender, others);
}

/** Returns the conflict that forbids a replacement; undefined if `by` may replace the transaction. */
export function replacementConflict(
  replaced: TxId,
  by: TxId,
  others: readonly TrackedTransaction[],
): Conflict | undefined {
  const refused = (txId: TxId, reason: string): Conflict => ({
    txId,
    error: new ChainError("REPLACEMENT_REFUSED", { txId: replaced, reason }),
  });
  if (replaced === by) return refused(by, replacementTexts.sameBytes);
  const rival = pendingReplacement(replaced, by, others);
  if (rival !== undefined) return refused(rival, replacementTexts.underWay(rival));
  const predecessor = others.find((it) => it.txId === replaced);
  if (predecessor === undefined) return refused(replaced, replacementTexts.notTracked);
  const { replacedBy } = predecessor;
  const replacement = replacementPermission(predecessor);
  if (replacement.allowed || replacedBy === by) return undefined;
  return refused(replacedBy ?? replaced, replacement.why);
}

/** Returns another transaction that was signed to replace one, and may be executed. */
export function pendingReplacement(
  replaced: TxId,
  by: TxId | undefined,
  all: readonly TrackedTransaction[],
): TxId | undefined {
  return all.find((it) => it.txId !== by && it.replaces === replaced && isUnsettled(it))?.txId;
}

function equalConflict(contender: SubmissionCandidate, others: readonly TrackedTransaction[]): Conflict | undefined {
  // A repeated transaction also conflicts with equal ones executed since it was first signed.
  const replaced = others.find((it) => it.txId === contender.replaces);
  const since = contender.since ?? (replaced && sinceSigned(replaced));
  const [duplicate] = conflictsOf(others, { ...contender, since });
  if (duplicate === undefined) return undefined;
  return { txId: duplicate.txId, error: conflictError(duplicate) };
}

/** Transactions that can be queried: the tracker. */
export interface TransactionLog {
  get(txId: TxId): TrackedTransaction | undefined;
  list(): readonly TrackedTransaction[];
  /** @throws {ChainError} the errors of the gateway */
  refresh(txId: TxId, signal?: AbortSignal): Promise<TrackedTransaction | undefined>;
  note(...facts: readonly JournalEntry[]): Promise<void>;
}

/** Intended transaction, as far as known. Without txID and bytes it is not built yet. */
export interface IntendedTransaction extends Omit<SubmissionCandidate, "txId" | "replaces"> {
  readonly txId?: TxId;
  readonly rawDataHex?: Hex;
  readonly since?: Since | undefined;
}

/** Equal transaction that counts on this chain. */
export interface Duplicate {
  readonly tracked: TrackedTransaction;
  readonly relation: Exclude<ChainRelation, "apart">;
}

/** Equal transactions that the sender has not acknowledged. */
export interface Duplicates {
  /** They may be executed, or were executed meanwhile, on what is or may be the same chain. */
  readonly conflicting: readonly Duplicate[];
  /** They are on another chain; this is certain if the bytes to sign were available for the query. */
  readonly onOtherChains: readonly TxId[];
}

/**
 * Finds transactions that would make the intended one a duplicate: unsettled ones, ones that a gateway rejected but has
 * after all, and failures reported by one gateway alone. Sends no request unless an equal transaction was rejected,
 * failed, or is on a network of another chain.
 */
export async function findDuplicates(
  log: TransactionLog,
  intended: IntendedTransaction,
  sources: ChainSources,
): Promise<Duplicates> {
  const refused = await recheckRejected(log, intended, sources);
  const failed = await unconfirmedFailures(log, intended, sources);
  const conflicts = conflictsOf(log.list(), intended);
  const conflicting: Duplicate[] = [];
  const onOtherChains: TxId[] = [];
  const others = [...refused, ...failed].filter(({ txId }) => conflicts.every((it) => it.txId !== txId));
  for (const tracked of [...conflicts, ...others]) {
    const relation = await relationOf(tracked, intended, sources);
    if (relation === "apart") onOtherChains.push(tracked.txId);
    else conflicting.push({ tracked, relation });
  }
  return { conflicting, onOtherChains };
}

/**
 * Returns the failed transactions that other sources should know but do not confirm. The answers of the sources are
 * recorded, so that the query is not repeated.
 */
async function unconfirmedFailures(
  log: TransactionLog,
  intended: IntendedTransaction,
  sources: ChainSources,
): Promise<readonly TrackedTransaction[]> {
  const failed = failedEquals(log.list(), intended, intended.intent).filter(isUnknownTo(intended));
  const answers = await Promise.all(failed.map((it) => queryOutcomesElsewhere(it, intended, sources)));
  await log.note(...answers.flatMap(({ facts }) => facts));
  return failed.filter((_, index) => answers[index]?.isOpen === true);
}

/**
 * Queries every equal transaction that a gateway refused, because the refusal is only its claim and the bytes may still
 * be valid. Call it before anything with the same effect is signed, and before it is sent.
 *
 * @returns those that exist after all, and those that cannot be queried now and are `rejected` still; empty if nothing
 *   was found
 */
export async function recheckRejected(
  log: TransactionLog,
  intended: IntendedTransaction,
  sources: ChainSources,
): Promise<readonly TrackedTransaction[]> {
  const refused = rejectedEquals(log.list(), intended, intended.intent).filter(isUnknownTo(intended));
  const queried = await Promise.all(
    refused.map(({ txId }) => recheck(log, txId, { network: intended.network, sources })),
  );
  return queried.filter((it) => it !== undefined);
}

async function recheck(
  log: TransactionLog,
  txId: TxId,
  { network, sources }: { readonly network: string; readonly sources: ChainSources },
): Promise<TrackedTransaction | undefined> {
  const { signal } = sources;
  try {
    const tracked = await log.refresh(txId, signal);
    if (tracked?.state.kind !== "rejected" && tracked?.state.kind !== "replaced") return tracked;
    return (await isOn(network, tracked, sources)) ? tracked : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!isChainError(error)) throw error;
    return log.get(txId);
  }
}

/**
 * Returns true if the network of the payment has a transaction that was rejected on another network. The rejecting
 * network alone may have reported a false result.
 */
async function isOn(network: string, tracked: TrackedTransaction, sources: ChainSources): Promise<boolean> {
  if (sources.networkOf(tracked) === network) return false;
  const [gateway, ...others] = await sources.urlsOf(network);
  if (gateway === undefined) return false;
  return (await queryWithFallbacks(tracked, { ...sources, gateway }, async () => others)).length > 0;
}

/** Gateways to query about the chains of networks. */
export interface ChainSources {
  /**
   * Every URL of a network by itself, its own first.
   *
   * @throws {ChainError} if the network was removed, or cannot be used now
   */
  readonly urlsOf: (network: string) => Promise<readonly Gateway[]>;
  /** Returns the current name of a transaction's network. */
  readonly networkOf: (network: NetworkRef) => string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Relation of two chains. `unknown`: no gateway could tell, so it counts as the same chain. */
export type ChainRelation = "same" | "apart" | "unknown";

const RELATION: { readonly [answer in ReferenceAnswer]: ChainRelation } = {
  there: "same",
  "not-there": "apart",
  unknown: "unknown",
};

/**
 * Returns the chain relation of a transaction whose network reports another chain. An adversarial gateway can report
 * any genesis block, but no two chains share a reference block. The transaction's is searched on the network `here`,
 * that of the bytes to be signed on the transaction's network. If one of the two is honest, it finds the other's block.
 *
 * @param here - Network of the action, with its bytes once they are built.
 */
export async function relationOf(
  other: TrackedTransaction,
  here: NetworkRef & { readonly rawDataHex?: Hex | undefined },
  sources: ChainSources,
): Promise<ChainRelation> {
  if (other.signed === undefined || isSameChain(other, here)) return "same";
  const answer = await findReferenceOn(here.network, other.signed.rawDataHex, sources);
  if (answer !== "not-there" || here.rawDataHex === undefined) return RELATION[answer];
  return RELATION[await findReferenceOn(sources.networkOf(other), here.rawDataHex, sources)];
}

/** Returns the URLs of a network; none if it was removed, or cannot be used now. */
async function gatewaysOf(network: string, { urlsOf, signal }: ChainSources): Promise<readonly Gateway[]> {
  return await urlsOf(network).catch((error: unknown) => {
    signal.throwIfAborted();
    if (isChainError(error)) return [];
    throw error;
  });
}

/** Every URL of the network must report that the block is missing. */
async function findReferenceOn(network: string, rawDataHex: Hex, sources: ChainSources): Promise<ReferenceAnswer> {
  const urls = await gatewaysOf(network, sources);
  const query = { now: sources.clock.now(), signal: sources.signal };
  const answers = await Promise.all(urls.map((it) => searchReference(it, rawDataHex, query)));
  if (answers.includes("there")) return "there";
  return answers.length === 0 || answers.includes("unknown") ? "unknown" : "not-there";
}

/**
 * Queries other gateways about a transaction reported as failed before it is repeated. A receipt is in no block hash,
 * so a failure is easily forged. The others are the further URLs of its network, and the network of the payment.
 *
 * @returns their answers, to be recorded, and whether one of them should know the transaction but does not report it.
 *   Without other gateways there is none to ask.
 */
async function queryOutcomesElsewhere(
  tracked: TrackedTransaction,
  here: NetworkRef,
  sources: ChainSources,
): Promise<{ readonly facts: readonly JournalEntry[]; readonly isOpen: boolean }> {
  const own = sources.networkOf(tracked);
  const further = (await gatewaysOf(own, sources)).slice(1);
  const elsewhere = own === here.network ? [] : await gatewaysOf(here.network, sources);
  const answers = await Promise.all([...further, ...elsewhere].map((it) => queryOutcomeAt(tracked, it, sources)));
  const facts = answers.flat();
  const shouldKnow = further.length + (isSameChain(tracked, here) ? elsewhere.length : 0);
  return { facts, isOpen: shouldKnow > 0 && facts.length === 0 };
}

/** A gateway that does not answer proves nothing. */
async function queryOutcomeAt(
  { txId }: TrackedTransaction,
  gateway: Gateway,
  { clock, signal }: ChainSources,
): Promise<readonly JournalEntry[]> {
  const { endpoint } = gateway;
  try {
    const facts = await querySolidified(txId, { gateway, clock, signal });
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
