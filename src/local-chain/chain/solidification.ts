/** A block is solidified when 70 % of the witnesses have built on it. */
const SHARE_BEHIND = 0.3;

/**
 * The solidified height: each witness's newest block, sorted, at 30 % from below (DposService.updateSolidBlock).
 *
 * @param latestHeights - the newest height of each active witness, 0 for one that has produced none
 */
export function solidifiedHeight(latestHeights: readonly number[]): number {
  const sorted = [...latestHeights].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * SHARE_BEHIND)] ?? 0;
}
