import { coinsText, counted, formatTokenAmount } from "@finality/tron/format";
import { type Address, sun, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { KnownToken } from "../tokens.ts";
import type { BoundRow } from "./run-binding.ts";

/** Sum of one token. */
export interface RunTotal {
  /** Undefined for coins, a number for a TRC-10 token, a contract for a token whose decimals are not known. */
  readonly token: KnownToken | string | undefined;
  /** Sun, or the smallest units of the token. */
  readonly units: bigint;
  readonly rows: number;
  /** Row with the largest amount. */
  readonly largest: BoundRow;
}

/** Adds up the amounts of each token, coins first. */
export function totalsIn(rows: readonly BoundRow[], tokens: ReadonlyMap<Address, KnownToken>): readonly RunTotal[] {
  const totals = new Map<string, RunTotal>();
  for (const row of rows) {
    const { token, units } = row;
    const id = token.kind === "coin" ? "" : token.kind === "trc10" ? token.id : token.contract;
    const known =
      token.kind === "coin"
        ? undefined
        : token.kind === "trc10"
          ? token.id
          : (tokens.get(token.contract) ?? toBase58(token.contract));
    const total = totals.get(id) ?? { token: known, units: 0n, rows: 0, largest: row };
    const largest = units > total.largest.units ? row : total.largest;
    totals.set(id, { ...total, units: total.units + units, rows: total.rows + 1, largest });
  }
  return [...totals.values()].sort((a, b) => Number(b.token === undefined) - Number(a.token === undefined));
}

/** Formats an amount of a token of a run. */
export function unitsText(token: RunTotal["token"], units: bigint, symbol?: string): string {
  if (token === undefined) return coinsText(sun(units), symbol);
  if (typeof token !== "string") return formatTokenAmount(units, token);
  return t`${counted(units, t`unit`, t`units`)} of the token ${token}`;
}
