import type { Account, AccountResources, ChainParameters } from "../../core/gateway/gateway.ts";
import { SUN_PER_COIN, type Sun, sun } from "../../core/primitives/amount.ts";
import { BLOCK_INTERVAL_MS } from "../../core/primitives/block.ts";
import { visibleLine } from "../../core/primitives/plain-text.ts";
import type { ProofCost } from "../../core/proof/inclusion-interval.ts";
import { dailyLimit, dailyLimitAfter, totalsOf } from "../../core/resources/stake-worth.ts";
import type { TransferCost } from "../../core/resources/transfer-cost.ts";
import type { IntentOf, Resource, StakePurpose } from "../../core/transaction/intent.ts";
import { bothUnits, coinsText } from "../forms/coins.ts";
import { roughly } from "../forms/durations.ts";
import { counted, grouped } from "../forms/numbers.ts";
import { purposeText } from "./intents.ts";
import { describeProofCost } from "./proofs.ts";
import { costText, type Expiry, expiryWords, type Party, partyText } from "./reviews.ts";

/** What is done by a contract of the system, without code. */
export type SystemIntent = IntentOf<"stake" | "unstake" | "withdraw" | "cancel-unstakes" | "delegate" | "undelegate">;

/** What the gateway says of somebody; both are absent for an account that is not activated. */
export interface AccountFacts {
  readonly account: Account | undefined;
  readonly resources: AccountResources | undefined;
}

/** What the gateway says of the chain and of those that an intent is about. */
export interface SystemFacts {
  readonly owner: AccountFacts;
  /** Of a delegation. */
  readonly receiver?: (AccountFacts & { readonly party: Party }) | undefined;
  readonly parameters: ChainParameters;
  /** Chain time of the newest block, ms. */
  readonly headTimestamp: number;
  /** A time as people of this place write it. */
  readonly timeOf: (ms: number) => string;
}

/** What a review says of an intent: first what moves, then what follows from it. */
export interface SystemWords {
  /** `Stake 100 coins for energy`. */
  readonly action: string;
  readonly lines: readonly string[];
  /** What follows from it, in a few words. */
  readonly effect: string;
  /** Why the chain would refuse it, as sentences. */
  readonly doubts: readonly string[];
}

const DAY_MS = 86_400_000;
/** Parts of a stake that may be on their way back at the same time. */
const MAX_UNSTAKING = 32;
const NOTHING = sun(0n);
const UNITS = { BANDWIDTH: "bytes of bandwidth", ENERGY: "energy" };

/** Says what an intent does with the account as it is now, in numbers. */
export function systemWords(intent: SystemIntent, facts: SystemFacts): SystemWords {
  switch (intent.kind) {
    case "stake":
      return stakeWords(intent, facts);
    case "unstake":
      return unstakeWords(intent, facts);
    case "withdraw":
      return withdrawWords(facts);
    case "cancel-unstakes":
      return cancelWords(facts);
    case "delegate":
      return delegateWords(intent, facts);
    case "undelegate":
      return undelegateWords(intent, facts);
  }
}

function stakeWords({ amount, resource }: IntentOf<"stake">, facts: SystemFacts): SystemWords {
  const balance = facts.owner.account?.balance ?? NOTHING;
  const effect = bringsText(facts.owner, resource, amount);
  return {
    effect,
    action: `Stake ${coinsText(amount)} for ${purposeText(resource)}`,
    lines: [
      `Stakes: ${bothUnits(amount)}`,
      `Brings: ${effect}`,
      `Comes back: unstake it whenever you want; ${delayText(facts.parameters)} later the coins can be withdrawn`,
    ],
    doubts: [...tooLittle(amount), ...(amount > balance ? [`The account has ${coinsText(balance)}.`] : [])],
  };
}

/** @param added - sun, negative for what is taken away */
function bringsText({ account, resources }: AccountFacts, purpose: StakePurpose, added: bigint): string {
  if (purpose === "TRON_POWER") return `${grouped(wholeCoins(added))} votes`;
  const [before, after] = limitsOf({ account, resources }, purpose, added, true) ?? [];
  if (before === undefined || after === undefined) return "an amount that this gateway does not tell";
  return `about ${grouped(abs(after - before))} ${UNITS[purpose]} a day at today's weight: ${grouped(before)} → ${grouped(after)}`;
}

/** What an account may use a day, before and after; undefined where the gateway does not tell. */
function limitsOf(
  { account, resources }: AccountFacts,
  resource: Resource,
  added: bigint,
  weighs: boolean,
): readonly [before: bigint, after: bigint] | undefined {
  const totals = totalsOf(resources, resource);
  if (totals === undefined) return undefined;
  const stakes = account?.stakes;
  const stake = sun((stakes?.own[resource] ?? 0n) + (stakes?.borrowed[resource] ?? 0n));
  return [dailyLimit(stake, totals), dailyLimitAfter(stake, added, totals, weighs)];
}

function unstakeWords({ amount, resource }: IntentOf<"unstake">, facts: SystemFacts): SystemWords {
  const { owner, parameters, headTimestamp, timeOf } = facts;
  const { due, waiting } = unstakingOf(facts);
  const own = owner.account?.stakes?.own[resource] ?? NOTHING;
  const free = headTimestamp + delayDays(parameters) * DAY_MS;
  const effect = bringsText(owner, resource, -amount);
  return {
    effect: `takes away ${effect}`,
    action: `Unstake ${coinsText(amount)} from ${purposeText(resource)}`,
    lines: [
      `Unstakes: ${bothUnits(amount)} of ${coinsText(own)}`,
      `Takes away: ${effect}`,
      `Comes back: ${timeOf(free)}, ${delayText(parameters)} from now by the chain's time; withdraw it then`,
      ...(due > 0n ? [`Withdraws too: ${bothUnits(due)} that came back`] : []),
      "Votes: those that the rest of the stake does not carry are taken back",
    ],
    doubts: [
      ...(amount > own ? [`Only ${coinsText(own)} are staked for ${purposeText(resource)} and not lent.`] : []),
      ...(waiting.length >= MAX_UNSTAKING
        ? [`${waiting.length} parts of the stake are on their way back, and the chain allows ${MAX_UNSTAKING}.`]
        : []),
    ],
  };
}

function withdrawWords(facts: SystemFacts): SystemWords {
  const { due, waiting } = unstakingOf(facts);
  const later = waiting.map(({ amount, due: time }) => `Later: ${coinsText(amount)} on ${facts.timeOf(time)}`);
  return {
    effect: `${coinsText(due)} are due`,
    action: `Withdraw ${coinsText(due)}`,
    lines: [`Withdraws: ${bothUnits(due)} that came back from stakes`, ...later],
    doubts: due > 0n ? [] : ["Nothing has come back yet."],
  };
}

function cancelWords(facts: SystemFacts): SystemWords {
  const { due, waiting } = unstakingOf(facts);
  const sums = (["BANDWIDTH", "ENERGY", "TRON_POWER"] as const).map((purpose) => {
    const parts = waiting.filter((it) => it.purpose === purpose);
    return { purpose, amount: sun(parts.reduce((sum, { amount }) => sum + amount, 0n)) };
  });
  const again = sums.filter(({ amount }) => amount > 0n);
  return {
    effect: `${counted(waiting.length, "unstake")} cancelled`,
    action: "Cancel all unstakes",
    lines: [
      ...again.map(({ purpose, amount }) => `Stakes again: ${bothUnits(amount)} for ${purposeText(purpose)}`),
      ...(due > 0n ? [`Withdraws: ${bothUnits(due)} that came back`] : []),
    ],
    doubts: again.length === 0 && due === 0n ? ["Nothing is on its way back."] : [],
  };
}

function delegateWords(intent: IntentOf<"delegate">, facts: SystemFacts): SystemWords {
  const { amount, resource, lockPeriod } = intent;
  const { owner, receiver } = facts;
  const own = owner.account?.stakes?.own[resource] ?? NOTHING;
  return {
    effect: `receiver: ${movedText(receiver, resource, amount)}`,
    action: `Delegate the ${UNITS[resource]} of ${coinsText(amount)}`,
    lines: [
      `Lends: what ${bothUnits(amount)} of your ${coinsText(own)} staked for ${purposeText(resource)} bring; the coins stay yours`,
      `To: ${receiverText(facts)}`,
      `Receiver: ${movedText(receiver, resource, amount)}`,
      `You: ${movedText(owner, resource, -amount)}`,
      `Taken back: ${lockText(lockPeriod)}`,
    ],
    doubts: [
      ...tooLittle(amount),
      ...(amount > own ? [`Only ${coinsText(own)} are staked for ${purposeText(resource)} and not lent.`] : []),
      ...(receiver !== undefined && receiver.account === undefined
        ? ["The receiver is not activated: the chain lends to accounts that exist."]
        : []),
    ],
  };
}

function undelegateWords({ amount, resource }: IntentOf<"undelegate">, facts: SystemFacts): SystemWords {
  const { owner, receiver } = facts;
  return {
    effect: `you: ${movedText(owner, resource, amount)}`,
    action: `Take back the ${UNITS[resource]} of ${coinsText(amount)}`,
    lines: [
      `Takes back: what ${bothUnits(amount)} bring, with what was used of it`,
      `From: ${receiverText(facts)}`,
      `Receiver: ${movedText(receiver, resource, -amount)}`,
      `You: ${movedText(owner, resource, amount)}`,
    ],
    doubts: [],
  };
}

/** FreezeBalanceV2Actuator, DelegateResourceActuator. */
function tooLittle(amount: Sun): readonly string[] {
  return amount < SUN_PER_COIN ? ["The chain takes at least 1 coin."] : [];
}

function receiverText({ receiver }: SystemFacts): string {
  return receiver === undefined ? "nobody" : partyText(receiver.party);
}

/** Lending moves a share and changes no weight. */
function movedText(facts: AccountFacts | undefined, resource: Resource, added: bigint): string {
  const [before, after] = (facts && limitsOf(facts, resource, added, false)) ?? [];
  if (before === undefined || after === undefined) return "this gateway does not tell what it may use";
  return `${grouped(before)} → ${grouped(after)} ${UNITS[resource]} a day`;
}

function lockText(lockPeriod: bigint | undefined): string {
  if (lockPeriod === undefined) return "whenever you want";
  const blocks = counted(lockPeriod, "block");
  return `not before ${blocks} have passed, ${roughly(Number(lockPeriod) * BLOCK_INTERVAL_MS)} from now`;
}

/** What of the stake that is on its way back is there by now, and what is not. */
function unstakingOf({ owner, headTimestamp }: SystemFacts) {
  const all = owner.account?.stakes?.unstaking ?? [];
  const due: Sun = sun(all.filter((it) => it.due <= headTimestamp).reduce((sum, { amount }) => sum + amount, 0n));
  return { due, waiting: all.filter((it) => it.due > headTimestamp) };
}

function delayDays(parameters: ChainParameters): number {
  return Number(parameters.get("getUnfreezeDelayDays") ?? 0n);
}

function delayText(parameters: ChainParameters): string {
  return counted(delayDays(parameters), "day");
}

function wholeCoins(amount: bigint): bigint {
  return abs(amount) / SUN_PER_COIN;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** All that a person sees before a transaction of the system's own contracts is signed. */
export interface SystemReview {
  readonly words: SystemWords;
  readonly network: string;
  readonly production: boolean;
  readonly from: Party;
  readonly cost: TransferCost;
  readonly expiry: Expiry;
  /** What it would cost to prove that no block holds it. */
  readonly proofCost: ProofCost;
  readonly matchingFields: number;
}

/** The question before signing: what moves, what it costs, and that the bytes say no more. */
export function systemReviewText(review: SystemReview): { readonly title: string; readonly detail: string } {
  const { words, network, production, from, matchingFields } = review;
  const expiry = expiryWords(review.expiry);
  const alarms = [...(expiry.alarm === undefined ? [] : [expiry.alarm]), ...words.doubts];
  const lines = [
    ...alarms.flatMap((it) => [`⚠ ${it}`, ""]),
    `Network: ${visibleLine(network)}${production ? " (real money)" : ""}`,
    `From: ${partyText(from)}`,
    ...words.lines,
    `Costs: ${costText(review.cost)}`,
    expiry.line,
    `If it gets lost: proof after that time, from ${describeProofCost(review.proofCost)}`,
    "",
    `The bytes say exactly what you asked: ${matchingFields} of ${matchingFields} fields match.`,
  ];
  const title = words.doubts.length === 0 ? `${words.action}?` : `${words.action} although the chain would refuse it?`;
  return { title, detail: lines.join("\n") };
}
