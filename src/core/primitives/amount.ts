import { ChainError } from "../errors/chain-error.ts";
import { shorten } from "./bytes.ts";

/** An amount of the native coin in sun: 1 coin = 1,000,000 sun. */
export type Sun = bigint & { readonly unit: "sun" };

const DECIMALS = 6;
export const SUN_PER_COIN = 10n ** BigInt(DECIMALS);
/** The largest amount that a transaction can carry, of coins or of a token: 2⁶³ − 1. */
export const LARGEST_AMOUNT = 2n ** 63n - 1n;
const COINS = /^(\d+)(?:\.(\d+))?$/;

/** An amount that is known to be in sun. */
export function sun(amount: bigint): Sun {
  return amount as Sun;
}

/**
 * Reads coins as people type them, exactly: no float is involved.
 *
 * @returns sun
 * @throws {ChainError} `AMOUNT_MALFORMED` not a plain decimal number, finer than 1 sun, or above int64
 * @example
 * parseCoins("1.5"); // 1500000n
 */
export function parseCoins(text: string): Sun {
  const refuse = (reason: string): ChainError => new ChainError("AMOUNT_MALFORMED", { text: shorten(text), reason });
  const match = COINS.exec(text.trim());
  if (match === null) throw refuse("write a plain number such as 1.5");
  const [, whole = "", fraction = ""] = match;
  if (fraction.length > DECIMALS) throw refuse("a coin has six decimals, the smallest part is 0.000001 (1 sun)");
  const amount = BigInt(whole) * SUN_PER_COIN + BigInt(fraction.padEnd(DECIMALS, "0"));
  if (amount > LARGEST_AMOUNT) throw refuse("it is larger than any amount on the chain");
  return sun(amount);
}

/**
 * Coins as people read them, exactly.
 *
 * @example
 * formatCoins(sun(1_500_000n)); // "1.5"
 */
export function formatCoins(amount: Sun): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DECIMALS + 1, "0");
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, "");
  const whole = digits.slice(0, -DECIMALS).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${amount < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/**
 * Coins with their unit.
 *
 * @example
 * coinsText(sun(1_000_000n)); // "1 coin"
 */
export function coinsText(amount: Sun): string {
  return `${formatCoins(amount)} ${amount === SUN_PER_COIN ? "coin" : "coins"}`;
}
