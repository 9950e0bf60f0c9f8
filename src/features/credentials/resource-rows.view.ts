import { dailyLimit, type ResourceUse, resourceUses, totalsOf } from "@finality/client/estimates";
import type { Account, ResourceTotals } from "@finality/client/gateway";
import { coinsText, grouped, timeAhead } from "@finality/tron/format";
import { SUN_PER_COIN, type Sun, sun } from "@finality/tron/primitives";
import type { Resource } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { TooltipLine } from "./account.view.ts";
import type { AccountDetails } from "./account-details.ts";
import { type DetailRow, row, untoldRow } from "./detail-row.view.ts";

const UNITS: { readonly [R in Resource]: string } = { BANDWIDTH: t`bytes of bandwidth`, ENERGY: t`energy` };
const RECOVERS = t`evenly, each use within 24 hours of chain time`;

/** Bandwidth and energy: what is used of what, and when it is back. */
export function resourceRows(
  account: Account,
  { resources, headTimestamp }: AccountDetails,
  symbol?: string,
): readonly DetailRow[] {
  if (resources === undefined || headTimestamp === undefined) return [untoldRow("resources", t`Bandwidth and energy`)];
  const uses = resourceUses(account, resources, headTimestamp);
  const staked = (resource: Resource): TooltipLine[] =>
    account.stakes === undefined
      ? [{ name: t`Limit`, value: t`${grouped(useOf(resource).limit)}, as this gateway says` }]
      : limitLines(
          { stake: stakeFor(account, resource), symbol, resource },
          totalsOf(resources, resource),
          useOf(resource).limit,
        );
  const useOf = (resource: Resource): ResourceUse => (resource === "ENERGY" ? uses.energy : uses.stakedBandwidth);
  return [
    useRow({ id: "free-bandwidth", label: t`Free bandwidth`, icon: "gift" }, uses.freeBandwidth, [
      { name: t`Limit`, value: t`the same for each account, as the chain sets it (getFreeNetLimit)` },
    ]),
    ...(uses.stakedBandwidth.limit + uses.stakedBandwidth.used === 0n
      ? []
      : [
          useRow(
            { id: "bandwidth", label: t`Bandwidth`, icon: "arrow-swap" },
            uses.stakedBandwidth,
            staked("BANDWIDTH"),
          ),
        ]),
    useRow({ id: "energy", label: t`Energy`, icon: "zap" }, uses.energy, staked("ENERGY")),
  ];
}

function useRow(
  head: Pick<DetailRow, "id" | "label" | "icon">,
  use: ResourceUse,
  limit: readonly TooltipLine[],
): DetailRow {
  const words = useWords(use);
  const plain = row(head, words, [
    { name: t`Used`, value: t`${grouped(use.used)}, as of the newest block` },
    { name: t`Left`, value: grouped(use.limit > use.used ? use.limit - use.used : 0n) },
    ...limit,
    { name: t`Comes back`, value: RECOVERS },
  ]);
  return use.limit === 0n ? plain : { ...plain, description: `${bar(use)} ${plain.description}` };
}

function useWords({ limit, used, backInMs }: ResourceUse): readonly string[] {
  if (limit === 0n && used === 0n) return [t`none, nothing is staked`];
  const amount = t`${grouped(used)} of ${grouped(limit)} used`;
  if (used === 0n) return [amount];
  return [amount, backInMs === undefined ? t`back within 24 h` : t`back in ${timeAhead(backInMs)}`];
}

const CELLS = 6;

/** How much is used, as a picture: a cell for any use, and all cells only for all of it. */
export function bar({ limit, used }: Pick<ResourceUse, "limit" | "used">): string {
  const part = limit === 0n ? 1 : Number(used) / Number(limit);
  const cells = used === 0n ? 0 : used >= limit ? CELLS : Math.min(CELLS - 1, Math.max(1, Math.round(part * CELLS)));
  return "▰".repeat(cells) + "▱".repeat(CELLS - cells);
}

function stakeFor({ stakes }: Account, resource: Resource): Sun {
  return sun((stakes?.own[resource] ?? 0n) + (stakes?.received[resource] ?? 0n));
}

/** How the limit comes about, computed here: a gateway that tells another one is told so. */
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
  const formula = t`${coinsText(stake, symbol)} staked or borrowed × ${grouped(totals.limit)} ${UNITS[resource]} a day of all ÷ ${all} staked by all`;
  return computed === shown
    ? [{ name: t`Limit`, value: `${grouped(shown)} = ${formula}` }]
    : [
        { name: t`Limit`, value: t`${grouped(shown)}, as this gateway says` },
        { name: t`Computed`, value: `${grouped(computed)} = ${formula}` },
      ];
}
