/** An amount of the native coin in sun: 1 coin = 1,000,000 sun. */
export type Sun = bigint & { readonly unit: "sun" };

/** Decimals of coins. */
export const COIN_DECIMALS = 6;
export const SUN_PER_COIN = 10n ** BigInt(COIN_DECIMALS);
/** Largest amount that a transaction can carry, of coins or of a token: 2⁶³ − 1. */
export const LARGEST_AMOUNT = 2n ** 63n - 1n;

/** Marks an amount as sun. */
export function sun(amount: bigint): Sun {
  return amount as Sun;
}
