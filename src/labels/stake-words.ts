import { dailyLimit, dailyLimitAfter, totalsOf } from "@finality/client/estimates";
import type { ChainParameters } from "@finality/client/gateway";
import { bothUnits, coinsText, counted, grouped, roughly } from "@finality/tron/format";
import { BLOCK_INTERVAL_MS, SUN_PER_COIN, type Sun, sun } from "@finality/tron/primitives";
import type { IntentOf, Resource, StakePurpose } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { purposeText } from "./intents.ts";
import { type AccountFacts, receiverText, type SystemFacts, type SystemWords } from "./system-words.ts";

type StakeIntent = IntentOf<"stake" | "unstake" | "withdraw" | "cancel-unstakes" | "delegate" | "undelegate">;

const DAY_MS = 86_400_000;
/** Parts of a stake that may be on their way back at the same time. */
const MAX_UNSTAKING = 32;
const NOTHING = sun(0n);
const UNITS = { BANDWIDTH: t`bytes of bandwidth`, ENERGY: t`energy` };

/** Says what a stake brings and takes, what both sides of a loan can use after it, and what comes back when. */
export function stakeIntentWords(intent: StakeIntent, facts: SystemFacts): SystemWords {
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
  const { account } = facts.owner;
  const balance = account === undefined ? NOTHING : account.balance;
  const effect = bringsText(facts.owner, resource, amount);
  return {
    effect,
    action: t`Stake ${coinsText(amount, facts.symbol)} for ${purposeText(resource)}`,
    lines: [t`Stakes: ${bothUnits(amount, facts.symbol)}`, t`Brings: ${effect}`, laterText(facts)],
    doubts: [
      ...tooLittle(amount),
      ...(balance !== undefined && amount > balance ? [t`The account has ${coinsText(balance, facts.symbol)}.`] : []),
    ],
  };
}

/** @param added - sun, negative for what is taken away */
function bringsText({ account, resources }: AccountFacts, purpose: StakePurpose, added: bigint): string {
  if (purpose === "TRON_POWER") return t`${grouped(wholeCoins(added))} votes`;
  const [before, after] = limitsOf({ account, resources }, purpose, added, true) ?? [];
  if (before === undefined || after === undefined) return t`an amount that this gateway does not tell`;
  return t`about ${grouped(abs(after - before))} ${UNITS[purpose]} a day at today's weight: ${grouped(before)} → ${grouped(after)}`;
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
  const stake = sun((stakes?.own[resource] ?? 0n) + (stakes?.received[resource] ?? 0n));
  return [dailyLimit(stake, totals), dailyLimitAfter(stake, added, totals, weighs)];
}

function unstakeWords({ amount, resource }: IntentOf<"unstake">, facts: SystemFacts): SystemWords {
  const { owner } = facts;
  const { due, waiting } = unstakingOf(facts);
  const own = owner.account?.stakes?.own[resource] ?? NOTHING;
  const effect = bringsText(owner, resource, -amount);
  return {
    effect: t`takes away ${effect}`,
    action: t`Unstake ${coinsText(amount, facts.symbol)} from ${purposeText(resource)}`,
    lines: [
      t`Unstakes: ${bothUnits(amount, facts.symbol)} of ${coinsText(own, facts.symbol)}`,
      t`Takes away: ${effect}`,
      dueText(facts),
      ...(due > 0n ? [t`Withdraws too: ${bothUnits(due, facts.symbol)} that came back`] : []),
      t`Votes: those that the rest of the stake does not carry are taken back`,
    ],
    doubts: [
      ...(amount > own
        ? [t`Only ${coinsText(own, facts.symbol)} are staked for ${purposeText(resource)} and not lent.`]
        : []),
      ...(waiting.length >= MAX_UNSTAKING
        ? [t`${waiting.length} parts of the stake are on their way back, and the chain allows ${MAX_UNSTAKING}.`]
        : []),
    ],
  };
}

function withdrawWords(facts: SystemFacts): SystemWords {
  const { due, waiting } = unstakingOf(facts);
  const later = waiting.map(
    ({ amount, due: time }) => t`Later: ${coinsText(amount, facts.symbol)} on ${facts.timeOf(time)}`,
  );
  return {
    effect: t`${coinsText(due, facts.symbol)} due`,
    action: t`Withdraw ${coinsText(due, facts.symbol)}`,
    lines: [t`Withdraws: ${bothUnits(due, facts.symbol)} that came back from stakes`, ...later],
    doubts: due > 0n ? [] : [t`Nothing has come back yet.`],
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
    effect: t`${counted(waiting.length, t`unstake`, t`unstakes`)} cancelled`,
    action: t`Cancel all unstakes`,
    lines: [
      ...again.map(
        ({ purpose, amount }) => t`Stakes again: ${bothUnits(amount, facts.symbol)} for ${purposeText(purpose)}`,
      ),
      ...(due > 0n ? [t`Withdraws: ${bothUnits(due, facts.symbol)} that came back`] : []),
    ],
    doubts: again.length === 0 && due === 0n ? [t`Nothing is on its way back.`] : [],
  };
}

function delegateWords(intent: IntentOf<"delegate">, facts: SystemFacts): SystemWords {
  const { amount, resource, lockPeriod } = intent;
  const { owner, receiver } = facts;
  const own = owner.account?.stakes?.own[resource] ?? NOTHING;
  return {
    effect: t`receiver: ${movedText(receiver, resource, amount)}`,
    action: t`Delegate the ${UNITS[resource]} of ${coinsText(amount, facts.symbol)}`,
    lines: [
      t`Lends: what ${bothUnits(amount, facts.symbol)} of your ${coinsText(own, facts.symbol)} staked for ${purposeText(resource)} bring; the coins stay yours`,
      t`To: ${receiverText(facts)}`,
      t`Receiver: ${movedText(receiver, resource, amount)}`,
      t`You: ${movedText(owner, resource, -amount)}`,
      t`Taken back: ${lockText(lockPeriod)}`,
    ],
    doubts: [
      ...tooLittle(amount),
      ...(amount > own
        ? [t`Only ${coinsText(own, facts.symbol)} are staked for ${purposeText(resource)} and not lent.`]
        : []),
      ...(receiver !== undefined && receiver.account === undefined
        ? [t`The receiver is not activated: the chain lends to accounts that exist.`]
        : []),
    ],
  };
}

function undelegateWords({ amount, resource }: IntentOf<"undelegate">, facts: SystemFacts): SystemWords {
  const { owner, receiver } = facts;
  return {
    effect: t`you: ${movedText(owner, resource, amount)}`,
    action: t`Take back the ${UNITS[resource]} of ${coinsText(amount, facts.symbol)}`,
    lines: [
      t`Takes back: what ${bothUnits(amount, facts.symbol)} bring, with what was used of it`,
      t`From: ${receiverText(facts)}`,
      t`Receiver: ${movedText(receiver, resource, -amount)}`,
      t`You: ${movedText(owner, resource, amount)}`,
    ],
    doubts: [],
  };
}

/** FreezeBalanceV2Actuator, DelegateResourceActuator. */
function tooLittle(amount: Sun): readonly string[] {
  return amount < SUN_PER_COIN ? [t`The chain takes at least 1 coin.`] : [];
}

/** Lending moves a share and changes no weight. */
function movedText(facts: AccountFacts | undefined, resource: Resource, added: bigint): string {
  const [before, after] = (facts && limitsOf(facts, resource, added, false)) ?? [];
  if (before === undefined || after === undefined) return t`this gateway does not tell what it may use`;
  return t`${grouped(before)} → ${grouped(after)} ${UNITS[resource]} a day`;
}

function lockText(lockPeriod: bigint | undefined): string {
  if (lockPeriod === undefined) return t`whenever you want`;
  const blocks = counted(lockPeriod, t`block`, t`blocks`);
  return t`not before ${blocks} have passed, ${roughly(Number(lockPeriod) * BLOCK_INTERVAL_MS)} from now`;
}

/** What of the stake that is on its way back is there by now, and what is not. */
function unstakingOf({ owner, headTimestamp }: SystemFacts) {
  const all = owner.account?.stakes?.unstaking ?? [];
  const due: Sun = sun(all.filter((it) => it.due <= headTimestamp).reduce((sum, { amount }) => sum + amount, 0n));
  return { due, waiting: all.filter((it) => it.due > headTimestamp) };
}

/** Undefined where the gateway does not return it: no date is assumed. */
function delayDays(parameters: ChainParameters): number | undefined {
  const days = parameters.get("getUnfreezeDelayDays");
  return days === undefined ? undefined : Number(days);
}

function laterText({ parameters }: SystemFacts): string {
  const days = delayDays(parameters);
  return days === undefined
    ? t`Comes back: unstake it whenever you want; the gateway does not report how many days later the coins can be withdrawn (getUnfreezeDelayDays)`
    : t`Comes back: unstake it whenever you want; ${counted(days, t`day`, t`days`)} later the coins can be withdrawn`;
}

function dueText({ parameters, headTimestamp, timeOf }: SystemFacts): string {
  const days = delayDays(parameters);
  return days === undefined
    ? t`Comes back: on a day that the gateway does not report (getUnfreezeDelayDays); withdraw it then`
    : t`Comes back: ${timeOf(headTimestamp + days * DAY_MS)}, ${counted(days, t`day`, t`days`)} from now by the chain's time; withdraw it then`;
}

function wholeCoins(amount: bigint): bigint {
  return abs(amount) / SUN_PER_COIN;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
