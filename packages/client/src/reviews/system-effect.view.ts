import {
  bothUnits,
  coinsText,
  counted,
  formatTokenAmount,
  grouped,
  percent,
  roughly,
  shortAddress,
  votesText,
} from "@finality/tron/format";
import {
  type Address,
  BLOCK_INTERVAL_MS,
  type ForeignText,
  foreignText,
  isBlank,
  SUN_PER_COIN,
  type Sun,
  sun,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import type { Intent, IntentOf, Resource, StakePurpose } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import {
  dailyLimit,
  dailyLimitAfter,
  MAX_VOTED_FOR,
  rankWitnesses,
  sumOfVotes,
  totalsOf,
  voteChanges,
} from "../estimates/stakes.ts";
import type {
  Account,
  AccountResources,
  ChainParameters,
  DeployedContract,
  Trc10Token,
  Vote,
  Witness,
} from "../gateway/gateway.ts";
import { purposeText } from "../labels/intents.ts";
import type { KeysHere } from "../labels/permissions.ts";
import { type Party, partyText, quoted } from "../labels/reviews.ts";

/** An intent that a system contract executes. */
export type SystemIntent = Exclude<Intent, IntentOf<"transfer" | "contract-call" | "contract-creation" | "other">>;

/** An account and its resources; both absent if it is not activated. */
export interface AccountFacts {
  readonly account: Account | undefined;
  readonly resources: AccountResources | undefined;
}

/** Witnesses and their commission. */
export interface Voting {
  readonly witnesses: readonly Witness[];
  /** Share of the rewards that a witness retains, in percent, if requested. */
  readonly rates: ReadonlyMap<Address, bigint>;
}

/** State of the chain and of the accounts of an intent. */
export interface SystemFacts {
  readonly owner: AccountFacts;
  /** The receiver, or the account that is created. */
  readonly receiver?: (AccountFacts & { readonly party: Party }) | undefined;
  /** Absent if there is no contract at this address. */
  readonly contract?: DeployedContract | undefined;
  /** Unclaimed reward of votes, sun. */
  readonly reward?: Sun | undefined;
  /** Absent if there is no token with this number. */
  readonly token?: Trc10Token | undefined;
  /** Refusal of the node. */
  readonly refusal?: ForeignText | undefined;
  /** Keys here, for permission changes. */
  readonly keysHere?: KeysHere | undefined;
  /** Present for votes. */
  readonly voting?: Voting | undefined;
  readonly parameters: ChainParameters;
  /** Symbol of the network's coin; undefined if unknown. */
  readonly symbol?: string | undefined;
  /** Chain time of the newest block, ms. */
  readonly headTimestamp: number;
  /** Formats a time in the user's locale. */
  readonly timeOf: (ms: number) => string;
}

/** Effect of a system intent, as the review shows it. */
export interface SystemEffect {
  /** `Stake 100 coins for energy`. */
  readonly action: string;
  readonly lines: readonly string[];
  /** Warnings that come first, as sentences. */
  readonly alarms?: readonly string[];
  /** Short result, for prompts. */
  readonly effect: string;
  /** Reasons why the chain would refuse it, as sentences. */
  readonly doubts: readonly string[];
}

/** The receiver, or the account that is created. */
function receiverText({ receiver }: SystemFacts): string {
  return receiver === undefined ? t`not known` : partyText(receiver.party);
}

type StakeIntent = IntentOf<"stake" | "unstake" | "withdraw" | "cancel-unstakes" | "delegate" | "undelegate">;

const DAY_MS = 86_400_000;
/** Maximum number of pending unstakes. */
const MAX_UNSTAKING = 32;
const NOTHING = sun(0n);
const UNITS = { BANDWIDTH: t`bytes of bandwidth`, ENERGY: t`energy` };

/** Returns the effect of staking and delegation: resources of both sides and return dates. */
export function stakeIntentEffect(intent: StakeIntent, facts: SystemFacts): SystemEffect {
  switch (intent.kind) {
    case "stake":
      return stakeEffect(intent, facts);
    case "unstake":
      return unstakeEffect(intent, facts);
    case "withdraw":
      return withdrawEffect(facts);
    case "cancel-unstakes":
      return cancelEffect(facts);
    case "delegate":
      return delegateEffect(intent, facts);
    case "undelegate":
      return undelegateEffect(intent, facts);
  }
}

function stakeEffect({ amount, resource }: IntentOf<"stake">, facts: SystemFacts): SystemEffect {
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

/** @param added - sun; negative for a reduction */
function bringsText({ account, resources }: AccountFacts, purpose: StakePurpose, added: bigint): string {
  if (purpose === "TRON_POWER") return t`${grouped(wholeCoins(added))} votes`;
  const [before, after] = limitsOf({ account, resources }, purpose, added, true) ?? [];
  if (before === undefined || after === undefined) return t`an amount that this gateway does not report`;
  return t`about ${grouped(abs(after - before))} ${UNITS[purpose]} a day at the current total stake: ${grouped(before)} → ${grouped(after)}`;
}

/** Returns an account's daily limit before and after; undefined if the gateway does not report it. */
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

function unstakeEffect({ amount, resource }: IntentOf<"unstake">, facts: SystemFacts): SystemEffect {
  const { owner } = facts;
  const { due, waiting } = unstakingOf(facts);
  const own = owner.account?.stakes?.own[resource] ?? NOTHING;
  const effect = bringsText(owner, resource, -amount);
  return {
    effect: t`removes ${effect}`,
    action: t`Unstake ${coinsText(amount, facts.symbol)} from ${purposeText(resource)}`,
    lines: [
      t`Unstakes: ${bothUnits(amount, facts.symbol)} of ${coinsText(own, facts.symbol)}`,
      t`Removes: ${effect}`,
      dueText(facts),
      ...(due > 0n ? [t`Also withdraws: ${bothUnits(due, facts.symbol)} from finished unstakes`] : []),
      t`Votes: the chain removes votes that the remaining stake does not cover`,
    ],
    doubts: [
      ...(amount > own
        ? [t`Only ${coinsText(own, facts.symbol)} are staked for ${purposeText(resource)} and not delegated.`]
        : []),
      ...(waiting.length >= MAX_UNSTAKING
        ? [t`${waiting.length} unstakes are pending, and the chain allows ${MAX_UNSTAKING}.`]
        : []),
    ],
  };
}

function withdrawEffect(facts: SystemFacts): SystemEffect {
  const { due, waiting } = unstakingOf(facts);
  const later = waiting.map(
    ({ amount, due: time }) => t`Later: ${coinsText(amount, facts.symbol)} on ${facts.timeOf(time)}`,
  );
  return {
    effect: t`${coinsText(due, facts.symbol)} due`,
    action: t`Withdraw ${coinsText(due, facts.symbol)}`,
    lines: [t`Withdraws: ${bothUnits(due, facts.symbol)} from finished unstakes`, ...later],
    doubts: due > 0n ? [] : [t`No unstake has finished yet.`],
  };
}

function cancelEffect(facts: SystemFacts): SystemEffect {
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
      ...(due > 0n ? [t`Withdraws: ${bothUnits(due, facts.symbol)} from finished unstakes`] : []),
    ],
    doubts: again.length === 0 && due === 0n ? [t`No unstake is pending.`] : [],
  };
}

function delegateEffect(intent: IntentOf<"delegate">, facts: SystemFacts): SystemEffect {
  const { amount, resource, lockPeriod } = intent;
  const { owner, receiver } = facts;
  const own = owner.account?.stakes?.own[resource] ?? NOTHING;
  return {
    effect: t`receiver: ${movedText(receiver, resource, amount)}`,
    action: t`Delegate the ${UNITS[resource]} of ${coinsText(amount, facts.symbol)}`,
    lines: [
      t`Delegates: the resources of ${bothUnits(amount, facts.symbol)} of your ${coinsText(own, facts.symbol)} staked for ${purposeText(resource)}; the coins stay yours`,
      t`To: ${receiverText(facts)}`,
      t`Receiver: ${movedText(receiver, resource, amount)}`,
      t`You: ${movedText(owner, resource, -amount)}`,
      t`Taken back: ${lockText(lockPeriod)}`,
    ],
    doubts: [
      ...tooLittle(amount),
      ...(amount > own
        ? [t`Only ${coinsText(own, facts.symbol)} are staked for ${purposeText(resource)} and not delegated.`]
        : []),
      ...(receiver !== undefined && receiver.account === undefined
        ? [t`The receiver is not activated: only existing accounts can receive a delegation.`]
        : []),
    ],
  };
}

function undelegateEffect({ amount, resource }: IntentOf<"undelegate">, facts: SystemFacts): SystemEffect {
  const { owner, receiver } = facts;
  return {
    effect: t`you: ${movedText(owner, resource, amount)}`,
    action: t`Take back the ${UNITS[resource]} of ${coinsText(amount, facts.symbol)}`,
    lines: [
      t`Takes back: the resources of ${bothUnits(amount, facts.symbol)}, including what was used of them`,
      t`From: ${receiverText(facts)}`,
      t`Receiver: ${movedText(receiver, resource, -amount)}`,
      t`You: ${movedText(owner, resource, amount)}`,
    ],
    doubts: [],
  };
}

/** FreezeBalanceV2Actuator, DelegateResourceActuator. */
function tooLittle(amount: Sun): readonly string[] {
  return amount < SUN_PER_COIN ? [t`The minimum is 1 coin.`] : [];
}

/** Returns the daily limits of a delegation, which changes no total weight. */
function movedText(facts: AccountFacts | undefined, resource: Resource, added: bigint): string {
  const [before, after] = (facts && limitsOf(facts, resource, added, false)) ?? [];
  if (before === undefined || after === undefined) return t`this gateway does not report the limits`;
  return t`${grouped(before)} → ${grouped(after)} ${UNITS[resource]} a day`;
}

function lockText(lockPeriod: bigint | undefined): string {
  if (lockPeriod === undefined) return t`at any time`;
  const blocks = counted(lockPeriod, t`block`, t`blocks`);
  return t`after ${blocks}, ${roughly(Number(lockPeriod) * BLOCK_INTERVAL_MS)} from now`;
}

/** Splits unstakes into due and waiting ones. */
function unstakingOf({ owner, headTimestamp }: SystemFacts) {
  const all = owner.account?.stakes?.unstaking ?? [];
  const due: Sun = sun(all.filter((it) => it.due <= headTimestamp).reduce((sum, { amount }) => sum + amount, 0n));
  return { due, waiting: all.filter((it) => it.due > headTimestamp) };
}

/** Returns undefined if the gateway does not report it: no date is assumed. */
function delayDays(parameters: ChainParameters): number | undefined {
  const days = parameters.get("getUnfreezeDelayDays");
  return days === undefined ? undefined : Number(days);
}

function laterText({ parameters }: SystemFacts): string {
  const days = delayDays(parameters);
  return days === undefined
    ? t`Available: unstake it at any time; the gateway does not report how many days later the coins can be withdrawn (getUnfreezeDelayDays)`
    : t`Available: unstake it at any time; ${counted(days, t`day`, t`days`)} later the coins can be withdrawn`;
}

function dueText({ parameters, headTimestamp, timeOf }: SystemFacts): string {
  const days = delayDays(parameters);
  return days === undefined
    ? t`Available: on a day that the gateway does not report (getUnfreezeDelayDays); withdraw it then`
    : t`Available: ${timeOf(headTimestamp + days * DAY_MS)}, ${counted(days, t`day`, t`days`)} from now by the chain's time; withdraw it then`;
}

function wholeCoins(amount: bigint): bigint {
  return abs(amount) / SUN_PER_COIN;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

const NO_VOTING: Voting = { witnesses: [], rates: new Map() };

/** Returns the effect of a vote: receivers, replaced votes, free votes and when they count. */
export function voteEffect({ votes }: IntentOf<"vote">, facts: SystemFacts): SystemEffect {
  const { account, resources } = facts.owner;
  const { voting = NO_VOTING } = facts;
  const former = account?.votes ?? [];
  const power = resources?.votingPower;
  const sum = sumOfVotes(votes);
  const free = power === undefined || sum > power ? [] : [t`Unused: ${grouped(power - sum)} of ${votesText(power)}`];
  return {
    action: t`Give ${votesText(sum)} to ${counted(votes.length, t`witness`, t`witnesses`)}`,
    lines: [
      ...votes.map((it) => t`Votes: ${grouped(it.count)} for ${witnessText(it.witness, voting)}`),
      former.length === 0
        ? t`Replaces: nothing, because this account has no votes yet`
        : t`Replaces: all previous votes of this account, ${formerText(former, voting)}`,
      ...(former.length === 0 ? [] : [t`Changes: ${changesText(former, votes, voting)}`]),
      ...free,
      t`Counts: from the next vote count, ${countText(facts)}; they earn rewards from then on`,
    ],
    effect: effectText(sum, power),
    doubts: warningsOf(votes, facts),
  };
}

function effectText(sum: bigint, power: bigint | undefined): string {
  if (power === undefined) return t`this gateway does not report how many votes you have`;
  return power < sum ? t`you have ${grouped(power)}` : t`${grouped(power - sum)} of ${votesText(power)} remain unused`;
}

function formerText(former: readonly Vote[], voting: Voting): string {
  const parts = former.map(({ witness, count }) => t`${grouped(count)} for ${nameOf(witness, voting)}`);
  return parts.join(t`, `);
}

function changesText(former: readonly Vote[], votes: readonly Vote[], voting: Voting): string {
  const changes = voteChanges(former, votes).map(
    ({ witness, before, after }) => `${nameOf(witness, voting)} ${grouped(before)} → ${grouped(after)}`,
  );
  return changes.length === 0 ? t`nothing, your votes are the same already` : changes.join(t`, `);
}

function countText({ parameters }: SystemFacts): string {
  const interval = parameters.get("getMaintenanceTimeInterval");
  return interval === undefined ? t`at a time that the gateway does not report` : t`every ${roughly(Number(interval))}`;
}

/** Describes a witness: its address first, its own claim last. */
function witnessText(address: Address, voting: Voting): string {
  const witness = voting.witnesses.find((it) => it.address === address);
  const rate = voting.rates.get(address);
  const facts = witness === undefined ? [] : witnessFacts(witness, voting.witnesses);
  const notes = rate === undefined ? [] : [rateText(rate)];
  const claim = witness === undefined || isBlank(witness.url) ? [] : [t`calls itself ${quoted(witness.url)}`];
  return [toBase58(address), ...facts, ...notes, ...claim].join(" · ");
}

/** Returns the text of a witness's share of rewards. */
export function rateText(rate: bigint): string {
  return t`keeps ${percent(rate)} of rewards`;
}

/** Returns a witness's rank and whether it produces blocks. */
export function witnessFacts(witness: Witness, all: readonly Witness[]): readonly string[] {
  const rank = rankWitnesses(all).findIndex((it) => it.address === witness.address) + 1;
  return [t`rank ${rank}`, witness.producesBlocks ? t`produces blocks` : t`produces no blocks`];
}

function nameOf(address: Address, { witnesses }: Voting): string {
  const witness = witnesses.find((it) => it.address === address);
  const named = witness === undefined || isBlank(witness.url) ? "" : ` ${quoted(witness.url)}`;
  return `${shortAddress(address)}${named}`;
}

/** VoteWitnessActuator. */
function warningsOf(votes: readonly Vote[], { owner, voting }: SystemFacts): readonly string[] {
  const power = owner.resources?.votingPower;
  const sum = sumOfVotes(votes);
  const strangers = votes.filter(({ witness }) => !voting?.witnesses.some((it) => it.address === witness));
  return [
    ...(votes.length === 0 ? [t`No votes are given. The chain does not accept an empty vote.`] : []),
    ...(votes.length > MAX_VOTED_FOR
      ? [t`The chain accepts votes for at most ${MAX_VOTED_FOR} witnesses, and these are ${votes.length}.`]
      : []),
    ...(votes.some(({ count }) => count <= 0n) ? [t`Each witness needs at least 1 vote.`] : []),
    ...strangers.map(({ witness }) => t`${toBase58(witness)} is not a witness.`),
    ...(owner.account === undefined ? [t`This account is not activated.`] : []),
    ...(power !== undefined && sum > power ? [powerText(power)] : []),
  ];
}

function powerText(power: bigint): string {
  return power === 0n
    ? t`The account has no votes. Stake coins first, for votes if the chain separates them: each whole coin is one vote.`
    : t`The account has ${votesText(power)}: each whole coin of a stake that counts for votes is one vote.`;
}

export function rewardEffect({ reward, owner, symbol, headTimestamp, timeOf }: SystemFacts): SystemEffect {
  const known = reward ?? sun(0n);
  const last = owner.account?.rewardWithdrawnAt ?? 0;
  const early = last > 0 && headTimestamp - last < DAY_MS;
  return {
    action: t`Withdraw ${coinsText(known, symbol)} of reward`,
    lines: [
      t`Withdraws: ${bothUnits(known, symbol)} that votes have earned so far, and what they earn until the block`,
      t`Next time: the chain allows it once in 24 hours`,
    ],
    effect: t`${coinsText(known, symbol)} to withdraw`,
    doubts: [
      ...(known > 0n ? [] : [t`There is no reward to withdraw.`]),
      ...(early ? [t`The chain allows it once in 24 hours: next at ${timeOf(last + DAY_MS)} by its time.`] : []),
    ],
  };
}

/** Returns the effect of a TRC-10 transfer. The number comes first, because the name is the issuer's claim. */
export function trc10Effect({ tokenId, amount }: IntentOf<"token-transfer">, facts: SystemFacts): SystemEffect {
  const { token, owner, receiver } = facts;
  const has = owner.account?.trc10?.get(tokenId) ?? 0n;
  const shown = token === undefined ? "" : t` = ${formatTokenAmount(amount, token)} in the issuer's decimals`;
  const left = t`${grouped(has)} units on this account`;
  return {
    action: t`Send ${grouped(amount)} units of token ${tokenId}`,
    lines: [
      t`Token: ${tokenId}${token === undefined ? "" : t`, calls itself ${quoted(token.name)}`}`,
      t`Amount: ${grouped(amount)} units${shown}`,
      t`To: ${receiverText(facts)}`,
      ...(receiver?.account === undefined ? [t`Creates: the account of the receiver`] : []),
    ],
    effect: left,
    doubts: [
      ...(token === undefined ? [t`No token has the number ${tokenId}.`] : []),
      ...(amount > has ? [t`There are ${left}.`] : []),
    ],
  };
}

export function creationEffect(facts: SystemFacts): SystemEffect {
  return {
    action: t`Create an account`,
    lines: [t`Creates: ${receiverText(facts)}`, t`It starts without coins; only its own key controls it`],
    effect: t`a new account`,
    doubts: facts.receiver?.account === undefined ? [] : [t`This account exists already.`],
  };
}

/** UpdateAccountActuator. */
const MAX_NAME_BYTES = 200;

export function accountNameEffect({ name }: IntentOf<"account-name">): SystemEffect {
  const bytes = Buffer.byteLength(name);
  return {
    action: t`Name the account on the chain`,
    lines: [t`Name: ${visibleLine(name)}`, t`The name is public; on most chains it can be set only once`],
    effect: counted(bytes, t`byte`, t`bytes`),
    doubts:
      bytes > MAX_NAME_BYTES ? [t`The chain allows at most ${MAX_NAME_BYTES} bytes, and this name has ${bytes}.`] : [],
  };
}

type ContractSetting = IntentOf<"contract-share" | "contract-limit" | "contract-abi-removal">;

export function contractEffect(intent: ContractSetting, { contract }: SystemFacts): SystemEffect {
  const named =
    contract === undefined || contract.name === "" ? "" : t`, calls itself ${quoted(foreignText(contract.name))}`;
  const { action, lines } = settingEffect(intent, contract);
  return {
    action,
    lines: [t`Contract: ${toBase58(intent.contract)}${named}`, ...lines],
    effect: lines[0] ?? "",
    doubts: [
      ...(contract === undefined ? [t`There is no contract at this address.`] : []),
      ...(contract !== undefined && contract.owner !== intent.owner
        ? [t`Only ${toBase58(contract.owner)}, who deployed it, may change it.`]
        : []),
    ],
  };
}

function settingEffect(
  intent: ContractSetting,
  contract: DeployedContract | undefined,
): Pick<SystemEffect, "action" | "lines"> {
  const from = (now: string | undefined): string => (now === undefined ? "" : `${now} → `);
  switch (intent.kind) {
    case "contract-share":
      return {
        action: t`Let callers pay ${percent(intent.userPercent)} of the energy`,
        lines: [
          t`Callers pay: ${from(contract && percent(contract.callerPercent))}${percent(intent.userPercent)} of the energy of a call`,
          t`You pay: up to ${percent(100n - intent.userPercent)} of it, only from your staked energy and within the contract's energy limit`,
        ],
      };
    case "contract-limit":
      return {
        action: t`Pay up to ${grouped(intent.originEnergyLimit)} energy for a call`,
        lines: [
          t`You pay at most: ${from(contract && grouped(contract.ownerEnergyLimit))}${grouped(intent.originEnergyLimit)} energy for one call`,
          t`Callers pay the rest`,
        ],
      };
    case "contract-abi-removal":
      return {
        action: t`Clear the ABI`,
        lines: [
          t`Removes permanently: the public names of functions and events; the code does not change`,
          t`Tools that read the ABI from the chain can no longer name its calls; keep the artifact`,
        ],
      };
  }
}
