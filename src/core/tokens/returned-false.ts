import type { Hex } from "../primitives/bytes.ts";

/** transfer, transferFrom, approve, increaseAllowance, decreaseAllowance: they answer with a bool. */
const ANSWERS_BOOL: ReadonlySet<string> = new Set(["a9059cbb", "23b872dd", "095ea7b3", "39509351", "a457c2d7"]);

/**
 * Whether a token refused by returning false: nothing was moved, although nothing failed.
 *
 * @param data - of the call
 * @param returned - what the call gave back
 */
export function returnedFalse(data: Hex | string, returned: Hex | string): boolean {
  return /^0{64}$/.test(returned) && ANSWERS_BOOL.has(data.slice(0, 8));
}
