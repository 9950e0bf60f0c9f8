import { ChainError, isChainError } from "@finality/tron/errors";
import { codeMeant } from "@finality/tron/node-messages";
import { type Address, defined, hexToBytes, type TxId, transactionId } from "@finality/tron/primitives";
import type { SignedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { Clock } from "../gateway/clock.ts";
import type { BroadcastAnswer, BroadcastOutcome, Gateway } from "../gateway/gateway.ts";
import type { NetworkRef } from "../gateway/network.ts";
import {
  conflictWith,
  pendingReplacement,
  replacementConflict,
  type Since,
  sinceReference,
} from "../retry/conflicting-transactions.ts";
import { type DecisionContext, decideActions, resendRefusal } from "../retry/permitted-actions.ts";
import { resendTexts } from "../retry/retry-messages.ts";
import type { EntryOf } from "../transaction-state/history.ts";
import type { JournalEntry, RecordedOutcome } from "../transaction-state/journal-entry.ts";
import type { SignedPart, TrackedTransaction } from "../transaction-state/tracked-transaction.ts";

/** Store of the attempts: the tracker. */
interface SubmissionLog {
  get(txId: TxId): TrackedTransaction | undefined;
  list(): readonly TrackedTransaction[];
  /**
   * Resolves when the entries are on disk and everything that other windows wrote before is known.
   *
   * @returns the transactions whose signed bytes were written after these entries
   * @throws {ChainError} `JOURNAL_UNWRITABLE`, `JOURNAL_LOST`, `JOURNAL_NEWER`
   */
  claim(...entries: readonly JournalEntry[]): Promise<ReadonlySet<TxId>>;
  /** Stored in memory even if the disk refuses it. */
  note(...facts: readonly JournalEntry[]): Promise<void>;
}

export interface SubmissionServices {
  readonly log: SubmissionLog;
  readonly gateway: Gateway;
  readonly clock: Clock;
}

/** Known data about a transaction besides its signed bytes. */
export interface SubmissionContext
  extends NetworkRef,
    Pick<SignedPart, "intent" | "expiration" | "solidHeight" | "estimatedEnergy" | "functionSignature" | "proposal"> {
  readonly label?: string;
  /** Signers of the signatures, if the bytes are also stored elsewhere; see the journal. */
  readonly signers?: readonly Address[];
  /** Transaction that this one replaces. */
  readonly replaces?: TxId;
  /**
   * Equal transactions that may still be executed and that the sender acknowledges, or that are certainly on another
   * chain.
   */
  readonly acknowledged?: readonly TxId[];
  /** Refused transactions that were just rechecked. */
  readonly rechecked?: readonly TxId[];
}

/** Known data about bytes that are exported to a file or were imported from one. */
export interface StoredContext extends SubmissionContext {
  /** True if the bytes were built just now: until they are stored, no other party has them. */
  readonly isNew?: boolean;
  /** Weight of the signatures; see the journal. */
  readonly quorum?: NonNullable<EntryOf<"signed">["quorum"]>;
}

type KnownEquals = Pick<DecisionContext, "acknowledged" | "rechecked">;

/** Result of sending the same bytes again. A refusal states its reason as a sentence. */
export type Resubmission =
  | { readonly kind: "sent"; readonly tracked: TrackedTransaction }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Stores the signed bytes on disk, records the attempt, broadcasts, then records the answer. After that even an abort
 * ends as a state, not an exception. Other signatures of a txID are stored beside earlier ones. The line is a claim: of
 * concurrent windows with equal payments or replacements, only the first line sends. A replacement is recorded at its
 * predecessor before its first byte leaves, so the old bytes are never resent.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` if the txID does not belong to the bytes, `REPLACEMENT_REFUSED` if the
 *   replaced transaction may still be executed, `EQUAL_TRANSACTION_ALIVE` if an equal one that was not acknowledged may
 *   be, `JOURNAL_UNWRITABLE`, `JOURNAL_LOST`, `JOURNAL_NEWER`; nothing was sent then
 */
export async function submitTransaction(
  services: SubmissionServices,
  transaction: SignedTransaction,
  context: SubmissionContext,
  signal?: AbortSignal,
): Promise<TrackedTransaction> {
  const { txId, rawDataHex, signatures } = transaction;
  signal?.throwIfAborted();
  if (transactionId(hexToBytes(rawDataHex)) !== txId) {
    throw new ChainError("TRANSACTION_MALFORMED", { reason: t`its txID is not the hash of its bytes` });
  }
  await claim(services, { txId, rawDataHex, signatures }, context);
  if (signal?.aborted === true) return known(services.log, txId);
  return deliver(services, transaction, await begin(services, txId), signal);
}

/**
 * Sends signed bytes that the journal has. The caller has verified that nothing conflicts with them: a run by the fence
 * of its row.
 *
 * @throws {ChainError} `JOURNAL_UNWRITABLE`, `JOURNAL_LOST`, `JOURNAL_NEWER`; nothing was sent then
 */
export async function sendStored(
  services: SubmissionServices,
  transaction: SignedTransaction,
): Promise<TrackedTransaction> {
  const number = await begin(services, transaction.txId);
  return await deliver(services, transaction, number, undefined);
}

/**
 * Stores bytes that are exported or imported, with their signatures. Sends nothing. As with `submitTransaction` the
 * line is a claim.
 *
 * @throws {ChainError} as `submitTransaction`; nothing may leave then
 */
export async function storeTransaction(
  services: Omit<SubmissionServices, "gateway">,
  { txId, rawDataHex, signatures }: SignedTransaction,
  context: StoredContext,
): Promise<TrackedTransaction> {
  const transaction = { txId, rawDataHex, signatures };
  const since = context.isNew === true ? undefined : sinceReference(context.solidHeight, services.clock.now());
  await claim(services, transaction, context, since);
  const stored = known(services.log, txId).signed?.signatures ?? [];
  // Another window, with a clock that is ahead, signed again meanwhile and superseded these signatures.
  if (!signatures.every((it) => stored.includes(it))) {
    await claim(services, transaction, context, since);
  }
  return known(services.log, txId);
}

/**
 * Stores the signed bytes, unless another transaction conflicts with them. A conflict that appears only then replaces
 * them: they never leave. Bytes that others have may still be executed, and stay.
 */
async function claim(
  { log, clock }: Omit<SubmissionServices, "gateway">,
  transaction: SignedTransaction,
  { acknowledged = [], rechecked, isNew = false, ...context }: StoredContext,
  since?: Since,
): Promise<void> {
  const { txId } = transaction;
  const contender = { txId, acknowledged, rechecked, since, ...context };
  const early = conflictWith(contender, log.list());
  if (early !== undefined) throw early.error;
  const behind = await log.claim({ kind: "signed", at: clock.now(), ...transaction, ...context });
  const ahead = log.list().filter((it) => !behind.has(it.txId));
  const obstacle = conflictWith(contender, ahead);
  if (obstacle === undefined) return;
  const { state, signed } = known(log, txId);
  if (state.kind === "signed" && (isNew || signed?.shared !== true)) {
    await log.note({ kind: "replaced", txId, at: clock.now(), by: obstacle.txId });
  }
  throw obstacle.error;
}

/**
 * Sends the same bytes to a gateway again. It never builds, signs or changes anything, so it cannot pay twice by
 * itself. After the attempt is recorded and before the bytes leave, it checks that no other window replaced the
 * transaction or sent an equal one meanwhile.
 *
 * @param options - Equal transactions that the sender acknowledges, and those that were rechecked.
 * @throws {ChainError} `JOURNAL_UNWRITABLE`, `JOURNAL_LOST`, `JOURNAL_NEWER`; nothing was sent then
 */
export async function resubmitTransaction(
  services: SubmissionServices,
  txId: TxId,
  { signal, ...known }: KnownEquals & { readonly signal?: AbortSignal | undefined } = {},
): Promise<Resubmission> {
  signal?.throwIfAborted();
  const tracked = services.log.get(txId);
  const early = tracked === undefined ? resendTexts.notTracked : resendObstacle(tracked, known, services.log);
  if (tracked?.signed === undefined || early !== undefined) {
    return { kind: "refused", reason: early ?? resendTexts.bytesGone };
  }
  const { rawDataHex, signatures } = tracked.signed;
  const number = await begin(services, txId);
  const late = resendObstacle(tracked, known, services.log);
  if (late !== undefined) return await refuseResend(services, txId, number, late);
  return { kind: "sent", tracked: await deliver(services, { txId, rawDataHex, signatures }, number, signal) };
}

/**
 * Queries the chain time for refused bytes before they are sent again: once they have expired, no node accepts them any
 * more. Records the answer.
 */
export async function checkExpiry({ log, gateway, clock }: SubmissionServices, txId: TxId): Promise<void> {
  const tracked = log.get(txId);
  if (tracked?.signed === undefined || tracked.state.kind !== "rejected") return;
  const time = await headTimeOf(gateway, undefined);
  if (time === undefined || time < tracked.signed.expiration) return;
  await log.note({ kind: "head-time", txId, at: clock.now(), time });
}

/** Records that no bytes left after all, so that no caller waits for an answer. */
async function refuseResend(
  services: SubmissionServices,
  txId: TxId,
  attempt: number,
  reason: string,
): Promise<Resubmission> {
  await noteNothingLeft(services, txId, attempt, reason);
  return { kind: "refused", reason };
}

async function noteNothingLeft(
  { log, gateway, clock }: SubmissionServices,
  txId: TxId,
  attempt: number,
  message: string,
): Promise<void> {
  const outcome = { kind: "rejected", code: "NOT_SENT", message } as const;
  const { endpoint } = gateway;
  await log.note({ kind: "broadcast-answered", txId, at: clock.now(), attempt, endpoint, outcome });
}

/**
 * Returns the reason why a transaction may not be sent again: it is being replaced, or an equal one may be executed.
 * Checked before and after its attempt is recorded: of two windows, the one with the later line sees the other one.
 */
function resendObstacle(tracked: TrackedTransaction, decided: KnownEquals, log: SubmissionLog): string | undefined {
  const { sendSameBytes } = decideActions(tracked, { all: log.list(), ...decided });
  return resendRefusal(sendSameBytes) ?? replacementObstacle(tracked, log);
}

/**
 * Returns the obstacle to sending. A replacement that was signed and never sent may no longer be allowed to replace its
 * predecessor, or may be about to be replaced itself.
 */
function replacementObstacle(tracked: TrackedTransaction, log: SubmissionLog): string | undefined {
  const { txId, replaces, attempts } = tracked;
  const late = rivalReplacement(txId, log);
  if (late !== undefined || replaces === undefined || attempts.length > 0) return late;
  return replacementConflict(replaces, txId, log.list())?.error.message;
}

/**
 * Returns the obstacle to sending if another window is replacing the transaction. Of the two windows, the later writer
 * sees the line of the other and sends nothing.
 */
function rivalReplacement(txId: TxId, log: SubmissionLog): string | undefined {
  const rival = log.get(txId)?.replacedBy ?? pendingReplacement(txId, undefined, log.list());
  return rival === undefined ? undefined : resendTexts.aboutToBeReplaced(rival);
}

/** Records that bytes may leave from now on. @returns the number of the attempt */
async function begin({ log, gateway, clock }: SubmissionServices, txId: TxId): Promise<number> {
  const number = 1 + Math.max(0, ...(log.get(txId)?.attempts ?? []).map((it) => it.number));
  const at = clock.now();
  const { endpoint } = gateway;
  try {
    await log.claim(...replacementNote(log, txId, at), {
      kind: "broadcast-started",
      txId,
      at,
      attempt: number,
      endpoint,
    });
  } catch (error) {
    const isNoted = log.get(txId)?.attempts.some((it) => it.number === number) === true;
    if (isNoted) await noteNothingLeft({ log, gateway, clock }, txId, number, describe(error));
    throw error;
  }
  return number;
}

async function deliver(
  { log, gateway, clock }: SubmissionServices,
  transaction: SignedTransaction,
  number: number,
  signal: AbortSignal | undefined,
): Promise<TrackedTransaction> {
  const { txId } = transaction;
  const { endpoint } = gateway;
  const { outcome, txId: answeredTxId, raw } = await broadcast(gateway, transaction, signal);
  await log.note({
    kind: "broadcast-answered",
    txId,
    at: clock.now(),
    attempt: number,
    endpoint,
    outcome: recorded(outcome),
    ...defined({ answeredTxId, raw }),
  });
  const time = isExpired(outcome) ? await headTimeOf(gateway, signal) : undefined;
  if (time !== undefined) await log.note({ kind: "head-time", txId, at: clock.now(), time });
  return known(log, txId);
}

/** Records the replacement at its predecessor, unless that was done. */
function replacementNote(log: SubmissionLog, by: TxId, at: number): readonly JournalEntry[] {
  const replaced = log.get(by)?.replaces;
  if (replaced === undefined || log.get(replaced)?.replacedBy === by) return [];
  return [{ kind: "replaced", txId: replaced, at, by }];
}

function known(log: SubmissionLog, txId: TxId): TrackedTransaction {
  const tracked = log.get(txId);
  if (tracked === undefined) throw new Error(`${txId} was recorded a moment ago and is not there.`);
  return tracked;
}

/** Bytes may have left as soon as this is called: any error is an unknown outcome. */
async function broadcast(
  gateway: Gateway,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<BroadcastAnswer> {
  try {
    return await gateway.broadcast(transaction, signal);
  } catch (thrown) {
    const { endpoint } = gateway;
    const reason = signal?.aborted === true ? t`it was cancelled while waiting for the answer` : describe(thrown);
    const cause = isChainError(thrown)
      ? thrown
      : new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason }, { cause: thrown });
    return { endpoint, outcome: { kind: "unknown", cause } };
  }
}

function recorded(outcome: BroadcastOutcome): RecordedOutcome {
  if (outcome.kind !== "unknown") return outcome;
  const { cause, turnedAway } = outcome;
  return { kind: "unknown", code: cause.code, message: cause.message, ...(turnedAway && { turnedAway }) };
}

function isExpired(outcome: BroadcastOutcome): boolean {
  return outcome.kind === "rejected" && codeMeant(outcome.code, outcome.message) === "TRANSACTION_EXPIRATION_ERROR";
}

/**
 * An estimate by the solidified time suffices: it distinguishes an expiration in the past from one a day ahead. Only
 * advice depends on it, so a gateway that does not report it causes no failure.
 */
async function headTimeOf(gateway: Gateway, signal: AbortSignal | undefined): Promise<number | undefined> {
  try {
    return (await gateway.headBlock(signal)).timestamp;
  } catch {
    return undefined;
  }
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
