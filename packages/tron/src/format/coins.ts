import { t } from "@vscode/l10n";
import { COIN_DECIMALS, SUN_PER_COIN, type Sun } from "../primitives/amount.ts";
import { type ForeignText, nameText } from "../primitives/plain-text.ts";
import { decimal, grouped } from "./numbers.ts";

/**
 * Coins as people read them, exactly.
 *
 * @example
 * formatCoins(sun(1_500_000n)); // "1.5"
 */
export function formatCoins(amount: Sun): string {
  return decimal(amount, COIN_DECIMALS);
}

/**
 * Coins with their unit.
 *
 * @param symbol - of the network's coin (`coinSymbolOf`); without one the unit is coins
 * @example
 * coinsText(sun(1_000_000n)); // "1 coin"
 * coinsText(sun(1_500_000n), "TRX"); // "1.5 TRX"
 */
export function coinsText(amount: Sun, symbol?: string): string {
  if (symbol !== undefined) return `${formatCoins(amount)} ${symbol}`;
  return amount === SUN_PER_COIN ? t`${formatCoins(amount)} coin` : t`${formatCoins(amount)} coins`;
}

/** The same amount in its smallest parts. @example sunText(sun(1_000_000n)); // "1,000,000 sun" */
export function sunText(amount: Sun): string {
  return t`${grouped(amount)} sun`;
}

/** An amount in coins and in sun, for what is typed in one may be meant in the other. */
export function bothUnits(amount: Sun, symbol?: string): string {
  return t`${coinsText(amount, symbol)} (${sunText(amount)})`;
}

/** Fields of a token that determine how its amounts are formatted. */
interface TokenUnit {
  readonly decimals: number;
  readonly symbol: ForeignText;
}

/** An amount of a token as people read it, with its symbol. */
export function formatTokenAmount(amount: bigint, { decimals, symbol }: TokenUnit): string {
  return [decimal(amount, decimals), nameText(symbol)].filter(Boolean).join(" ");
}
