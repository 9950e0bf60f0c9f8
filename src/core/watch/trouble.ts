import { isChainError } from "../errors/chain-error.ts";

/** Why a network cannot be followed at the moment. Times are Unix ms of the local clock. */
export interface Trouble {
  readonly network: string;
  readonly code: string;
  /** For people: what is wrong and what to do. */
  readonly sentence: string;
  readonly since: number;
  readonly nextTryAt: number;
}

const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;

/** How long to pause after `failures` failures in a row: what the gateway asks for, else 3 s doubled up to 30 s. */
export function pauseAfter(error: unknown, failures: number): number {
  const own = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
  if (isChainError(error) && error.code === "GATEWAY_RATE_LIMITED") {
    return Math.max(own, error.details.retryAfterMs ?? 0);
  }
  return own;
}

/** The words for what went wrong. */
export function describeTrouble(error: unknown): { readonly code: string; readonly sentence: string } {
  if (isChainError(error)) return { code: error.code, sentence: error.message };
  return { code: "UNEXPECTED", sentence: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}
