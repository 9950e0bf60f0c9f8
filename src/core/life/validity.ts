import type { TrackedTransaction } from "./tracked-transaction.ts";

/**
 * How long the signed bytes stay valid, for people: `valid for 41 s more`, or that they have expired; undefined where
 * that is not known.
 *
 * @param chainTime - about now, by the chain, ms
 */
export function describeValidity(
  { signed }: Pick<TrackedTransaction, "signed">,
  chainTime: number | undefined,
): string | undefined {
  if (signed === undefined || chainTime === undefined) return undefined;
  const seconds = Math.floor((signed.expiration - chainTime) / 1_000);
  return seconds > 0
    ? `valid for ${spanOf(seconds)} more`
    : "it has expired by the time of the chain: no node takes it any more";
}

function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
