import type { BlockReference, TxId } from "@finality/tron/primitives";
import { type ExecutionOutcome, isReportedOutcome } from "./execution-outcome.ts";
import type { JournalEntry } from "./journal-entry.ts";
import type { Attempt } from "./tracked-transaction.ts";

/** Entries of one kind. */
export type EntryOf<K extends JournalEntry["kind"]> = Extract<JournalEntry, { kind: K }>;

/**
 * Known facts about one txID, grouped by kind. It is effectively a set: two windows may write in any order, and every
 * reader of all facts gets the same history.
 */
export interface History {
  readonly txId: TxId;
  readonly signed: readonly EntryOf<"signed">[];
  readonly adopted: readonly EntryOf<"adopted">[];
  readonly started: readonly EntryOf<"broadcast-started">[];
  readonly answered: readonly EntryOf<"broadcast-answered">[];
  readonly headTime: EntryOf<"head-time"> | undefined;
  /** First time it was seen in the pool. */
  readonly pool: EntryOf<"seen-in-pool"> | undefined;
  /** Newest observation of the head view. */
  readonly head: EntryOf<"seen-in-head" | "lost-from-head"> | undefined;
  readonly solidified: EntryOf<"solidified"> | undefined;
  /** Outcomes reported by sources other than the transaction's gateway, each once per window that queried them. */
  readonly outcomesElsewhere: readonly EntryOf<"outcome-told">[];
  readonly notFound: EntryOf<"not-found"> | undefined;
  readonly absent: EntryOf<"proven-absent"> | undefined;
  /** More than one if two windows began a replacement at once; then none of the later ones was sent. */
  readonly replaced: readonly EntryOf<"replaced">[];
  readonly hidden: EntryOf<"hidden"> | undefined;
}

/** One list for all histories without entries of a kind. */
const NONE: readonly never[] = [];

/** History of a transaction without any line. */
function emptyHistory(txId: TxId): History {
  return {
    txId,
    signed: NONE,
    adopted: NONE,
    started: NONE,
    answered: NONE,
    outcomesElsewhere: NONE,
    replaced: NONE,
    headTime: undefined,
    pool: undefined,
    head: undefined,
    solidified: undefined,
    notFound: undefined,
    absent: undefined,
    hidden: undefined,
  };
}

/** Returns true if other parties have the bytes, and may sign and send them. */
export function isShared({ signed }: History): boolean {
  return signed.some(({ signers }) => signers !== undefined);
}

/**
 * Returns a history with one more fact; the only transition of tracking. Pure and independent of the order of facts. Of
 * two facts that exclude each other, it keeps the one that proves more, then the earlier. For the head, whose answer
 * may change, it keeps the newer.
 */
export function transition(history: History | undefined, fact: JournalEntry): History {
  const known = history ?? emptyHistory(fact.txId);
  switch (fact.kind) {
    case "signed":
      return { ...known, signed: known.signed.concat(fact) };
    case "adopted":
      return { ...known, adopted: known.adopted.concat(fact) };
    case "broadcast-started":
      return { ...known, started: known.started.concat(fact) };
    case "broadcast-answered":
      return { ...known, answered: known.answered.concat(fact) };
    case "head-time":
      return { ...known, headTime: later(known.headTime, fact) };
    case "seen-in-pool":
      return { ...known, pool: earlier(known.pool, fact) };
    case "seen-in-head":
    case "lost-from-head":
      return { ...known, head: newerSighting(known.head, fact) };
    case "solidified":
      return { ...known, solidified: betterReported(known.solidified, fact) };
    case "outcome-told":
      return { ...known, outcomesElsewhere: [...known.outcomesElsewhere, fact].sort(byOrder) };
    case "not-found":
      return { ...known, notFound: earlier(known.notFound, fact) };
    case "proven-absent":
      return { ...known, absent: earlier(known.absent, fact) };
    case "replaced":
      return { ...known, replaced: [...known.replaced, fact].sort(byOrder) };
    case "hidden":
      return { ...known, hidden: later(known.hidden, fact) };
  }
}

/** Returns the one whose outcome is reported, or the earlier of two equal ones. */
function betterReported(
  previous: EntryOf<"solidified"> | undefined,
  fact: EntryOf<"solidified">,
): EntryOf<"solidified"> {
  if (previous === undefined) return fact;
  const isReported = isReportedOutcome(fact.outcome);
  if (isReported !== isReportedOutcome(previous.outcome)) return isReported ? fact : previous;
  return earlier(previous, fact);
}

type Sighting = EntryOf<"seen-in-head" | "lost-from-head">;

function newerSighting(previous: Sighting | undefined, fact: Sighting): Sighting {
  if (previous === undefined || fact.at > previous.at) return fact;
  if (fact.at < previous.at) return previous;
  return rank(fact) > rank(previous) ? fact : previous;
}

/** At the same millisecond an observation counts more than an absence, and a higher block more than a lower one. */
function rank(sighting: Sighting): string {
  if (sighting.kind === "lost-from-head") return "";
  const { number, id = "" } = sighting.block;
  return `${String(number).padStart(16, "0")} ${id} ${JSON.stringify(sighting.outcome ?? "")}`;
}

function earlier<E extends Fact>(previous: E | undefined, fact: E): E {
  return previous === undefined || order(fact) < order(previous) ? fact : previous;
}

function later<E extends Fact>(previous: E | undefined, fact: E): E {
  return previous === undefined || order(fact) > order(previous) ? fact : previous;
}

type Fact = {
  readonly at: number;
  readonly block?: BlockReference;
  readonly digest?: string;
  readonly by?: string;
  readonly time?: number;
  readonly outcome?: ExecutionOutcome;
  readonly endpoint?: string;
};

function byOrder(a: Fact, b: Fact): number {
  return order(a) < order(b) ? -1 : 1;
}

function order({ at, block, digest, by, time, endpoint, outcome }: Fact): string {
  const what = endpoint === undefined ? (block ?? digest ?? by ?? time ?? "") : [endpoint, outcome];
  return `${String(at).padStart(16, "0")} ${JSON.stringify(what)}`;
}

/** Returns the histories that result from entries in any order. */
export function foldEntries(entries: Iterable<JournalEntry>): Map<TxId, History> {
  const histories = new Map<TxId, History>();
  for (const entry of entries) histories.set(entry.txId, transition(histories.get(entry.txId), entry));
  return histories;
}

/**
 * Returns the attempts of a history in the order of their start. A start and its answer are matched by number and
 * endpoint; if two windows used the same number, by their order. Attempts without an answer stay open.
 */
export function attemptsOf(history: History): readonly Attempt[] {
  if (history.started.length === 0 && history.answered.length === 0) return NONE;
  const answers = new Map<string, EntryOf<"broadcast-answered">[]>();
  for (const it of history.answered.toSorted(byTime)) answers.set(keyOf(it), [...(answers.get(keyOf(it)) ?? []), it]);
  const begun = history.started.toSorted(byTime).map((start) => attempt(start, answers.get(keyOf(start))?.shift()));
  const orphans = [...answers.values()].flat().map((answer) => attempt(answer, answer));
  return [...begun, ...orphans].sort((a, b) => a.startedAt - b.startedAt || a.number - b.number);
}

/** Returns the answers in order; the first one is the reason that users see. */
export function answersInOrder(history: History): readonly EntryOf<"broadcast-answered">[] {
  return history.answered.toSorted(byTime);
}

function attempt(
  start: EntryOf<"broadcast-started" | "broadcast-answered">,
  answer?: EntryOf<"broadcast-answered">,
): Attempt {
  const { attempt: number, endpoint, at: startedAt } = start;
  return { number, endpoint, startedAt, ...(answer && { answeredAt: answer.at, outcome: answer.outcome }) };
}

type Numbered = EntryOf<"broadcast-started" | "broadcast-answered">;

function keyOf({ attempt: number, endpoint }: Numbered): string {
  return `${number} ${endpoint}`;
}

/**
 * Sorts by local time, then by number and text: a total order, so that the read order cannot change the first entry.
 */
function byTime(a: Numbered, b: Numbered): number {
  return a.at - b.at || a.attempt - b.attempt || compare(JSON.stringify(a), JSON.stringify(b));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
