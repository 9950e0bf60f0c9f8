import { MAX_VOTED_FOR, rankWitnesses, sumOfVotes } from "@finality/client/estimates";
import type { Vote, Witness } from "@finality/client/gateway";
import { quoted } from "@finality/client/labels";
import type { SystemFacts, Voting } from "@finality/client/reviews";
import { effectOf, rateText, witnessFacts } from "@finality/client/reviews";
import { ChainError } from "@finality/tron/errors";
import { type Checked, grouped, shortAddress, votesText } from "@finality/tron/format";
import { type Address, isBlank, toBase58, wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Witness in the list: its own claims in quotes, with the data of the chain. */
export interface WitnessRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly address: Address;
  /** True if it has votes of this account. */
  readonly picked: boolean;
}

/** Sorts witnesses with votes of the account first, then by rank. */
export function witnessRows(voting: Voting, former: readonly Vote[]): readonly WitnessRow[] {
  const rows = rankWitnesses(voting.witnesses).map((it) => witnessRow(it, voting, former));
  return [...rows.filter(({ picked }) => picked), ...rows.filter(({ picked }) => !picked)];
}

function witnessRow(witness: Witness, { witnesses, rates }: Voting, former: readonly Vote[]): WitnessRow {
  const { address, votes } = witness;
  const rate = rates.get(address);
  const yours = former.find((it) => it.witness === address)?.count;
  const facts = [...witnessFacts(witness, witnesses), votesText(votes)];
  return {
    label: witnessName(witness),
    description: [...facts, ...(rate === undefined ? [] : [rateText(rate)])].join(" · "),
    detail: [toBase58(address), ...(yours === undefined ? [] : [t`you: ${votesText(yours)}`])].join(" · "),
    address,
    picked: yours !== undefined,
  };
}

function witnessName({ address, url }: Witness): string {
  return isBlank(url) ? shortAddress(address) : quoted(url);
}

/** @throws {ChainError} `VOTING_POWER_MISSING` if the account is known to have no votes */
export function requireVotingPower({ owner }: SystemFacts, account: string): void {
  if (owner.resources?.votingPower === 0n) throw new ChainError("VOTING_POWER_MISSING", { account });
}

/** Returns the prompt above the list. */
export function witnessQuestion({ owner }: SystemFacts): string {
  const power = owner.resources?.votingPower;
  const have = power === undefined ? "" : t` You have ${votesText(power)}`;
  return t`Which witnesses? Up to ${MAX_VOTED_FOR}.${have}`;
}

/** State of the vote prompts. */
export interface Counting {
  readonly facts: SystemFacts;
  readonly owner: Address;
  readonly candidates: readonly Address[];
  readonly cast: readonly Vote[];
}

/** Returns the prompt of the next witness, with its initial value. */
export function countQuestion({ facts, candidates, cast }: Counting): {
  readonly prompt: string;
  readonly value: string;
} {
  const next = candidates[cast.length];
  const witness = facts.voting?.witnesses.find(({ address }) => address === next);
  const power = facts.owner.resources?.votingPower ?? 0n;
  const free = power - sumOfVotes(cast);
  const name = witness === undefined ? t`this witness` : `${witnessName(witness)} (${shortAddress(witness.address)})`;
  const former = facts.owner.account?.votes?.find((it) => it.witness === next)?.count;
  const share = free / BigInt(Math.max(1, candidates.length - cast.length));
  return {
    prompt: t`Votes for ${name}? ${grouped(free)} of ${votesText(power)} are available`,
    value: String(former !== undefined && former <= free ? former : share > 0n ? share : 1n),
  };
}

/** Validates a number of votes while the user types: shows the remaining votes, or why the chain would refuse it. */
export function checkCount(text: string, { facts, owner, candidates, cast }: Counting): Checked<readonly Vote[]> {
  const witness = candidates[cast.length];
  if (text.trim() === "" || witness === undefined) return { kind: "empty" };
  const count = wholeVotes(text);
  if (count === undefined) return { kind: "wrong", message: t`Write a whole number of votes, at least 1.` };
  const value = [...cast, { witness, count }];
  const { doubts, effect } = effectOf({ kind: "vote", owner, votes: value }, facts);
  const [doubt] = doubts;
  return doubt === undefined ? { kind: "good", value, message: effect } : { kind: "wrong", message: doubt };
}

/** Parses a positive number of votes; returns undefined for other text. */
export function wholeVotes(text: string): bigint | undefined {
  const count = wholeNumberIn(text);
  return count !== undefined && count > 0n && count < 10n ** 18n ? count : undefined;
}
