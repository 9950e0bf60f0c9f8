import { ChainError, isChainError } from "../errors/chain-error.ts";
import type { BroadcastAnswer, BroadcastOutcome } from "../gateway/broadcast-outcome.ts";
import type { Gateway, SignedTransaction } from "../gateway/gateway.ts";
import type { JournalEntry, RecordedOutcome } from "../journal/journal.ts";
import { hexToBytes } from "../primitives/bytes.ts";
import { type TxId, transactionId } from "../primitives/hash.ts";
import { livingEquals } from "../replacement/living-equal.ts";
import { mayReplace, whyNotResend } from "../replacement/safe-replacement.ts";
import type { Clock } from "../time/clock.ts";
import type { SignedPart, TrackedTransaction } from "./tracked-transaction.ts";
import { whyNotAgain } from "./why-not-again.ts";

/** Where attempts are remembered: the tracker. */
export interface SubmissionLog {
  get(txId: TxId): TrackedTransaction | undefined;
  /** Every replacement of a transaction that any window has noted by now. */
  replacementsOf(txId: TxId): Promise<readonly TxId[]>;
  /** All transactions, with everything that any window has noted by now. */
  newest(): Promise<readonly TrackedTransaction[]>;
  /** On disk when it resolves. @throws {ChainError} `JOURNAL_UNWRITABLE` */
  record(...entries: readonly JournalEntry[]): Promise<void>;
  /** Remembered whatever the disk says. */
  note(...facts: readonly JournalEntry[]): Promise<void>;
}

export interface SubmissionServices {
  readonly log: SubmissionLog;
  readonly gateway: Gateway;
  readonly clock: Clock;
}

/** What is known about a transaction besides its signed bytes. */
export interface SubmissionContext extends Pick<SignedPart, "intent" | "expiration" | "solidHeight"> {
  readonly network: string;
  readonly label?: string;
  /** The transaction that this one takes the place of. */
  readonly replaces?: TxId;
  /** The equal transactions that the sender knows of. When it is given, any other one that may still be executed is a reason not to send. */
  readonly acknowledged?: readonly string[];
}

/** Whether the same bytes were sent once more, and if not, why, as a sentence. */
export type Resubmission =
  | { readonly kind: "sent"; readonly tracked: TrackedTransaction }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Sends signed bytes: first they are on disk, then the note that an attempt begins, then they leave, then the answer is noted.
 *
 * Whatever happens after the bytes are safe, an abort too, ends as a state and not as an exception. Sent again under the same
 * txID (with other signatures), the bytes are kept beside the earlier ones.
 *
 * A replacement is noted at its predecessor before its own bytes, so that the old ones can never be sent again from here on.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` the txID is not that of the bytes, `REPLACEMENT_REFUSED` what it replaces may still be
 * executed, `EQUAL_TRANSACTION_ALIVE` another window signed an equal one meanwhile, `JOURNAL_UNWRITABLE`; nothing was sent then
 */
export async function submitTransaction(
  services: SubmissionServices,
  transaction: SignedTransaction,
  { acknowledged, ...context }: SubmissionContext,
  signal?: AbortSignal,
): Promise<TrackedTransaction> {
  const { txId, rawDataHex, signatures } = transaction;
  signal?.throwIfAborted();
  if (transactionId(hexToBytes(rawDataHex)) !== txId) {
    throw new ChainError("TRANSACTION_MALFORMED", { reason: "its txID is not the hash of its bytes" });
  }
  if (context.replaces !== undefined) await claim(context.replaces, txId, services);
  await services.log.record({ kind: "signed", txId, at: services.clock.now(), rawDataHex, signatures, ...context });
  if (acknowledged !== undefined) await beAlone(known(services.log, txId), acknowledged, services.log);
  if (signal?.aborted !== true) await attempt(services, transaction, { signal });
  return known(services.log, txId);
}

/**
 * Looks for an equal transaction of another window now that this one is on disk: of two windows that sign the same at once, the one that
 * looks later sees both.
 *
 * @throws {ChainError} `EQUAL_TRANSACTION_ALIVE`
 */
async function beAlone(
  { txId, network, signed, replaces }: TrackedTransaction,
  acknowledged: readonly string[],
  log: SubmissionLog,
): Promise<void> {
  const all = await log.newest();
  const since = replaces === undefined ? undefined : log.get(replaces)?.signed?.solidHeight;
  const equals = signed === undefined ? [] : livingEquals(all, network, signed.intent, since);
  const twin = equals.find((it) => it.txId !== txId && !acknowledged.includes(it.txId));
  if (twin !== undefined) throw new ChainError("EQUAL_TRANSACTION_ALIVE", { txId: twin.txId, state: twin.state.kind });
}

/**
 * Notes which transaction takes the place of another one, and that no other window did so before or at the same time: whoever sees
 * a second note sends nothing.
 *
 * @throws {ChainError} `REPLACEMENT_REFUSED`
 */
async function claim(replaced: TxId, by: TxId, { log, clock }: SubmissionServices): Promise<void> {
  const refused = (reason: string) => new ChainError("REPLACEMENT_REFUSED", { txId: replaced, reason });
  if (replaced === by) throw refused("These are the same bytes.");
  const predecessor = log.get(replaced);
  const verdict = predecessor === undefined ? undefined : mayReplace(predecessor);
  if (verdict?.kind !== "yes") throw refused(verdict?.why ?? "It is not tracked here.");
  await log.record({ kind: "replaced", txId: replaced, at: clock.now(), by });
  const others = (await log.replacementsOf(replaced)).filter((it) => it !== by);
  if (others.length > 0) throw refused(`Another window has begun to replace it by ${others[0]}.`);
  const sentAgain = log.get(replaced)?.attempts.length !== predecessor?.attempts.length;
  if (sentAgain) throw refused("Another window has sent it again meanwhile.");
}

/**
 * Hands the same bytes to a gateway once more. It never builds, signs or changes anything, so it can never pay twice by itself; whether
 * another window meanwhile replaced it, or sent an equal one, is looked for after the attempt is noted and before the bytes leave.
 *
 * @param acknowledged - newer equal transactions that the sender knows of
 * @throws {ChainError} `JOURNAL_UNWRITABLE`; nothing was sent then
 */
export async function resubmitTransaction(
  services: SubmissionServices,
  txId: TxId,
  {
    signal,
    acknowledged = [],
  }: { readonly signal?: AbortSignal | undefined; readonly acknowledged?: readonly string[] } = {},
): Promise<Resubmission> {
  signal?.throwIfAborted();
  const tracked = services.log.get(txId);
  const reason = whyNotAgain(tracked);
  if (tracked?.signed === undefined || reason !== undefined) {
    return { kind: "refused", reason: reason ?? "Its signed bytes are not here." };
  }
  const { rawDataHex, signatures } = tracked.signed;
  const whyNot = async (): Promise<string | undefined> => {
    const all = await services.log.newest();
    return whyNotAgain(services.log.get(txId)) ?? whyNotResend(tracked, all, acknowledged);
  };
  const withheld = await attempt(services, { txId, rawDataHex, signatures }, { signal, whyNot });
  if (withheld !== undefined) return { kind: "refused", reason: withheld };
  return { kind: "sent", tracked: known(services.log, txId) };
}

interface AttemptOptions {
  readonly signal: AbortSignal | undefined;
  /** Asked when the attempt is on disk: a reason not to send after all. */
  readonly whyNot?: () => Promise<string | undefined>;
}

/** @returns why nothing was sent */
async function attempt(
  { log, gateway, clock }: SubmissionServices,
  transaction: SignedTransaction,
  { signal, whyNot }: AttemptOptions,
): Promise<string | undefined> {
  const { txId } = transaction;
  const number = 1 + Math.max(0, ...(log.get(txId)?.attempts ?? []).map((it) => it.number));
  const { endpoint } = gateway;
  await log.record({ kind: "broadcast-started", txId, at: clock.now(), attempt: number, endpoint });
  const withheld = await whyNot?.();
  if (withheld !== undefined) {
    const outcome = { kind: "rejected", code: "NOT_SENT", message: withheld } as const;
    await log.note({ kind: "broadcast-answered", txId, at: clock.now(), attempt: number, endpoint, outcome });
    return withheld;
  }
  const { outcome, txId: answeredTxId, raw } = await broadcast(gateway, transaction, signal);
  await log.note({
    ...{ kind: "broadcast-answered", txId, at: clock.now(), attempt: number, endpoint, outcome: recorded(outcome) },
    ...(answeredTxId === undefined ? {} : { answeredTxId }),
    ...(raw === undefined ? {} : { raw }),
  });
  const time = isExpired(outcome) ? await headTimeOf(gateway, signal) : undefined;
  if (time !== undefined) await log.note({ kind: "head-time", txId, at: clock.now(), time });
  return undefined;
}

function known(log: SubmissionLog, txId: TxId): TrackedTransaction {
  const tracked = log.get(txId);
  if (tracked === undefined) throw new Error(`${txId} was recorded a moment ago and is not there.`);
  return tracked;
}

/** Bytes may have left as soon as this is called: whatever is thrown is an unknown outcome. */
async function broadcast(
  gateway: Gateway,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<BroadcastAnswer> {
  try {
    return await gateway.broadcast(transaction, signal);
  } catch (thrown) {
    const { endpoint } = gateway;
    const reason = signal?.aborted === true ? "it was cancelled while the answer was awaited" : describe(thrown);
    const cause = isChainError(thrown)
      ? thrown
      : new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason }, { cause: thrown });
    return { endpoint, outcome: { kind: "unknown", cause } };
  }
}

function recorded(outcome: BroadcastOutcome): RecordedOutcome {
  if (outcome.kind !== "unknown") return outcome;
  return { kind: "unknown", code: outcome.cause.code, message: outcome.cause.message };
}

function isExpired(outcome: BroadcastOutcome): boolean {
  return outcome.kind === "rejected" && outcome.code === "TRANSACTION_EXPIRATION_ERROR";
}

/** Only advice depends on it, so a gateway that does not tell is no reason to fail. */
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
