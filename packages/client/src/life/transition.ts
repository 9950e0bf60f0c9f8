import type { BlockReference } from "@finality/tron/primitives";
import { isReportedOutcome } from "./execution-outcome.ts";
import { type EntryOf, emptyHistory, type History } from "./history.ts";
import type { JournalEntry } from "./journal-entry.ts";
import type { ExecutionOutcome } from "./tracking-state.ts";

/**
 * A history with one more fact: the one transition of tracking. Pure, and the order of facts does not matter: of two
 * facts that exclude each other the one that proves more, then the earlier (for the head, whose word may change: the
 * newer) is kept.
 */
export function transition(history: History | undefined, fact: JournalEntry): History {
  const known = history ?? emptyHistory(fact.txId);
  switch (fact.kind) {
    case "signed":
      return { ...known, signed: [...known.signed, fact] };
    case "adopted":
      return { ...known, adopted: [...known.adopted, fact] };
    case "broadcast-started":
      return { ...known, started: [...known.started, fact] };
    case "broadcast-answered":
      return { ...known, answered: [...known.answered, fact] };
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
      return { ...known, secondWords: [...known.secondWords, fact].sort(byOrder) };
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

/** Returns the one whose outcome is reported, or the earlier of two alike. */
function betterReported(known: EntryOf<"solidified"> | undefined, fact: EntryOf<"solidified">): EntryOf<"solidified"> {
  if (known === undefined) return fact;
  const isReported = isReportedOutcome(fact.outcome);
  if (isReported !== isReportedOutcome(known.outcome)) return isReported ? fact : known;
  return earlier(known, fact);
}

type Sighting = EntryOf<"seen-in-head" | "lost-from-head">;

function newerSighting(known: Sighting | undefined, fact: Sighting): Sighting {
  if (known === undefined || fact.at > known.at) return fact;
  if (fact.at < known.at) return known;
  return rank(fact) > rank(known) ? fact : known;
}

/** At the same millisecond a sighting says more than its absence, a higher block more than a lower one. */
function rank(sighting: Sighting): string {
  if (sighting.kind === "lost-from-head") return "";
  const { number, id = "" } = sighting.block;
  return `${String(number).padStart(16, "0")} ${id} ${JSON.stringify(sighting.outcome ?? "")}`;
}

function earlier<E extends Fact>(known: E | undefined, fact: E): E {
  return known === undefined || order(fact) < order(known) ? fact : known;
}

function later<E extends Fact>(known: E | undefined, fact: E): E {
  return known === undefined || order(fact) > order(known) ? fact : known;
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
