import type { AccountResources } from "@finality/client/gateway";
import { policyFromJson } from "@finality/client/keys";
import { bothUnits, grouped, inlineCode, markdownText } from "@finality/tron/format";
import { toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Balance, NamedAccount, TooltipLine } from "./account.view.ts";
import { policyText } from "./key-policy.view.ts";

/** Both forms of the address, and what it may still use without paying. */
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
  const kept = { name: t`Kept`, value: t`in the memory of this window, for this session only` };
  return [
    ...(path === undefined ? [] : [{ name: t`Path`, value: path }]),
    { name: t`Key`, value: policyText(policyFromJson(policy)) },
    ...(sessionOnly === true ? [kept] : []),
  ];
}

function balanceLines(balance: Balance): readonly TooltipLine[] {
  if (balance.kind === "not-activated") return [{ name: t`Balance`, value: NOT_ACTIVATED }];
  if (balance.kind !== "known") return [];
  const { balance: amount, missingPath } = balance.account;
  if (amount === undefined)
    return [{ name: t`Balance`, value: t`not known here: the gateway does not serve ${String(missingPath)}` }];
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

/** Labels are of people, names of strangers: nothing of them can become a link or a command. */
export function tooltipText(title: string, lines: readonly TooltipLine[]): string {
  const rows = lines.map(({ name, value }) => `${name}: ${inlineCode(value)}  \n`);
  return `**${markdownText(title)}**\n\n${rows.join("")}`;
}
