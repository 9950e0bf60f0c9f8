import { t } from "@vscode/l10n";
import { COIN_DECIMALS, SUN_PER_COIN, type Sun } from "../primitives/amount.ts";
import { type ForeignText, nameText } from "../primitives/plain-text.ts";

/** A whole number with its digits in groups of three. @example grouped(1_234_567n); // "1,234,567" */
export function grouped(number: number | bigint): string {
  return number.toLocaleString("en-US");
}

/**
 * So many things.
 *
 * @param one - the word for one of them, in the language of the reader
 * @param many - the word for none and for more than one; a language without plurals says both the same way
 * @example
 * counted(1, t`block`, t`blocks`); // "1 block"
 * counted(2_000, t`try`, t`tries`); // "2,000 tries"
 */
export function counted(count: number | bigint, one: string, many: string): string {
  return t`${grouped(count)} ${Number(count) === 1 ? one : many}`;
}

/** So many votes. @example votesText(2_000); // "2,000 votes" */
export function votesText(count: number | bigint): string {
  return Number(count) === 1 ? t`${grouped(count)} vote` : t`${grouped(count)} votes`;
}

/** A part in the hundred. @example percent(20n); // "20 %" */
export function percent(number: number | bigint): string {
  return t`${String(number)} %`;
}

/** The part in the hundred that is nearest; nothing of nothing is none. */
export function percentOf(part: bigint, whole: bigint): string {
  return percent(whole === 0n ? 0n : (part * 100n + whole / 2n) / whole);
}

/**
 * A number that is counted in its smallest parts, exactly; no nought that says nothing.
 *
 * @param places - how many digits stand behind the point
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
