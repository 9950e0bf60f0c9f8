export const COIN = 1_000_000;

/** Returns a word of 32 bytes in hex, of a number or of hex digits. */
export function word(value: number | bigint | string): string {
  return (typeof value === "string" ? value : value.toString(16)).padStart(64, "0");
}

/** Returns PUSH32 of a word. */
export function push(value: number | bigint | string): string {
  return `7f${word(value)}`;
}

/** Returns the word on top of the stack from the code. */
export const RETURN_TOP = "5f5260205ff3";

/** Runs the code at the address in its input as its own code, and returns the result. */
export const DELEGATOR = "5f5f5f5f5f355af4503d5f5f3e3d5ff3";
