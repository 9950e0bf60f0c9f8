import type { TrackedTransaction } from "./tracked-transaction.ts";

/**
 * Whether an answer is still under way: the last attempt began in this session and has none yet. One that began earlier
 * was cut off, and its outcome is unknown.
 *
 * @param sessionStart - when this window began, local clock, Unix ms
 */
export function isSending({ state, signed, attempts, createdAt }: TrackedTransaction, sessionStart: number): boolean {
  const last = attempts.at(-1);
  if (state.kind === "signed") return signed !== undefined && signed.shared !== true && createdAt >= sessionStart;
  return state.kind === "unknown" && last !== undefined && last.outcome === undefined && last.startedAt >= sessionStart;
}
