import { t } from "@vscode/l10n";
import { COIN_DECIMALS, SUN_PER_COIN, type Sun } from "../primitives/amount.ts";
import { type ForeignText, nameText } from "../primitives/plain-text.ts";

/** Formats a whole number with its digits in groups of three. @example grouped(1_234_567n); // "1,234,567" */
export function grouped(number: number | bigint): string {
  return number.toLocaleString("en-US");
}

/**
 * Formats a number of things.
 *
 * @param one - Singular in the language of the user.
 * @param many - Plural, also for zero; a language without plurals uses the same word.
 * @example
 * counted(1, t`block`, t`blocks`); // "1 block"
 * counted(2_000, t`try`, t`tries`); // "2,000 tries"
 */
export function counted(count: number | bigint, one: string, many: string): string {
  return t`${grouped(count)} ${Number(count) === 1 ? one : many}`;
}

/** Formats a number of votes. @example votesText(2_000); // "2,000 votes" */
export function votesText(count: number | bigint): string {
  return Number(count) === 1 ? t`${grouped(count)} vote` : t`${grouped(count)} votes`;
}

/** Formats a percentage. @example percent(20n); // "20 %" */
export function percent(number: number | bigint): string {
  return t`${String(number)} %`;
}

/** Returns the nearest whole percentage; 0 of 0 is 0. */
export function percentOf(part: bigint, whole: bigint): string {
  return percent(whole === 0n ? 0n : (part * 100n + whole / 2n) / whole);
}

/**
 * Formats a number of smallest units exactly, without trailing zeros.
 *
 * @param places - Number of decimals.
 * @example
 * decimal(1_234_500_000n, 6); // "1,234.5"
 */
export function decimal(parts: bigint, places: number): string {
  const digits = (parts < 0n ? -parts : parts).toString().padStart(places + 1, "0");
  const whole = grouped(BigInt(digits.slice(0, digits.length - places)));
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return `${parts < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/**
 * Formats coins exactly.
 *
 * @example
 * formatCoins(sun(1_500_000n)); // "1.5"
 */
export function formatCoins(amount: Sun): string {
  return decimal(amount, COIN_DECIMALS);
}

/**
 * Formats coins with their unit.
 *
 * @param symbol - Symbol of the network's coin (`coinSymbolOf`); without one the unit is coins.
 * @example
 * coinsText(sun(1_000_000n)); // "1 coin"
 * coinsText(sun(1_500_000n), "TRX"); // "1.5 TRX"
 */
export function coinsText(amount: Sun, symbol?: string): string {
  if (symbol !== undefined) return `${formatCoins(amount)} ${symbol}`;
  return amount === SUN_PER_COIN ? t`${formatCoins(amount)} coin` : t`${formatCoins(amount)} coins`;
}

/** Formats the same amount in sun. @example sunText(sun(1_000_000n)); // "1,000,000 sun" */
export function sunText(amount: Sun): string {
  return t`${grouped(amount)} sun`;
}

/** Formats an amount in coins and in sun, because the user may have meant the other unit. */
export function bothUnits(amount: Sun, symbol?: string): string {
  return t`${coinsText(amount, symbol)} (${sunText(amount)})`;
}

/** Fields of a token that determine how its amounts are formatted. */
interface TokenUnit {
  readonly decimals: number;
  readonly symbol: ForeignText;
}

/** Formats an amount of a token with its symbol. */
export function formatTokenAmount(amount: bigint, { decimals, symbol }: TokenUnit): string {
  return [decimal(amount, decimals), nameText(symbol)].filter(Boolean).join(" ");
}
