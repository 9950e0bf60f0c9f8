import { parseHttpDate } from "./http-exchange.ts";

/** The longest wait of our own making between two tries (gateway document, Limits). */
export const MAX_BACKOFF_MS = 30_000;
/** The longest wait that a gateway may ask for: a daily limit ends within it. A longer `Retry-After` counts as this. */
export const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;
const FIRST_BACKOFF_MS = 500;
/** How long a first try may wait for a part of its answer; ms. */
export const FIRST_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 60_000;
/** Why a try failed, as far as it matters for the next one. */
export type RetryReason =
  /** No answer, or one that was cut. */
  | { readonly kind: "network" }
  /** No connection at all: refused, or a name that nobody knows. */
  | { readonly kind: "unreachable" }
  /** Dropped without a byte while a token was sent. */
  | { readonly kind: "silent" }
  /** Status 200 and no JSON: something else answers there. */
  | { readonly kind: "garbled" }
  | { readonly kind: "server"; readonly retryAfterMs?: number | undefined }
  | { readonly kind: "rate-limited"; readonly retryAfterMs?: number | undefined }
  /** The answer will not get better: 4xx, or a refusal of the node. */
  | { readonly kind: "final" };

export interface Try {
  readonly access: "read" | "write";
  /** How many tries failed, this one included: 1 after the first. */
  readonly tries: number;
  readonly reason: RetryReason;
  /** Ms left until the caller's deadline. */
  readonly remainingMs: number;
  /** From 0 to before 1. */
  readonly random: number;
}

/**
 * How long to wait before the same read is tried again, in ms; undefined when it must not be.
 *
 * A write is never repeated, whatever its HTTP method. `Retry-After` may exceed our own cap of 30 s but not the
 * deadline.
 */
export function nextDelay({ access, tries, reason, remainingMs, random }: Try): number | undefined {
  if (access === "write" || tries >= MAX_TRIES[reason.kind]) return undefined;
  const asked = reason.kind === "server" || reason.kind === "rate-limited" ? (reason.retryAfterMs ?? 0) : 0;
  const delay = Math.max(backoff(tries, random), asked);
  return delay < remainingMs ? delay : undefined;
}

/** Exponential, between half of the step and all of it; ms. */
export function backoff(tries: number, random: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1)) * (0.5 + random / 2);
}

/**
 * How long the next try may wait for a part of its answer: longer each time; ms.
 *
 * @param failed - how many tries failed before
 */
export function timeoutOf(failed: number, first = FIRST_TIMEOUT_MS): number {
  return Math.min(MAX_TIMEOUT_MS, first * 2 ** failed);
}

/**
 * `Retry-After` as a delay in ms, a day at most, given as seconds or as a date; undefined when it is neither.
 *
 * @param date - the `Date` of the same answer: the server's clock explains the server's date
 * @param now - Unix ms of the local clock, for an answer without `Date`
 */
export function parseRetryAfter(value: string | undefined, date: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Math.min(MAX_RETRY_AFTER_MS, Number(value) * 1000);
  const at = parseHttpDate(value);
  if (at === undefined) return undefined;
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(0, at - (parseHttpDate(date) ?? now)));
}

/** Failures that seldom pass by themselves are not hidden behind a long row of tries. */
const MAX_TRIES: { readonly [K in RetryReason["kind"]]: number } = {
  network: 12,
  server: 12,
  "rate-limited": 12,
  unreachable: 5,
  silent: 2,
  garbled: 2,
  final: 1,
};
