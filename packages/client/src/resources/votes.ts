import type { Address } from "@finality/tron/primitives";
import type { Witness } from "../gateway/account-gateway.ts";
import type { Vote } from "../gateway/gateway.ts";

/** Witnesses that one vote can name (VoteWitnessActuator). */
export const MAX_VOTED_FOR = 30;

/** Votes of one account together: whole coins. */
export function sumOfVotes(votes: readonly Vote[]): bigint {
  return votes.reduce((sum, { count }) => sum + count, 0n);
}

/** Most votes first, and of equals the higher address, as the node ranks them. */
export function ranked(witnesses: readonly Witness[]): readonly Witness[] {
  return witnesses.toSorted((a, b) => compare(b.votes, a.votes) || compare(b.address, a.address));
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What a new vote changes for one witness. */
export interface VoteChange {
  readonly witness: Address;
  readonly before: bigint;
  readonly after: bigint;
}

/** Each witness of the former votes and of the new ones whose votes change: the new ones in their order, then those that lose all. */
export function voteChanges(before: readonly Vote[], after: readonly Vote[]): readonly VoteChange[] {
  const countIn = (votes: readonly Vote[], witness: Address): bigint =>
    sumOfVotes(votes.filter((it) => it.witness === witness));
  const all = new Set([...after, ...before].map(({ witness }) => witness));
  return [...all]
    .map((witness) => ({ witness, before: countIn(before, witness), after: countIn(after, witness) }))
    .filter((it) => it.before !== it.after);
}
