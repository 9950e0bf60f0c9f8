import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import { shorten } from "./bytes.ts";

/** An amount of the native coin in sun: 1 coin = 1,000,000 sun. */
export type Sun = bigint & { readonly unit: "sun" };

/** How many digits of coins stand behind the point. */
export const COIN_DECIMALS = 6;
export const SUN_PER_COIN = 10n ** BigInt(COIN_DECIMALS);
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
  if (match === null) throw refuse(t`write a plain number such as 1.5`);
  const [, whole = "", fraction = ""] = match;
  if (fraction.length > COIN_DECIMALS) throw refuse(t`a coin has six decimals, the smallest part is 0.000001 (1 sun)`);
  const amount = BigInt(whole) * SUN_PER_COIN + BigInt(fraction.padEnd(COIN_DECIMALS, "0"));
  if (amount > LARGEST_AMOUNT) throw refuse(t`it is larger than any amount on the chain`);
  return sun(amount);
}
