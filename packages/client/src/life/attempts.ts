import type { EntryOf, History } from "./history.ts";
import type { Attempt } from "./tracked-transaction.ts";

/**
 * The attempts of a history in the order they began. A start and its answer belong together by number and endpoint;
 * when two windows used the same number at once, by their order, and what has no answer stays open.
 */
export function attemptsOf(history: History): readonly Attempt[] {
  const answers = new Map<string, EntryOf<"broadcast-answered">[]>();
  for (const it of history.answered.toSorted(byTime)) answers.set(keyOf(it), [...(answers.get(keyOf(it)) ?? []), it]);
  const begun = history.started.toSorted(byTime).map((start) => attempt(start, answers.get(keyOf(start))?.shift()));
  const orphans = [...answers.values()].flat().map((answer) => attempt(answer, answer));
  return [...begun, ...orphans].sort((a, b) => a.startedAt - b.startedAt || a.number - b.number);
}

/** The answers in the order they came; the first one is the reason that people see. */
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

/** By local time, then by number and text: a total order, so that no order of reading can change what comes first. */
function byTime(a: Numbered, b: Numbered): number {
  return a.at - b.at || a.attempt - b.attempt || compare(JSON.stringify(a), JSON.stringify(b));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
