import type { Hex } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { retryAfterRefusal } from "./after-refusal.ts";
import { type ExecutionOutcome, isReportedOutcome } from "./execution-outcome.ts";
import { answersInOrder, attemptsOf, type EntryOf, type History, isShared } from "./history.ts";
import type { Attempt, ProvenAbsence, SignedPart, TrackedTransaction, TrackingState } from "./tracked-transaction.ts";

/**
 * Network of a transaction whose network is not recorded, because the line with it cannot be read. Such a transaction
 * is shown and not polled.
 */
export const UNKNOWN_NETWORK = "";

/** Returns the transaction that users see for a history. */
export function trackedFromHistory(history: History): TrackedTransaction {
  const lines = oldestFirst(history.signed);
  const origins = history.adopted.length === 0 ? lines : oldestFirst([...history.signed, ...history.adopted]);
  const attempts = attemptsOf(history);
  const { state, since } = stateOfHistory(history, attempts);
  const [oldest] = origins;
  const newest = origins.at(-1);
  const chain = (lines.find((it) => it.chain !== undefined) ?? origins.find((it) => it.chain !== undefined))?.chain;
  const label = origins.findLast((it) => it.label !== undefined)?.label;
  const signed = lines.at(-1);
  return {
    txId: history.txId,
    network: oldest?.network ?? UNKNOWN_NETWORK,
    ...(chain === undefined ? {} : { chain }),
    ...(label === undefined ? {} : { label }),
    state,
    ...(signed === undefined ? {} : { signed: signedPart(signed, history) }),
    attempts,
    ...linksOf(history),
    ...outcomeElsewhereOf(history),
    ...chainTimeIn(history),
    createdAt: oldest?.at ?? since,
    changedAt: since,
    hidden: history.hidden !== undefined && history.hidden.at >= (newest?.at ?? 0),
  };
}

/** Returns the results of unsuccessful searches, and the links to the replacement and to the replaced transaction. */
function linksOf({ absent, notFound, replaced, signed }: History): Partial<TrackedTransaction> {
  const replaces = oldestFirst(signed).find((it) => it.replaces !== undefined)?.replaces;
  return {
    ...(absent === undefined ? {} : { absence: provenAbsence(absent) }),
    ...(notFound === undefined ? {} : { notFoundAt: notFound.time }),
    ...(replaced[0] === undefined ? {} : { replacedBy: replaced[0].by }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

function chainTimeIn({ headTime, notFound }: History): Pick<TrackedTransaction, "chainTime"> {
  const times = [headTime?.time, notFound?.time].filter((it) => it !== undefined);
  return times.length === 0 ? {} : { chainTime: Math.max(...times) };
}

/** One reported success outweighs any number of other reports. */
function outcomeElsewhereOf({
  outcomesElsewhere: otherOutcomes,
}: History): Pick<TrackedTransaction, "outcomeElsewhere"> {
  const word = otherOutcomes.find(({ outcome }) => outcome.kind === "success") ?? otherOutcomes[0];
  return word === undefined ? {} : { outcomeElsewhere: { endpoint: word.endpoint, outcome: word.outcome } };
}

function provenAbsence({ kind: _kind, txId: _txId, at, ...evidence }: EntryOf<"proven-absent">): ProvenAbsence {
  return { ...evidence, provenAt: at };
}

/** Newest signatures; the height is the one before the first of them, because the first may have been sent. */
function signedPart(newest: EntryOf<"signed">, history: History): SignedPart {
  const { intent, rawDataHex, expiration } = newest;
  const solidHeight = Math.min(...history.signed.map((it) => it.solidHeight));
  const lines = oldestFirst(history.signed);
  const estimatedEnergy = lines.findLast((it) => it.estimatedEnergy !== undefined)?.estimatedEnergy;
  const functionSignature = lines.findLast((it) => it.functionSignature !== undefined)?.functionSignature;
  const proposal = history.signed.find((it) => it.proposal !== undefined)?.proposal;
  const run = history.signed.find((it) => it.run !== undefined)?.run;
  return {
    ...{ intent, rawDataHex, ...unitedSignatures(history), expiration, solidHeight },
    ...(estimatedEnergy === undefined ? {} : { estimatedEnergy }),
    ...(functionSignature === undefined ? {} : { functionSignature }),
    ...(proposal === undefined ? {} : { proposal }),
    ...(run === undefined ? {} : { run }),
    ...(isShared(history) ? { shared: true } : {}),
    ...(isRenewed(newest, history) ? { renewed: true } : {}),
  };
}

/** Returns the signatures collected since the last line that superseded all earlier ones: the newest of each signer. */
function unitedSignatures({ signed }: History): Pick<SignedPart, "signatures" | "quorum"> {
  const lines = oldestFirst(signed);
  const found = new Map<string, { readonly signature: Hex; readonly weight: bigint | undefined }>();
  for (const { signatures, signers, quorum } of lines) {
    if (signers === undefined) found.clear();
    signatures.forEach((signature, index) => {
      found.set(signers?.[index] ?? signature, { signature, weight: quorum?.weights[index] });
    });
  }
  const all = [...found.values()];
  const threshold = lines.findLast(({ quorum }) => quorum !== undefined)?.quorum?.threshold;
  const weight = sumOf(all.map((it) => it.weight));
  return {
    signatures: [...new Set(all.map(({ signature }) => signature))],
    ...(threshold === undefined || weight === undefined ? {} : { quorum: { weight, threshold } }),
  };
}

/** A node refuses a transaction with a signature of no weight, so such a sum is meaningless. */
function sumOf(weights: readonly (bigint | undefined)[]): bigint | undefined {
  let sum = 0n;
  for (const weight of weights) {
    if (weight === undefined || weight === 0n) return undefined;
    sum += weight;
  }
  return sum;
}

function isRenewed(newest: EntryOf<"signed">, history: History): boolean {
  const last = answersInOrder(history).at(-1);
  return last?.outcome.kind === "rejected" && newest.at > last.at;
}

type Origin = EntryOf<"signed" | "adopted">;

function oldestFirst<O extends Origin>(origins: readonly O[]): readonly O[] {
  return origins.length < 2 ? origins : origins.toSorted(byAge);
}

function byAge(a: Origin, b: Origin): number {
  return a.at - b.at || (printed(a) < printed(b) ? -1 : 1);
}

function printed(origin: Origin): string {
  return JSON.stringify(origin, (_name, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
}

/** State with the local time of the fact that caused it, Unix ms. */
interface DatedState {
  readonly state: TrackingState;
  readonly since: number;
}

/**
 * Returns the state of a transaction from all known facts (design, Words and states). The strongest proof wins: a
 * solidified block, then a replacement, the proof of absence, the head, the pool, and only then the answers to its
 * attempts.
 */
function stateOfHistory(history: History, attempts: readonly Attempt[]): DatedState {
  const { solidified, absent, head } = history;
  const [replaced] = history.replaced;
  if (solidified) {
    const { block, outcome } = solidified;
    // The block is final, but its outcome is unknown: it is read again.
    if (!isReportedOutcome(outcome)) {
      return { state: { kind: "included", block, ...seenOutcome(history) }, since: solidified.at };
    }
    return { state: { kind: "solidified", block, outcome }, since: solidified.at };
  }
  if (replaced && (absent || !mayBeHeldByNode(history, attempts))) {
    return { state: { kind: "replaced", by: replaced.by }, since: replaced.at };
  }
  if (absent) {
    return { state: { kind: "proven-absent", from: absent.first.number, to: absent.last.number }, since: absent.at };
  }
  if (head?.kind === "seen-in-head") {
    return { state: { kind: "included", block: head.block, ...seenOutcome(history) }, since: head.at };
  }
  return pooled(history) ?? answered(history, attempts);
}

function seenOutcome({ head }: History): { readonly outcome?: ExecutionOutcome } {
  return head?.kind === "seen-in-head" && head.outcome ? { outcome: head.outcome } : {};
}

/**
 * Returns true if a node may hold the replaced transaction: another window sent it meanwhile, others have it, or the
 * chain shows it. It then waits for its proof.
 */
function mayBeHeldByNode(history: History, [first, ...more]: readonly Attempt[]): boolean {
  if (history.head !== undefined || history.pool !== undefined || isShared(history)) return true;
  return more.length > 0 || (first !== undefined && first.outcome?.kind !== "rejected");
}

function pooled({ head, pool, answered: answers }: History): DatedState | undefined {
  if (head) return { state: { kind: "pending" }, since: head.at };
  const accepted = answers.filter(({ outcome }) => outcome.kind === "accepted").map(({ at }) => at);
  const times = [...accepted, ...(pool ? [pool.at] : [])];
  return times.length === 0 ? undefined : { state: { kind: "pending" }, since: Math.min(...times) };
}

function answered(history: History, attempts: readonly Attempt[]): DatedState {
  const doubtful =
    attempts.find((it) => isDoubtful(it) && !isBlockedBeforeNode(it)) ?? attempts.find(isBlockedBeforeNode);
  const rejection = rejectionOf(history);
  if (attempts.length > 0 && doubtful === undefined && rejection !== undefined) return rejection;
  const [first] = attempts;
  if (first === undefined) return unsent(history);
  const reason = reasonOf(doubtful ?? first);
  return { state: { kind: "unknown", reason }, since: first.answeredAt ?? first.startedAt };
}

/** Returns attempts that a node may have accepted: no answer yet, or an unusable one. */
function isDoubtful({ outcome }: Attempt): boolean {
  return outcome === undefined || outcome.kind === "unknown";
}

/** Returns true if, as far as is known, a proxy in front of the node did not let the attempt through. */
function isBlockedBeforeNode({ outcome }: Attempt): boolean {
  return outcome?.kind === "unknown" && outcome.turnedAway === true;
}

/**
 * Returns the rejection that users see: the first answer, if it was one. Later answers add advice, never another
 * reason. In particular, a node also answers `DUP_TRANSACTION_ERROR` for bytes that it refused before (node behaviour
 * 12).
 */
function rejectionOf(history: History): DatedState | undefined {
  const answers = answersInOrder(history);
  const [first] = answers;
  const last = answers.at(-1);
  if (first?.outcome.kind !== "rejected" || last === undefined) return undefined;
  const { code, message } = first.outcome;
  const chain = { expiration: history.signed[0]?.expiration, headTime: history.headTime?.time };
  const refused = last.outcome.kind === "already-known" || last.outcome.kind === "rejected";
  const retry = refused ? retryAfterRefusal(last.outcome, chain) : "fix-request";
  return { state: { kind: "rejected", code, message, retry }, since: first.at };
}

function unsent({ txId: _, signed, adopted }: History): DatedState {
  const times = [...signed, ...adopted].map(({ at }) => at);
  const since = times.length === 0 ? 0 : Math.min(...times);
  if (signed.length > 0) return { state: { kind: "signed" }, since };
  return { state: { kind: "unknown", reason: unknownReasons.notSeen }, since };
}

function reasonOf({ endpoint, outcome }: Attempt): string {
  switch (outcome?.kind) {
    case undefined:
      return unknownReasons.noAnswer(endpoint);
    case "unknown":
      return outcome.turnedAway === true ? unknownReasons.turnedAway(outcome.message) : outcome.message;
    case "already-known":
      return unknownReasons.alreadyKnown(endpoint, outcome.message);
    case "accepted":
    case "rejected":
      return unknownReasons.answered(endpoint, outcome.kind);
  }
}

/** Reasons why the outcome of a transaction is unknown. */
export const unknownReasons = {
  notSeen: t`No gateway has reported it yet.`,
  noAnswer: (endpoint: string) =>
    t`It was sent to ${endpoint}, and no answer is recorded: none has arrived yet, or the window closed before it arrived.`,
  /** @param text - Answer of a server in front of the node. */
  turnedAway: (text: string) => t`Not sent, as far as known: ${text}`,
  /** @param text - Message of the node. */
  alreadyKnown: (endpoint: string, text: string) =>
    t`${endpoint} reports that it has seen these bytes before (${text}). This proves neither that it still has them nor why.`,
  answered: (endpoint: string, answer: "accepted" | "rejected") =>
    answer === "accepted" ? t`${endpoint} answered: accepted.` : t`${endpoint} answered: rejected.`,
} as const;
