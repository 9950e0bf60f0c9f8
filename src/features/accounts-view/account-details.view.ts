import { dailyLimit, type ResourceUse, resourceUses, sumOfVotes, totalsOf } from "@finality/client/estimates";
import type {
  Account,
  AccountResources,
  AccountStakes,
  Delegation,
  ResourceTotals,
  Trc10Token,
  Unstaking,
  Vote,
} from "@finality/client/gateway";
import { policyFromJson } from "@finality/client/keys";
import { policyText, purposeText, quoted } from "@finality/client/labels";
import {
  bothUnits,
  coinsText,
  counted,
  formatTokenAmount,
  grouped,
  inlineCode,
  localTime,
  markdownText,
  type NameOf,
  shortAddress,
  timeAhead,
  votesText,
} from "@finality/tron/format";
import { type Address, defined, SUN_PER_COIN, type Sun, sun, toBase58 } from "@finality/tron/primitives";
import type { Resource, StakePurpose } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { AccountDetails, Balance, DetailArgument, DetailRow, NamedAccount, TooltipLine } from "./account.view.ts";

/** Details of an account whose row is expanded, with a function that names other accounts. */
export interface OpenAccount {
  readonly account: Account;
  /** Undefined while they load. */
  readonly details?: AccountDetails;
  /** Name of the network whose gateway reported the details. */
  readonly network: string;
  /** Symbol of its coin; undefined if unknown. */
  readonly symbol?: string | undefined;
  readonly nameOf: NameOf;
}

const DAY_MS = 86_400_000;

/** Describes everything that an account has besides its balance. Omits empty categories, except the common ones. */
export function detailRows(open: OpenAccount): readonly DetailRow[] {
  const { account, details } = open;
  const { stakes, missingPath } = account;
  const uses = details === undefined ? [LOADING] : resourceRows(account, details, open.symbol);
  if (missingPath !== undefined)
    return [...uses, unreportedAccountRow(missingPath)].map((it) => withSource(it, sourceOf(open)));
  const rows = [
    ...uses,
    ...(stakes === undefined ? [] : [stakedRow(stakes, open.symbol)]),
    ...delegationRows(open, OUT),
    ...delegationRows(open, IN),
    ...unstakingRows(stakes?.unstaking ?? [], details?.headTimestamp, open.symbol),
    votesRow(open),
    ...(details === undefined ? [] : [rewardRow(account, details, open.symbol)]),
    ...tokenRows(account, details),
  ];
  return rows.map((it) => withSource(it, sourceOf(open)));
}

function sourceOf({ network }: OpenAccount): TooltipLine {
  return { name: t`Reported by`, value: network };
}

/** Lists in one row the details that the gateway does not report. */
function unreportedAccountRow(path: string): DetailRow {
  const unreported = unreportedRow("untold", t`Stakes, votes and tokens`);
  return { ...unreported, tooltip: [{ name: t`Needed`, value: t`${path}, which this gateway does not serve` }] };
}

/** Adds the gateway as the source, because none of these details is proven. */
function withSource(parent: DetailRow, source: TooltipLine): DetailRow {
  const { children, tooltip } = parent;
  const below = children === undefined ? {} : { children: children.map((it) => withSource(it, source)) };
  return { ...parent, ...below, tooltip: [...tooltip, source] };
}

const LOADING = row({ id: "reading", label: t`Bandwidth and energy`, icon: "loading~spin" }, [t`loading…`]);
const PURPOSES: readonly StakePurpose[] = ["ENERGY", "BANDWIDTH", "TRON_POWER"];
/** Names of resources in arguments of commands. */
const RESOURCES = { ENERGY: "energy", BANDWIDTH: "bandwidth", TRON_POWER: "votes" } as const;

function stakedRow({ own, delegated }: AccountStakes, symbol: string | undefined): DetailRow {
  const [here, away] = [sumOf(Object.values(own)), sumOf(Object.values(delegated))];
  const all = sun(here + away);
  const head = { id: "staked", label: t`Staked`, icon: "lock", menu: "staked" };
  const parent = row(
    head,
    [all === 0n ? t`nothing` : coinsText(all, symbol)],
    [
      {
        name: t`Sum`,
        value: t`${coinsText(here, symbol)} own + ${coinsText(away, symbol)} delegated = ${bothUnits(all, symbol)}`,
      },
      { name: t`Unstake…`, value: t`returns it after the delay that the chain sets` },
    ],
  );
  const parts = PURPOSES.filter((it) => own[it] > 0n).map((it) =>
    row(
      {
        ...{ id: `staked/${it}`, label: t`For ${purposeText(it)}`, icon: "lock" },
        ...{ menu: it === "TRON_POWER" ? "stake.votes" : "stake", argument: { resource: RESOURCES[it] } },
      },
      [coinsText(own[it], symbol)],
      [{ name: t`Staked`, value: t`${bothUnits(own[it], symbol)}, without delegated stake` }],
    ),
  );
  return withRows(parent, parts);
}

function sumOf(amounts: readonly Sun[]): Sun {
  return sun(amounts.reduce((sum, it) => sum + it, 0n));
}

/** One direction of delegations: received or granted. */
interface Way {
  readonly id: string;
  readonly menu: string;
  readonly label: string;
  readonly icon: string;
  readonly word: string;
  readonly of: (stakes: AccountStakes) => AccountStakes["delegated"];
  readonly self: (delegation: Delegation) => Address;
  readonly partner: (delegation: Delegation) => Address;
}

const OUT: Way = {
  ...{ id: "out", label: t`Delegated out`, icon: "arrow-up", word: t`To`, menu: "delegated" },
  of: ({ delegated }) => delegated,
  self: ({ from }) => from,
  partner: ({ to }) => to,
};
const IN: Way = {
  ...{ id: "in", label: t`Delegated in`, icon: "arrow-down", word: t`From`, menu: "received" },
  of: ({ received }) => received,
  self: ({ to }) => to,
  partner: ({ from }) => from,
};

function delegationRows({ account, details, nameOf, symbol }: OpenAccount, way: Way): readonly DetailRow[] {
  const { BANDWIDTH: bandwidth, ENERGY: energy } = account.stakes === undefined ? NONE : way.of(account.stakes);
  const all = sumOf([bandwidth, energy]);
  if (all === 0n) return [];
  const delegations = details?.delegations.filter((it) => way.self(it) === account.address) ?? [];
  const unreported = details?.unreportedDelegations ?? 0;
  const parent = row(
    way,
    [coinsText(all, symbol)],
    [
      {
        name: t`Sum`,
        value: t`${coinsText(energy, symbol)} for energy + ${coinsText(bandwidth, symbol)} for bandwidth = ${bothUnits(all, symbol)}`,
      },
      ...(unreported > 0
        ? [{ name: t`Not queried`, value: `${counted(unreported, t`more account`, t`more accounts`)}` }]
        : []),
    ],
  );
  const named = delegations.map((it, at) =>
    delegationRow({ delegation: it, way, at, symbol }, nameOf, details?.headTimestamp),
  );
  return [withRows(parent, named)];
}

const NONE = { BANDWIDTH: sun(0n), ENERGY: sun(0n) };

interface DelegationOfPartner {
  readonly delegation: Delegation;
  readonly way: Way;
  readonly at: number;
  readonly symbol: string | undefined;
}

function delegationRow(
  { delegation, way, at, symbol }: DelegationOfPartner,
  nameOf: NameOf,
  now: number | undefined,
): DetailRow {
  const { amount, resource, lockedUntil } = delegation;
  const partner = way.partner(delegation);
  const isLocked = lockedUntil > (now ?? 0);
  const until = t`until ${localTime(lockedUntil)}`;
  const lock = now === undefined ? until : t`for ${timeAhead(lockedUntil - now)}`;
  const to = toBase58(partner);
  const head = {
    ...{ id: `${way.id}/${at}`, label: `${way.word} ${shortAddress(partner, nameOf)}`, icon: way.icon },
    ...{ menu: `${way.menu}.partner`, argument: { resource: RESOURCES[resource], to, address: to } },
  };
  return row(
    head,
    [t`${coinsText(amount, symbol)} as ${purposeText(resource)}`, isLocked ? t`locked ${lock}` : t`not locked`],
    [
      { name: t`Account`, value: to },
      { name: t`Staked for it`, value: bothUnits(amount, symbol) },
      { name: t`Lock`, value: isLocked ? t`${until} of chain time` : t`none: you can take it back at any time` },
    ],
  );
}

function unstakingRows(
  parts: readonly Unstaking[],
  now: number | undefined,
  symbol: string | undefined,
): readonly DetailRow[] {
  if (parts.length === 0) return [];
  const all = sumOf(parts.map(({ amount }) => amount));
  const due = sumOf(parts.filter((it) => now !== undefined && it.due <= now).map(({ amount }) => amount));
  const texts = [coinsText(all, symbol), ...(due > 0n ? [t`${coinsText(due, symbol)} can be withdrawn`] : [])];
  const parent = row({ id: "unstaking", label: t`Unstaking`, icon: "history", menu: "unstaking" }, texts, [
    { name: t`Sum`, value: t`${counted(parts.length, t`part`, t`parts`)} unstaking = ${bothUnits(all, symbol)}` },
    { name: t`Withdraw Unstaked…`, value: t`moves it to the balance` },
  ]);
  const rows = parts.map((it, at) => unstakingRow(it, at, { now, symbol }));
  return [withRows(parent, rows)];
}

function unstakingRow(
  { purpose, amount, due }: Unstaking,
  at: number,
  { now, symbol }: { readonly now: number | undefined; readonly symbol: string | undefined },
): DetailRow {
  const isDue = now !== undefined && due <= now;
  const when = isDue
    ? t`can be withdrawn`
    : now === undefined
      ? localTime(due)
      : t`available in ${timeAhead(due - now)}`;
  const head = {
    ...{ id: `unstaking/${at}`, label: coinsText(amount, symbol), icon: isDue ? "check" : "history" },
    menu: "unstaking",
  };
  return row(
    head,
    [t`from ${purposeText(purpose)}`, when],
    [
      { name: t`Amount`, value: bothUnits(amount, symbol) },
      { name: t`Free`, value: t`${localTime(due)} of chain time` },
    ],
  );
}

function votesRow({ account, details, nameOf }: OpenAccount): DetailRow {
  const { votes = [] } = account;
  const sum = sumOfVotes(votes);
  const power = details?.resources?.votingPower;
  const text = power === undefined ? votesText(sum) : t`${grouped(sum)} of ${votesText(power)} used`;
  const parent = row(
    { id: "votes", label: t`Votes`, icon: "checklist", menu: "votes" },
    [power === 0n && sum === 0n ? t`none available` : text],
    [
      { name: t`Used`, value: t`${grouped(sum)} for ${counted(votes.length, t`witness`, t`witnesses`)}` },
      ...(power === undefined
        ? []
        : [{ name: t`You have`, value: t`${grouped(power)}: one for each whole staked coin that counts for votes` }]),
      { name: t`Vote…`, value: t`replaces all of them` },
    ],
  );
  const rows = votes.map((it, at) => voteRow(it, at, nameOf));
  return withRows(parent, rows);
}

function voteRow({ witness, count }: Vote, at: number, nameOf: NameOf): DetailRow {
  const address = toBase58(witness);
  const head = {
    ...{ id: `votes/${at}`, label: shortAddress(witness, nameOf), icon: "person" },
    ...{ menu: "votes.witness", argument: { address } },
  };
  return row(head, [votesText(count)], [{ name: t`Witness`, value: address }]);
}

function rewardRow(
  { rewardWithdrawnAt = 0 }: Account,
  { reward, headTimestamp: now }: AccountDetails,
  symbol: string | undefined,
): DetailRow {
  if (reward === undefined) return unreportedRow("reward", t`Reward`);
  const next = rewardWithdrawnAt + DAY_MS;
  const isEarly = rewardWithdrawnAt > 0 && now !== undefined && next > now;
  const wait = isEarly && reward > 0n ? [t`can be withdrawn in ${timeAhead(next - now)}`] : [];
  const texts = [reward === 0n ? t`none to withdraw` : t`${coinsText(reward, symbol)} to withdraw`, ...wait];
  return row({ id: "reward", label: t`Reward`, icon: "star-empty", menu: "reward" }, texts, [
    { name: t`To withdraw`, value: t`${bothUnits(reward, symbol)}, according to this gateway` },
    { name: t`Increases`, value: t`with each vote count, by the share that the witnesses leave to voters` },
    { name: t`Withdraw Reward…`, value: t`moves it to the balance, once every 24 hours` },
    ...(rewardWithdrawnAt > 0 ? [{ name: t`Next`, value: t`after ${localTime(next)} of chain time` }] : []),
  ]);
}

function tokenRows({ trc10 }: Account, details: AccountDetails | undefined): readonly DetailRow[] {
  const held = [...(trc10 ?? [])].filter(([, amount]) => amount > 0n);
  if (held.length === 0) return [];
  const parent = row(
    { id: "tokens", label: t`TRC-10 tokens`, icon: "symbol-numeric", menu: "tokens" },
    [grouped(held.length)],
    [{ name: t`Numbers`, value: t`are set by the chain; names are chosen by the issuers` }],
  );
  const rows = held.map(([id, amount]) => tokenRow(id, amount, details?.tokens.get(id)));
  return [withRows(parent, rows)];
}

/** The ID and the amount come from the chain; the name and symbol are claims of the issuer. */
function tokenRow(id: string, amount: bigint, token: Trc10Token | undefined): DetailRow {
  const claim = token === undefined ? [] : [t`calls itself ${quoted(token.name)}`];
  const head = {
    ...{ id: `tokens/${id}`, label: t`Token ${id}`, icon: "symbol-numeric" },
    ...{ menu: "tokens", argument: { tokenId: id } },
  };
  return row(
    head,
    [counted(amount, t`unit`, t`units`), ...claim],
    [{ name: t`Units`, value: grouped(amount) }, ...(token === undefined ? [] : issuerLines(amount, token))],
  );
}

function issuerLines(amount: bigint, token: Trc10Token): readonly TooltipLine[] {
  return [
    { name: t`In the issuer's decimals`, value: formatTokenAmount(amount, token) },
    { name: t`Issuer`, value: toBase58(token.issuer) },
  ];
}

const UNITS: { readonly [R in Resource]: string } = { BANDWIDTH: t`bytes of bandwidth`, ENERGY: t`energy` };
const OF_BANDWIDTH = { menu: "resource", argument: { resource: "bandwidth" } } as const;
const OF_ENERGY = { menu: "resource", argument: { resource: "energy" } } as const;
const RECOVERS = t`evenly, each use within 24 hours of chain time`;

/** Describes bandwidth and energy: used amount, limit, and when the used amount recovers. */
export function resourceRows(
  account: Account,
  { resources, headTimestamp }: AccountDetails,
  symbol?: string,
): readonly DetailRow[] {
  if (resources === undefined || headTimestamp === undefined)
    return [unreportedRow("resources", t`Bandwidth and energy`)];
  const uses = resourceUses(account, resources, headTimestamp);
  const staked = (resource: Resource): TooltipLine[] =>
    account.stakes === undefined
      ? [{ name: t`Limit`, value: t`${grouped(useOf(resource).limit)}, according to this gateway` }]
      : limitLines(
          { stake: stakeFor(account, resource), symbol, resource },
          totalsOf(resources, resource),
          useOf(resource).limit,
        );
  const useOf = (resource: Resource): ResourceUse => (resource === "ENERGY" ? uses.energy : uses.stakedBandwidth);
  return [
    useRow({ id: "free-bandwidth", label: t`Free bandwidth`, icon: "gift", ...OF_BANDWIDTH }, uses.freeBandwidth, [
      { name: t`Limit`, value: t`the same for each account, as the chain sets it (getFreeNetLimit)` },
    ]),
    ...(uses.stakedBandwidth.limit + uses.stakedBandwidth.used === 0n
      ? []
      : [
          useRow(
            { id: "bandwidth", label: t`Bandwidth`, icon: "arrow-swap", ...OF_BANDWIDTH },
            uses.stakedBandwidth,
            staked("BANDWIDTH"),
          ),
        ]),
    useRow({ id: "energy", label: t`Energy`, icon: "zap", ...OF_ENERGY }, uses.energy, staked("ENERGY")),
  ];
}

function useRow(head: Head, use: ResourceUse, limit: readonly TooltipLine[]): DetailRow {
  const text = useTexts(use);
  const plain = row(head, text, [
    { name: t`Used`, value: t`${grouped(use.used)}, as of the newest block` },
    { name: t`Left`, value: grouped(use.limit > use.used ? use.limit - use.used : 0n) },
    ...limit,
    { name: t`Recovers`, value: RECOVERS },
  ]);
  return use.limit === 0n ? plain : { ...plain, description: `${bar(use)} ${plain.description}` };
}

function useTexts({ limit, used, backInMs }: ResourceUse): readonly string[] {
  if (limit === 0n && used === 0n) return [t`none, nothing is staked`];
  const amount = t`${grouped(used)} of ${grouped(limit)} used`;
  if (used === 0n) return [amount];
  return [amount, backInMs === undefined ? t`recovers within 24 h` : t`recovers in ${timeAhead(backInMs)}`];
}

const CELLS = 6;

/** Draws the used share as a bar: any use fills one cell, and only full use fills all cells. */
export function bar({ limit, used }: Pick<ResourceUse, "limit" | "used">): string {
  const part = limit === 0n ? 1 : Number(used) / Number(limit);
  const cells = used === 0n ? 0 : used >= limit ? CELLS : Math.min(CELLS - 1, Math.max(1, Math.round(part * CELLS)));
  return "▰".repeat(cells) + "▱".repeat(CELLS - cells);
}

function stakeFor({ stakes }: Account, resource: Resource): Sun {
  return sun((stakes?.own[resource] ?? 0n) + (stakes?.received[resource] ?? 0n));
}

/** Explains how the limit is computed, and shows the gateway's own figure if it differs. */
function limitLines(
  {
    stake,
    symbol,
    resource,
  }: { readonly stake: Sun; readonly symbol: string | undefined; readonly resource: Resource },
  totals: ResourceTotals | undefined,
  shown: bigint,
): TooltipLine[] {
  if (totals === undefined) return [{ name: t`Limit`, value: grouped(shown) }];
  const computed = dailyLimit(stake, totals);
  const all = coinsText(sun(totals.weight * SUN_PER_COIN), symbol);
  const formula = t`${coinsText(stake, symbol)} staked or delegated × ${grouped(totals.limit)} ${UNITS[resource]} a day in total ÷ ${all} staked in total`;
  return computed === shown
    ? [{ name: t`Limit`, value: `${grouped(shown)} = ${formula}` }]
    : [
        { name: t`Limit`, value: t`${grouped(shown)}, according to this gateway` },
        { name: t`Computed`, value: `${grouped(computed)} = ${formula}` },
      ];
}

type Head = Pick<DetailRow, "id" | "label" | "icon"> & { readonly menu?: string; readonly argument?: DetailArgument };

/** @param texts - Parts of the description. Screen readers read them after the label. */
function row(
  { id, label, icon, menu, argument }: Head,
  texts: readonly string[],
  tooltip: readonly TooltipLine[] = [],
): DetailRow {
  const texted = { id, label, icon, description: texts.join(" · "), spoken: [label, ...texts].join(", "), tooltip };
  return { ...texted, ...defined({ menu, argument }) };
}

/** Describes a fact that the gateway does not report. */
function unreportedRow(id: string, label: string): DetailRow {
  return row({ id, label, icon: "question" }, [t`not reported by this gateway`]);
}

/** Maximum number of child rows. */
const MOST = 50;

/** Row with child rows, of which only the first ones are shown. */
function withRows(parent: DetailRow, children: readonly DetailRow[]): DetailRow {
  const more = children.length - MOST;
  const rest =
    more > 0 ? [row({ id: `${parent.id}/more`, label: t`${grouped(more)} more`, icon: "ellipsis" }, [])] : [];
  return { ...parent, children: [...children.slice(0, MOST), ...rest] };
}

/** Describes both forms of the address, and the resources left. */
export function accountTooltip(
  account: NamedAccount,
  balance: Balance,
  resources: AccountResources | undefined,
): readonly TooltipLine[] {
  return [
    { name: t`Address`, value: toBase58(account.address) },
    { name: t`Hex`, value: account.address },
    ...keyLines(account),
    ...balanceLines(balance),
    ...(resources === undefined ? [] : resourceLines(resources)),
  ];
}

function keyLines({ watchOnly, path, policy, sessionOnly, chain }: NamedAccount): readonly TooltipLine[] {
  if (watchOnly || chain !== undefined) return [];
  const storageLine = { name: t`Stored`, value: t`in the memory of this window, for this session only` };
  return [
    ...(path === undefined ? [] : [{ name: t`Path`, value: path }]),
    { name: t`Key`, value: policyText(policyFromJson(policy)) },
    ...(sessionOnly === true ? [storageLine] : []),
  ];
}

function balanceLines(balance: Balance): readonly TooltipLine[] {
  if (balance.kind === "not-activated") return [{ name: t`Balance`, value: NOT_ACTIVATED }];
  if (balance.kind !== "known") return [];
  const { balance: amount, missingPath } = balance.account;
  if (amount === undefined)
    return [{ name: t`Balance`, value: t`unknown: the gateway does not serve ${String(missingPath)}` }];
  return [{ name: t`Balance`, value: bothUnits(amount, balance.symbol) }];
}

const NOT_ACTIVATED = t`nothing yet: the first transfer to it activates the account`;

function resourceLines(it: AccountResources): readonly TooltipLine[] {
  return [
    { name: t`Free bandwidth`, value: left(it.freeBandwidthLimit, it.freeBandwidthUsed) },
    { name: t`Staked bandwidth`, value: left(it.stakedBandwidthLimit, it.stakedBandwidthUsed) },
    { name: t`Energy`, value: left(it.energyLimit, it.energyUsed) },
  ];
}

function left(limit: bigint, used: bigint): string {
  if (limit === 0n) return t`none`;
  const rest = limit > used ? limit - used : 0n;
  return t`${grouped(rest)} of ${grouped(limit)} left`;
}

/** Labels come from users and names from strangers, so they must not become links or commands. */
export function tooltipText(title: string, lines: readonly TooltipLine[]): string {
  const rows = lines.map(({ name, value }) => `${name}: ${inlineCode(value)}  \n`);
  return `**${markdownText(title)}**\n\n${rows.join("")}`;
}
