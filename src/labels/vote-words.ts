import { MAX_VOTED_FOR, rankWitnesses, sumOfVotes, voteChanges } from "@finality/client/estimates";
import type { Vote, Witness } from "@finality/client/gateway";
import { counted, grouped, percent, roughly, shortAddress, votesText } from "@finality/tron/format";
import { type Address, isBlank, toBase58 } from "@finality/tron/primitives";
import type { IntentOf } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { quoted } from "./reviews.ts";
import type { SystemFacts, SystemWords, Voting } from "./system-words.ts";

const NOBODY: Voting = { witnesses: [], rates: new Map() };

/** Says for whom, what becomes of the votes so far, how many stay free, and when the new ones count. */
export function voteWords({ votes }: IntentOf<"vote">, facts: SystemFacts): SystemWords {
  const { account, resources } = facts.owner;
  const { voting = NOBODY } = facts;
  const former = account?.votes ?? [];
  const power = resources?.votingPower;
  const sum = sumOfVotes(votes);
  const free = power === undefined || sum > power ? [] : [t`Free: ${grouped(power - sum)} of ${votesText(power)}`];
  return {
    action: t`Give ${votesText(sum)} to ${counted(votes.length, t`witness`, t`witnesses`)}`,
    lines: [
      ...votes.map((it) => t`Votes: ${grouped(it.count)} for ${witnessText(it.witness, voting)}`),
      former.length === 0
        ? t`Replaces: nothing, for this account has no votes yet`
        : t`Replaces: all former votes of this account, ${formerText(former, voting)}`,
      ...(former.length === 0 ? [] : [t`Changes: ${changesText(former, votes, voting)}`]),
      ...free,
      t`Counts: from the next count of votes on, ${countText(facts)}; they earn from then on`,
    ],
    effect: effectText(sum, power),
    doubts: doubtsOf(votes, facts),
  };
}

function effectText(sum: bigint, power: bigint | undefined): string {
  if (power === undefined) return t`this gateway does not tell how many votes you have`;
  return power < sum ? t`you have ${grouped(power)}` : t`${grouped(power - sum)} of ${votesText(power)} stay free`;
}

function formerText(former: readonly Vote[], voting: Voting): string {
  const parts = former.map(({ witness, count }) => t`${grouped(count)} for ${nameOf(witness, voting)}`);
  return parts.join(t`, `);
}

function changesText(former: readonly Vote[], votes: readonly Vote[], voting: Voting): string {
  const changes = voteChanges(former, votes).map(
    ({ witness, before, after }) => `${nameOf(witness, voting)} ${grouped(before)} → ${grouped(after)}`,
  );
  return changes.length === 0 ? t`nothing, you vote so already` : changes.join(t`, `);
}

function countText({ parameters }: SystemFacts): string {
  const interval = parameters.get("getMaintenanceTimeInterval");
  return interval === undefined ? t`at its time` : t`which comes every ${roughly(Number(interval))}`;
}

/** What a witness is known by, for somebody who decides: its address first, what it says of itself as its word. */
function witnessText(address: Address, voting: Voting): string {
  const witness = voting.witnesses.find((it) => it.address === address);
  const rate = voting.rates.get(address);
  const facts = witness === undefined ? [] : witnessFacts(witness, voting.witnesses);
  const kept = rate === undefined ? [] : [rateText(rate)];
  const claim = witness === undefined || isBlank(witness.url) ? [] : [t`calls itself ${quoted(witness.url)}`];
  return [toBase58(address), ...facts, ...kept, ...claim].join(" · ");
}

/** What a witness keeps of what its votes earn. */
export function rateText(rate: bigint): string {
  return t`keeps ${percent(rate)} of rewards`;
}

/** Its place among all, and whether it makes blocks. */
export function witnessFacts(witness: Witness, all: readonly Witness[]): readonly string[] {
  const rank = rankWitnesses(all).findIndex((it) => it.address === witness.address) + 1;
  return [t`rank ${rank}`, witness.producesBlocks ? t`makes blocks` : t`makes no blocks`];
}

function nameOf(address: Address, { witnesses }: Voting): string {
  const witness = witnesses.find((it) => it.address === address);
  const named = witness === undefined || isBlank(witness.url) ? "" : ` ${quoted(witness.url)}`;
  return `${shortAddress(address)}${named}`;
}

/** VoteWitnessActuator. */
function doubtsOf(votes: readonly Vote[], { owner, voting }: SystemFacts): readonly string[] {
  const power = owner.resources?.votingPower;
  const sum = sumOfVotes(votes);
  const strangers = votes.filter(({ witness }) => !voting?.witnesses.some((it) => it.address === witness));
  return [
    ...(votes.length === 0 ? [t`No votes are given. The chain takes no empty vote.`] : []),
    ...(votes.length > MAX_VOTED_FOR
      ? [t`The chain takes votes for at most ${MAX_VOTED_FOR} witnesses, and these are ${votes.length}.`]
      : []),
    ...(votes.some(({ count }) => count <= 0n) ? [t`Each witness needs at least 1 vote.`] : []),
    ...strangers.map(({ witness }) => t`${toBase58(witness)} is no witness.`),
    ...(owner.account === undefined ? [t`This account is not activated.`] : []),
    ...(power !== undefined && sum > power ? [powerText(power)] : []),
  ];
}

function powerText(power: bigint): string {
  return power === 0n
    ? t`The account has no votes. Stake coins first, for votes where the chain keeps them apart: each whole coin gives one.`
    : t`The account has ${votesText(power)}: each whole coin whose stake counts for votes gives one.`;
}
