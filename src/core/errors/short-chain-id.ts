/** How many digits of the id of a block are its height. */
const HEIGHT_DIGITS = 16;
const SHOWN_DIGITS = 12;

/** Enough of an identity to tell chains apart: the digits after the height. */
export function shortChainId(chain: string): string {
  return chain.slice(HEIGHT_DIGITS, HEIGHT_DIGITS + SHOWN_DIGITS);
}
